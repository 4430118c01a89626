import { type ResourceLimits, Worker } from 'node:worker_threads';

export type ThreadStart = { order: unknown; transfer?: readonly ArrayBuffer[]; limits: ResourceLimits };

/** Starts a thread whose file reads its order from `workerData`. */
export function startThread(entry: URL, { order, transfer = [], limits }: ThreadStart): Worker {
  return new Worker(entry, {
    workerData: order,
    transferList: [...transfer],
    // It has no business with the environment.
    env: {},
    execArgv: [],
    resourceLimits: limits,
  });
}
