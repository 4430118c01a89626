import { useBlocker } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { switchQuestions } from '../session/tenant-switch.ts';
import { LeaveQuestion } from './leave-question.tsx';

type Props = {
  dirty: boolean;
  /** Search parameter that says which part of the screen shows; another value of it leaves the form too. */
  param?: string;
};

/** Asks before a form with changes is left, by a link, the back button, another tenant or by closing the page. */
export function LeaveGuard({ dirty, param }: Props) {
  const blocker = useBlocker({
    // Another search on the same screen leaves nothing, and a session that ended cannot be stayed in.
    shouldBlockFn: ({ current, next }) =>
      dirty &&
      (current.pathname !== next.pathname || paramOf(current.search, param) !== paramOf(next.search, param)) &&
      !next.pathname.startsWith('/login'),
    enableBeforeUnload: dirty,
    withResolver: true,
  });
  const [toSwitch, setToSwitch] = useState<() => void>();
  useEffect(() => {
    if (!dirty) return undefined;
    const ask = (leave: () => void) => setToSwitch(() => leave);
    switchQuestions.add(ask);
    return () => void switchQuestions.delete(ask);
  }, [dirty]);
  if (toSwitch !== undefined) {
    const stay = () => {
      setToSwitch(undefined);
      // The list the other tenant was chosen from is closed; what opened it is still there.
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-tenant-picker]')?.focus());
    };
    return <LeaveQuestion onLeave={toSwitch} onStay={stay} />;
  }
  if (blocker.status !== 'blocked') return null;
  return <LeaveQuestion onLeave={blocker.proceed} onStay={blocker.reset} />;
}

function paramOf(search: unknown, name: string | undefined): unknown {
  if (name === undefined || typeof search !== 'object' || search === null) return undefined;
  return Reflect.get(search, name);
}
