import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A repeated task that never overlaps itself. `wake` runs it at once, or once more after the pass under way; `gapMs` then
 * passes between the two, so that a stream of wake-ups is served in groups while a lone one is served at once.
 */
export interface Loop {
  wake(): void;
  /** Resolves when the pass under way has ended; none follows. */
  stop(): Promise<void>;
}

export function createLoop(
  task: () => Promise<unknown>,
  { everyMs, gapMs = 0, onError }: { everyMs: number; gapMs?: number; onError: (error: unknown) => void },
): Loop {
  let stopped = false;
  let again = false;
  let busy = false;
  let ended: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function pass(): Promise<void> {
    do {
      again = false;
      try {
        await task();
      } catch (error) {
        onError(error);
        again = false;
      }
      if (gapMs > 0) await sleep(gapMs);
    } while (again && !stopped);
    busy = false;
    if (!stopped) timer = setTimeout(wake, everyMs);
  }

  function wake(): void {
    if (stopped) return;
    clearTimeout(timer);
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    ended = pass();
  }

  timer = setTimeout(wake, everyMs);
  return {
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await ended;
    },
  };
}
