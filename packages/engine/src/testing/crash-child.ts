/**
 * A worker process made to be killed and paused. It records every effect outside the engine, as a vendor's system would, in
 * a database that may be another one than the engine's. It waits for its database, at the start and later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveCrashPlaybook } from './crash-definitions.ts';
import { openTestDatabase } from './test-database.ts';
import { createTestEngine, shortLease } from './test-engine.ts';

const database = openTestDatabase(process.env.CRASH_DATABASE_URL ?? '');
const effects = openTestDatabase(process.env.CRASH_EFFECTS_URL ?? '', 2);
const lease = process.env.CRASH_LEASE_MS;
const { engine } = createTestEngine(database, {
  keepSession: database.keepSession,
  resolvePlaybook: resolveCrashPlaybook,
  async executeStep({ idempotencyKey, name, markCallStarted, input }) {
    await markCallStarted();
    await effects.sql.query('insert into public.effect (key, name) values ($1, $2)', [idempotencyKey, name]);
    await sleep(Math.random() * 5);
    return input;
  },
  options: {
    ...shortLease,
    ...(lease === undefined ? {} : { leaseMs: Number(lease) }),
    absentMs: 600,
    concurrency: 16,
  },
});
while (!(await answers())) await sleep(20);
await engine.start();
process.stdout.write('working\n');

function answers(): Promise<boolean> {
  return database.sql.query('select 1').then(
    () => true,
    () => false,
  );
}
