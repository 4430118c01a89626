/**
 * Works until nothing is left, then waits to be woken or for the next poll. One run at a time; a wake-up during a run
 * makes it look once more before it ends, so nothing that was announced is overlooked.
 */
type Dependencies = {
  /** Does one portion; false when nothing was left. */
  round: (signal: AbortSignal) => Promise<boolean>;
  pollMs: number;
  log: { warn(fields: object, message: string): void };
  /** For the log. */
  name: string;
};

export type WorkerLoop = {
  start(): void;
  wake(): void;
  /** Aborts what waits on the outside, and resolves when the run has ended. */
  stop(): Promise<void>;
};

export function createWorkerLoop({ round, pollMs, log, name }: Dependencies): WorkerLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      while (!signal.aborted && (await round(signal)));
    } while (again && !signal.aborted);
  }

  function wake(): void {
    again = true;
    if (signal.aborted || running !== undefined) return;
    running = run()
      .catch((error: unknown) => log.warn({ error: String(error) }, `${name} pause until the next look`))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    start() {
      timer = setInterval(wake, pollMs);
      timer.unref();
      wake();
    },
    wake,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
