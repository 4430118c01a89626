import { useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { dialogs } from './dialog-queue.ts';

const ConfirmationDialogView = lazy(() =>
  import('./confirmation-dialog.tsx').then((module) => ({ default: module.ConfirmationDialogView })),
);
const ProofDialogView = lazy(() =>
  import('./proof-dialog.tsx').then((module) => ({ default: module.ProofDialogView })),
);

/** Where confirmations and proofs appear; loads with the first one. Leaving the screen leaves its dialog. */
export function ConfirmationHost() {
  const open = useSyncExternalStore(dialogs.subscribe, dialogs.current);
  const pathname = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each screen's dialogs end with it
  useEffect(() => () => dialogs.leaveAll(), [pathname]);
  if (open === undefined) return null;
  return (
    <Suspense fallback={null}>
      {open.kind === 'confirmation' ? (
        <ConfirmationDialogView key={open.id} dialog={open} />
      ) : (
        <ProofDialogView key={open.id} dialog={open} />
      )}
    </Suspense>
  );
}
