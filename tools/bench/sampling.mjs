import { setTimeout as wait } from 'node:timers/promises';

/** Calls `sample` at once and so often, until the signal is given. */
export async function sampleUntil(signal, everyMs, sample) {
  while (!signal.aborted) {
    sample();
    await wait(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
