/**
 * A worker on the product's own database: its roles and row-level security, audit, live stream. It is made to be killed, and
 * records every effect in a database that is not. It waits for its database, at the start and later.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveCrashPlaybook } from '@airdeck/engine/testing/crash-definitions';
import { openTestDatabase } from '@airdeck/engine/testing/test-database';
import { shortLease, silentLog } from '@airdeck/engine/testing/test-engine';
import { createComposedEngine } from '../../../bench/composed-engine.ts';

const effects = openTestDatabase(process.env.CRASH_EFFECTS_URL ?? '', 2);
const { engine, db } = createComposedEngine(process.env.CRASH_DATABASE_URL ?? '', {
  // A database that is away is what it is to see.
  log: silentLog,
  resolvePlaybook: resolveCrashPlaybook,
  async executeStep({ idempotencyKey, name, markCallStarted, input }) {
    await markCallStarted();
    await effects.sql.query('insert into public.effect (key, name) values ($1, $2)', [idempotencyKey, name]);
    await sleep(Math.random() * 5);
    return input;
  },
  options: { ...shortLease, absentMs: 600, pollMs: 20, reapMs: 20, concurrency: 16 },
});
while (!(await answers())) await sleep(20);
await engine.start();
process.stdout.write('working\n');

function answers(): Promise<boolean> {
  return db.ready().then(
    () => true,
    () => false,
  );
}
