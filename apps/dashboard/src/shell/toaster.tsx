import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toastHost } from '../lib/toasts.ts';

const Notifications = lazy(() =>
  import('@mantine/notifications').then((module) => ({ default: module.Notifications })),
);

/** Where toasts appear; there only once there is one. */
export function Toaster() {
  const wanted = useSyncExternalStore(toastHost.subscribe, toastHost.isWanted);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <Notifications position="bottom-right" limit={4} autoClose={6000} />
    </Suspense>
  );
}
