/**
 * What this process tells the others of itself, every ten seconds: a row with who it is and how it is. It takes the row away
 * when it ends; the row of one that was killed stays, falls silent, and is forgotten after a day.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ProcessReport } from '@airdeck/contracts/operations/schema';
import type { Database } from '../../storage/database.ts';
import { createWorkerLoop } from '../../worker-loop.ts';
import type { ObjectiveCounts } from './objective-counts.ts';
import type { ProcessFigures } from './operations-tables.ts';
import { putReport, takeReport } from './process-repository.ts';

export const REPORT_EVERY_MS = 10_000;
/** Of the timer that measures the loop's delay, which is part of each measurement. */
const RESOLUTION_MS = 10;
const NANOSECONDS = 1e6;

export type ProcessIdentity = Pick<ProcessReport, 'id' | 'role' | 'host' | 'release' | 'node'> & { startedAt: Date };

/** What only the modules of this process know. */
export type OwnWork = Pick<ProcessFigures, 'held_bytes' | 'spool_bytes' | 'lines_lost' | 'working'>;

type Dependencies = {
  db: Pick<Database, 'system'>;
  identity: ProcessIdentity;
  ownWork: () => Promise<OwnWork>;
  counts: Pick<ObjectiveCounts, 'flush'>;
  log: { warn(fields: object, message: string): void };
};

export type ProcessReports = { start(): void; stop(): Promise<void> };

export function createProcessReports(deps: Dependencies): ProcessReports {
  const { db, identity, log } = deps;
  const vitals = watchVitals();
  const loop = createWorkerLoop({
    async round() {
      await deps.counts.flush();
      const figures = { ...vitals.read(), ...(await deps.ownWork()) };
      await db.system((tx) => putReport(tx, { ...identity, figures }));
      return false;
    },
    restMs: () => REPORT_EVERY_MS,
    afterFailureMs: REPORT_EVERY_MS,
    log,
    failed: 'this process could not tell how it is',
  });
  return {
    start() {
      vitals.start();
      loop.start();
    },
    async stop() {
      await loop.stop();
      vitals.stop();
      try {
        await deps.counts.flush();
        await db.system((tx) => takeReport(tx, identity.id));
      } catch (error) {
        // A process often ends because its database is gone; then its row falls silent, which is what happened.
        log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the end could not be told');
      }
    },
  };
}

/** Of this process since it was read last. */
function watchVitals() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let [readAt, usage] = [performance.now(), process.cpuUsage()];
  return {
    start: () => delay.enable(),
    stop: () => delay.disable(),
    read(): Omit<ProcessFigures, keyof OwnWork> {
      const at = performance.now();
      const { user, system } = process.cpuUsage(usage);
      const cpu = (user + system) / 1_000 / Math.max(1, at - readAt);
      [readAt, usage] = [at, process.cpuUsage()];
      const p99 = delay.count === 0 ? RESOLUTION_MS : delay.percentile(99) / NANOSECONDS;
      delay.reset();
      return {
        memory_bytes: process.memoryUsage.rss(),
        cpu_percent: Math.round(cpu * 1_000) / 10,
        loop_delay_ms: Math.max(0, Math.round((p99 - RESOLUTION_MS) * 10) / 10),
      };
    },
  };
}
