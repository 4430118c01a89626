import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { createOldRuns } from './old-runs.ts';

const DAY_MS = 86_400_000;
/** The real one: the server looks for old runs by itself. */
const NOW = new Date();
const PLAYBOOK = '018f0000-0000-7000-9000-000000000001';
const FAMILIES = 250;

let server: TestServer;
let tenant: string;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  await server.stores.database.system(async (tx) => {
    await sql`insert into engine.definition (tenant_id, hash, body, traits) values (${tenant}, 'h', '{}', '{}')`.execute(
      tx,
    );
    await sql`insert into playbook (id, tenant_id, version, definition) values (${PLAYBOOK}, ${tenant}, 1, '{}')`.execute(
      tx,
    );
  });
});
afterAll(() => server?.close());

/** Runs that ended so many days ago, two days after they were made, each with a step. Their ids begin with the time, as all do. */
async function addRuns(days: number, count: number): Promise<void> {
  const ended = new Date(NOW.getTime() - days * DAY_MS);
  const made = new Date(ended.getTime() - 2 * DAY_MS);
  const time = made.getTime().toString(16).padStart(12, '0');
  const id = sql`(${`${time.slice(0, 8)}-${time.slice(8)}-7000-8000-`}::text || lpad(to_hex(n), 12, '0'))::uuid`;
  const each = sql`from generate_series(1, ${count}::int) n`;
  await server.stores.database.system(async (tx) => {
    await sql`
      insert into engine.run (id, tenant_id, kind, name, definition_hash, status, inputs, priority, dry_run, created_at, updated_at, finished_at)
      select ${id}, ${tenant}::uuid, 'playbook', 'Block it', 'h', 'success', '{}', 0, false, ${made}, ${ended}, ${ended} ${each}`.execute(
      tx,
    );
    await sql`
      insert into engine.step (id, run_id, tenant_id, action_id, iteration, kind, name, status, attempt, failures, idempotent, created_at, finished_at)
      select ${id}, ${id}, ${tenant}::uuid, 'ask', 0, 'prompt', 'Ask', 'success', 1, 0, true, ${made}, ${ended} ${each}`.execute(
      tx,
    );
    await sql`
      insert into playbook_run (tenant_id, run_id, playbook_id, version, dry_run)
      select ${tenant}::uuid, ${id}, ${PLAYBOOK}::uuid, 1, false ${each}`.execute(tx);
  });
}

async function counts() {
  const { rows } = await server.stores.database.system((tx) =>
    sql<{ runs: number; steps: number; of_playbooks: number }>`
      select (select count(*)::int from engine.run) as runs, (select count(*)::int from engine.step) as steps,
        (select count(*)::int from playbook_run) as of_playbooks`.execute(tx),
  );
  return rows[0];
}

test('runs end with their time, however many there are', async () => {
  const { database } = server.stores;
  const { enginePool } = server.composition.work;
  await addRuns(401, FAMILIES);
  await addRuns(399, 3);
  const old = createOldRuns({ db: database, enginePool, now: () => NOW, keptDays: 400 });
  await old.forget();
  expect(await counts()).toEqual({ runs: 3, steps: 3, of_playbooks: 3 });
  await old.forget();
  expect(await counts()).toEqual({ runs: 3, steps: 3, of_playbooks: 3 });
});

test('whoever forgets them stops between two batches when told to, and goes on the next time', async () => {
  const { database } = server.stores;
  const { enginePool } = server.composition.work;
  const kept = (await counts())?.runs ?? 0;
  await addRuns(402, FAMILIES);
  const stop = new AbortController();
  const old = createOldRuns({
    db: {
      async system(work) {
        const done = await database.system(work);
        if ((await counts())?.runs !== kept + FAMILIES) stop.abort();
        return done;
      },
    },
    ...{ enginePool, now: () => NOW, keptDays: 400 },
  });
  await old.forget(stop.signal);
  expect((await counts())?.runs).toBe(kept + FAMILIES - 100);
  await old.forget(stop.signal);
  expect((await counts())?.runs).toBe(kept + FAMILIES - 100);
  await old.forget();
  expect((await counts())?.runs).toBe(kept);
});
