import type { Database } from '../../storage/database.ts';
import type { LineLosses } from '../sources/line-losses.ts';

const REPORT_EVERY_MS = 10_000;

/** Writes down how many lines this process lost at its syslog doors, where people see it beside their sources. */
export function startLossReports(deps: {
  db: Pick<Database, 'system'>;
  losses: Pick<LineLosses, 'add'>;
  /** Lost since the start. */
  lost: () => Promise<number>;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
}): { stop(): Promise<void> } {
  const { db, losses, log, now } = deps;
  let reported = 0;
  let running = Promise.resolve();

  async function report(): Promise<void> {
    const lost = await deps.lost();
    const lines = lost - reported;
    if (lines <= 0) return;
    await db.system((tx) => losses.add(tx, { lines, at: now() }));
    reported = lost;
  }

  function next(): Promise<void> {
    running = running.then(report).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'lost syslog lines could not be written down');
    });
    return running;
  }

  const timer = setInterval(() => void next(), REPORT_EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await next();
    },
  };
}
