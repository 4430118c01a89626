import { type ReactNode, useEffect, useState } from 'react';
import { SidePanel } from '../ui/side-panel.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { LeaveQuestion } from './leave-question.tsx';

type Props = {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  /** The form, which says with `useUnsaved(dirty, onUnsaved)` whether something would be lost. */
  children: (onUnsaved: (unsaved: boolean) => void) => ReactNode;
};

/** A side panel with a form in it: Esc, the cross, a click beside it and a way off the screen ask before they drop what was typed. */
export function FormPanel({ title, opened, onClose, children }: Props) {
  const [unsaved, setUnsaved] = useState(false);
  const [asking, setAsking] = useState(false);
  const stay = () => setAsking(false);
  const leave = () => {
    stay();
    onClose();
  };
  return (
    <>
      <SidePanel title={title} opened={opened} onClose={() => (unsaved ? setAsking(true) : onClose())}>
        {children(setUnsaved)}
      </SidePanel>
      {asking ? <LeaveQuestion onLeave={leave} onStay={stay} /> : null}
      <LeaveGuard dirty={opened && unsaved} param="panel" />
    </>
  );
}

/** Tells the panel around a form whether the form has something that is not saved; a form that is gone has nothing. */
export function useUnsaved(unsaved: boolean, onUnsaved: (unsaved: boolean) => void): void {
  useEffect(() => {
    onUnsaved(unsaved);
    return () => onUnsaved(false);
  }, [unsaved, onUnsaved]);
}
