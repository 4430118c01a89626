/** A worker process made to be killed. It records every effect outside the engine, as a vendor's system would. */
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveCrashPlaybook } from './crash-definitions.ts';
import { openTestDatabase } from './test-database.ts';
import { createTestEngine } from './test-engine.ts';

const database = openTestDatabase(process.env.CRASH_DATABASE_URL ?? '');
const effects = openTestDatabase(process.env.CRASH_DATABASE_URL ?? '', 2);
const { engine } = createTestEngine(database, {
  resolvePlaybook: resolveCrashPlaybook,
  async executeStep({ idempotencyKey, name, markCallStarted, input }) {
    await markCallStarted();
    await effects.sql.query('insert into public.effect (key, name) values ($1, $2)', [idempotencyKey, name]);
    await sleep(Math.random() * 5);
    return input;
  },
  options: { leaseMs: 600, heartbeatMs: 150, concurrency: 16 },
});
await engine.start();
process.stdout.write('working\n');
