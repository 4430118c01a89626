/** A repeated task that never overlaps itself. `wake` runs it at once, or once more right after the pass under way. */
export interface Loop {
  wake(): void;
  /** Resolves when the pass under way has ended; none follows. */
  stop(): Promise<void>;
}

export function createLoop(task: () => Promise<unknown>, everyMs: number, onError: (error: unknown) => void): Loop {
  let stopped = false;
  let again = false;
  let running: Promise<void> | null = null;
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
    } while (again && !stopped);
    running = null;
    if (!stopped) timer = setTimeout(wake, everyMs);
  }

  function wake(): void {
    if (stopped) return;
    clearTimeout(timer);
    if (running) again = true;
    else running = pass();
  }

  timer = setTimeout(wake, everyMs);
  return {
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
