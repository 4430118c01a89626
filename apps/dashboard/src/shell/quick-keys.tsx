import { useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, type Ref, Suspense, useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react';
import { singleKeysOn } from '../lib/single-keys.ts';
import { useSession } from '../session/app-context.ts';
import { createRecentVisits, type RecentVisits } from './recent-visits.ts';

const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then((module) => ({ default: module.CommandPalette })),
);
const KeyboardHelp = lazy(() => import('./keyboard-help.tsx').then((module) => ({ default: module.KeyboardHelp })));

/** How long after `g` its second key counts. */
const SECOND_KEY_MS = 1500;
const FIELDS = 'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="menu"], [role="listbox"]';

type Shown = 'palette' | 'keys' | undefined;

export type QuickKeysHandle = { readonly openPalette: () => void };

type Props = { ref: Ref<QuickKeysHandle>; onSwitchTenant: (tenantId: string) => void };

/**
 * The palette, the keyboard map, and the keys that lead to screens. Each loads when it is asked for. What is open is known
 * here only: rail and top bar would be drawn again for it.
 */
export function QuickKeys({ ref, onSwitchTenant }: Props) {
  const [shown, show] = useState<Shown>();
  useImperativeHandle(ref, () => ({ openPalette: () => show('palette') }), []);
  useKeys(show);
  const recent = useRecentVisits();
  const close = () => show(undefined);
  if (shown === undefined) return null;
  return (
    <Suspense fallback={null}>
      {shown === 'palette' ? (
        <CommandPalette recent={recent} onClose={close} onKeys={() => show('keys')} onSwitchTenant={onSwitchTenant} />
      ) : (
        <KeyboardHelp onClose={close} />
      )}
    </Suspense>
  );
}

/** Notes a page when it is left: by then it has its title. */
function useRecentVisits(): RecentVisits {
  const router = useRouter();
  const { currentTenant } = useSession();
  const [recent] = useState(createRecentVisits);
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ fromLocation, pathChanged }) => {
        const [title = ''] = document.title.split(' | ');
        if (fromLocation !== undefined && pathChanged && title !== '') {
          recent.note(currentTenant, { title, href: fromLocation.href });
        }
      }),
    [router, currentTenant, recent],
  );
  return recent;
}

function useKeys(onShow: (shown: Shown) => void): void {
  const navigate = useNavigate();
  const session = useSession();
  const waitsSince = useRef<number>(undefined);
  const goTo = async (key: string) => {
    const [{ destinations }, { refusalFor }] = await Promise.all([
      import('./destinations.ts'),
      import('../session/access.ts'),
    ]);
    const found = destinations.find((one) => one.key === key && refusalFor(one.area, session) === undefined);
    if (found !== undefined) await navigate({ to: found.to });
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if ((event.metaKey || event.ctrlKey) && !event.altKey && key.toLowerCase() === 'k') {
      event.preventDefault();
      return onShow('palette');
    }
    if (event.metaKey || event.ctrlKey || event.altKey || !singleKeysOn()) return;
    if (target instanceof Element && target.closest(FIELDS) !== null) return;
    if (waitsSince.current !== undefined && event.timeStamp - waitsSince.current < SECOND_KEY_MS) {
      waitsSince.current = undefined;
      // What it leads to is all it means now: `g` `k` does not also move a row.
      event.stopImmediatePropagation();
      event.preventDefault();
      return void goTo(key);
    }
    if (key === '?') {
      event.preventDefault();
      onShow('keys');
    } else waitsSince.current = key === 'g' ? event.timeStamp : undefined;
  });
  useEffect(() => {
    // Before the lists' own keys.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
}
