/**
 * A worker process made to be paused in the middle of a step. A step's input says where it waits for the word `go`: `before`
 * or `after` its call goes out. It never extends a lease and takes none back, so that only the fence can stop it.
 */
import { createInterface } from 'node:readline';
import { openTestDatabase } from './test-database.ts';
import { createGate, createTestEngine, shortLease } from './test-engine.ts';

const database = openTestDatabase(process.env.CRASH_DATABASE_URL ?? '');
const say = (line: string) => process.stdout.write(`${line}\n`);
const [go, stop] = [createGate(), createGate()];
const words = createInterface({ input: process.stdin }).on('line', (line) => (line === 'go' ? go : stop).open());

const { engine } = createTestEngine(database, {
  async executeStep({ idempotencyKey, markCallStarted, input }) {
    if (input === 'before') await waitHere();
    await markCallStarted().catch((error: { code: string }) => {
      say(`refused ${error.code}`);
      throw error;
    });
    await database.sql.query('insert into public.effect (key, worker) values ($1, $2)', [idempotencyKey, 'paused']);
    if (input === 'after') await waitHere();
    return 'paused';
  },
  options: { ...shortLease, heartbeatMs: 3_600_000, reapMs: 3_600_000 },
});

async function waitHere(): Promise<void> {
  say('reached');
  await go.opened;
}

await engine.start();
say('working');
await stop.opened;
await engine.stop();
await database.close();
words.close();
