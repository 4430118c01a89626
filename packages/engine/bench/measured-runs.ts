/** What is measured of five-step runs, whoever does them: one after the other, then as many as keep the worker busy. */
import { performance } from 'node:perf_hooks';

export const STEPS = 5;

export type MeasureOptions = {
  /** Runs of the throughput part. */
  readonly runs: number;
  /** Runs done one after the other. */
  readonly sequentialRuns: number;
  /** Runs kept open at a time. */
  readonly concurrency: number;
};

export type MeasuredRuns = {
  readonly runs_per_s: number;
  readonly steps_per_s: number;
  readonly sequential_ms_per_step: number;
  readonly start_latency_p50_ms: number;
  readonly start_latency_p99_ms: number;
};

const WARM_UP_RUNS = 200;

/** `runOne` resolves when its run has finished, with the milliseconds from the call to the first step. */
export async function measureRuns(runOne: () => Promise<number>, options: MeasureOptions): Promise<MeasuredRuns> {
  const { runs, sequentialRuns, concurrency } = options;
  await runAll(runOne, WARM_UP_RUNS, concurrency);
  const latencies: number[] = [];
  const sequentialFrom = performance.now();
  for (let n = 0; n < sequentialRuns; n += 1) latencies.push(await runOne());
  const sequentialMs = performance.now() - sequentialFrom;
  const from = performance.now();
  await runAll(runOne, runs, concurrency);
  const seconds = (performance.now() - from) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN;
  return {
    runs_per_s: runs / seconds,
    steps_per_s: (runs * STEPS) / seconds,
    sequential_ms_per_step: sequentialMs / (sequentialRuns * STEPS),
    start_latency_p50_ms: at(0.5),
    start_latency_p99_ms: at(0.99),
  };
}

/** Keeps a bounded number of starts open, as callers of an API do. */
async function runAll(runOne: () => Promise<number>, count: number, concurrency: number): Promise<void> {
  let left = count;
  const starters = Array.from({ length: Math.min(concurrency, count) }, async () => {
    while (left > 0) {
      left -= 1;
      await runOne();
    }
  });
  await Promise.all(starters);
}
