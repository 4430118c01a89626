/** All times in milliseconds. */
export type EngineOptions = {
  /** Steps and jobs one worker runs at once. Default 64. */
  readonly concurrency: number;
  /** Part of a worker's slots one tenant may have while others wait. Default 0.5. */
  readonly tenantShare: number;
  /** Part of them kept free for others while one tenant is alone. Default 1/16. */
  readonly tenantReserve: number;
  /** Default 15,000. A worker silent for that long loses what it holds. */
  readonly leaseMs: number;
  /** Default 2,000; at most a third of the lease. Also the longest time a lost cancel notification costs. */
  readonly heartbeatMs: number;
  /** Backs up NOTIFY and fires timers. Default 500. */
  readonly pollMs: number;
  /** How often expired leases are looked for. Default 2,000. */
  readonly reapMs: number;
  /**
   * A worker that shows its presence (`EngineDeps.keepSession`) loses what it holds when it has given no sign of life for
   * this long, however long its lease. Default 1,500; looked at three times in that time.
   */
  readonly absentMs: number;
  /** Results in one transaction. Default 128. */
  readonly batchSize: number;
  /** Steps of one run handed over in a row before the run queues again behind other tenants. Default 16. */
  readonly maxChain: number;
  /** A step that lost its worker more often than this ends as WORKER_LOST. Default 10. */
  readonly maxLeaseLosses: number;
  /**
   * A job that lost its worker twice is run by one that runs nothing else: so long at most the worker lets what it has end
   * before, and so long at most it takes nothing else meanwhile. Default 60,000.
   */
  readonly aloneMs: number;
  /** For actions whose definition and traits give none. Default 60,000. */
  readonly stepTimeoutMs: number;
  /** After an abort the executor may still settle within this time. Default 500. */
  readonly abortGraceMs: number;
  /** Default 8,000. */
  readonly stopTimeoutMs: number;
  /** Longest wait between attempts that nobody asked for. Default 300,000. */
  readonly maxBackoffMs: number;
  /** Rendered step input and run inputs, JSON bytes. Default 1 MiB. */
  readonly maxInputBytes: number;
  /** Step output, JSON bytes; a larger one ends the step with OUTPUT_TOO_LARGE. Default 1 MiB. */
  readonly maxOutputBytes: number;
  /** Runs of a tenant that have not ended; a start beyond them throws TOO_MANY_OPEN_RUNS. Default: any number. */
  readonly maxOpenRuns: number | undefined;
  /** Follow the database's clock, so that machines with different clocks agree on leases. Default true; tests turn it off. */
  readonly followDatabaseClock: boolean;
  /**
   * Name of a worker that cannot exist twice, because a lock outside the engine guarantees it. When set, `start()` takes
   * back at once the leases of its earlier process instead of waiting for them to expire.
   */
  readonly exclusiveName: string | undefined;
};

export const defaultOptions: EngineOptions = {
  concurrency: 64,
  tenantShare: 0.5,
  tenantReserve: 1 / 16,
  leaseMs: 15_000,
  heartbeatMs: 2_000,
  pollMs: 500,
  reapMs: 2_000,
  absentMs: 1_500,
  batchSize: 128,
  maxChain: 16,
  maxLeaseLosses: 10,
  aloneMs: 60_000,
  stepTimeoutMs: 60_000,
  abortGraceMs: 500,
  stopTimeoutMs: 8_000,
  maxBackoffMs: 300_000,
  maxInputBytes: 1_048_576,
  maxOutputBytes: 1_048_576,
  maxOpenRuns: undefined,
  followDatabaseClock: true,
  exclusiveName: undefined,
};
