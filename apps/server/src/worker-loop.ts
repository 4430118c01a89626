/**
 * Work that waits in a table: does it until nothing is left, then rests until it is woken or the next of it is due.
 *
 * Resting → (woken, or the pause is over) → working, one run at a time → resting. A wake-up during a run makes it look
 * once more before it rests, so nothing that was announced is overlooked; one that failed rests for a moment and begins
 * anew. Stopping takes no further portion and waits for the one under way. Nothing is kept here, so a crash loses nothing:
 * what is due stands in its table.
 */
type Dependencies = {
  /** Does one portion; false when nothing was left. */
  round: (signal: AbortSignal) => Promise<boolean>;
  /** Milliseconds to rest when nothing is left, at most; asked after every run. */
  restMs: () => number | Promise<number>;
  /** After a failed run. */
  afterFailureMs: number;
  log: { warn(fields: object, message: string): void };
  /** What a failed run means, for the log. */
  failed: string;
};

export type WorkerLoop = {
  start(): void;
  /** Nothing before the start: where a loop was not started, somebody else does its work. */
  wake(): void;
  /** Aborts what waits on the outside, and resolves when the run has ended, or after `withinMs`. */
  stop(withinMs?: number): Promise<void>;
};

export function createWorkerLoop({ round, restMs, afterFailureMs, log, failed }: Dependencies): WorkerLoop {
  const stopping = new AbortController();
  const { signal } = stopping;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let started = false;
  let again = false;

  function wake(): void {
    again = true;
    if (!started || signal.aborted || running !== undefined) return;
    clearTimeout(timer);
    running = run().finally(() => {
      running = undefined;
      // Woken while it was about to rest.
      if (again) wake();
    });
  }

  async function run(): Promise<void> {
    let pauseMs = afterFailureMs;
    try {
      while (again && !signal.aborted) {
        again = false;
        while (!signal.aborted && (await round(signal)));
      }
      if (!signal.aborted) pauseMs = await restMs();
    } catch (error) {
      log.warn({ err: error }, failed);
    }
    if (!signal.aborted) timer = setTimeout(wake, pauseMs).unref();
  }

  return {
    start() {
      started = true;
      wake();
    },
    wake,
    async stop(withinMs) {
      stopping.abort();
      clearTimeout(timer);
      if (running === undefined) return;
      await (withinMs === undefined ? running : settledWithin(running, withinMs));
    },
  };
}

/** How long to wait after so many attempts that failed: doubles from the first pause up to the longest. */
export function doubledPauseMs(
  attempts: number,
  { firstMs, longestMs }: { firstMs: number; longestMs: number },
): number {
  return Math.min(firstMs * 2 ** Math.min(Math.max(attempts - 1, 0), 30), longestMs);
}

/** How long to rest until something is due, between a millisecond and `atMostMs`. */
export function untilDueMs(dueAt: Date | null | undefined, { now, atMostMs }: { now: Date; atMostMs: number }): number {
  if (dueAt === null || dueAt === undefined) return atMostMs;
  return Math.min(Math.max(dueAt.getTime() - now.getTime(), 0) + 1, atMostMs);
}

async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, enough]);
  clearTimeout(timer);
}
