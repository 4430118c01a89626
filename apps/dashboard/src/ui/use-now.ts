import { useSyncExternalStore } from 'react';

// One clock for all relative times of a page, ticking only while something shows one.
const TICK_MS = 10_000;
const listeners = new Set<() => void>();
let now = new Date();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    now = new Date();
    timer = setInterval(() => {
      now = new Date();
      for (const each of listeners) each();
    }, TICK_MS);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The present time, to within ten seconds. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now);
}
