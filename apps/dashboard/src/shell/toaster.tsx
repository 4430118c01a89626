import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toasts } from '../lib/toasts.ts';

const ToastList = lazy(() => import('./toast-list.tsx').then((module) => ({ default: module.ToastList })));

/** Where toasts appear; most visits see none, so it loads with the first one. */
export function Toaster() {
  const wanted = useSyncExternalStore(toasts.subscribe, toasts.isWanted);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <ToastList />
    </Suspense>
  );
}
