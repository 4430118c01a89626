import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import type { ResolvePlaybook } from './interfaces.ts';
import { deleteDeadJobs, deleteOldRuns } from './old-runs.ts';
import { listOpenPrompts, listRuns } from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine, type TestEngine, testTenant, testTraits } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

const AFTER_ALL = 'ffffffff-0000-7000-8000-000000000000';
const tomorrow = () => new Date(Date.now() + 86_400_000);

const read: ActionNode = { id: 'a', kind: 'action', action: 'read' } as ActionNode;
const short: Definition = { actions: [read] };
const asks: Definition = {
  actions: [{ id: 'ask', kind: 'prompt', message: 'Go?', options: [{ value: 'yes', label: 'Yes' }] } as ActionNode],
};
const starts: Definition = {
  actions: [
    { id: 'one', kind: 'playbook', playbook_id: 'short' } as ActionNode,
    { id: 'two', kind: 'playbook', playbook_id: 'short' } as ActionNode,
  ],
};
const resolvePlaybook: ResolvePlaybook = async () => ({ definition: short, traits: testTraits, name: 'short' });

let cluster: TestCluster;
let made: TestEngine;
const db = () => cluster.database.sql;
const transaction: TestCluster['database']['pool']['transaction'] = (work) => cluster.database.pool.transaction(work);
const kept = async () => (await listRuns(db(), { tenantId: testTenant, limit: 100 })).map(({ id }) => id);
const count = async (table: 'step' | 'prompt' | 'job') =>
  (await db().query<{ rows: number }>(`select count(*)::int as rows from engine.${table}`)).rows[0]?.rows;

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
  made = createTestEngine(cluster.database, { resolvePlaybook, executeStep: async () => ({}) });
  await made.engine.start();
});
afterAll(async () => {
  await made?.engine.stop();
  await cluster?.drop();
});
afterEach(async () => {
  await db().query('delete from engine.run');
  await db().query('delete from engine.job');
});

async function finished(definition: Definition): Promise<string> {
  const id = await made.start({ definition });
  await made.monitor.finished(id);
  return id;
}

describe('old runs', () => {
  it('go with all that they started, and with their steps; others stay as they are', async () => {
    const old = await finished(starts);
    const family = await kept();
    expect(family).toHaveLength(3);
    const boundary = (await db().query<{ at: Date }>('select clock_timestamp() as at')).rows[0]?.at as Date;
    const later = await finished(short);
    const waiting = await made.start({ definition: asks });
    await expect.poll(async () => (await listOpenPrompts(db(), { tenantId: testTenant, limit: 10 })).length).toBe(1);

    const gone = await transaction((tx) =>
      deleteOldRuns(tx, { endedBefore: boundary, firstIdAfter: AFTER_ALL, limit: 10 }),
    );
    expect(gone.families).toBe(1);
    expect(gone.runs.map(({ runId }) => runId).toSorted()).toEqual(family.toSorted());
    expect(gone.runs.every(({ tenantId }) => tenantId === testTenant)).toBe(true);
    expect(gone.runs.map(({ runId }) => runId)).toContain(old);
    expect(await kept()).toEqual([waiting, later]);
    expect(await count('step')).toBe(2);
    expect(await count('prompt')).toBe(1);
  });

  it('go by batches of families, the oldest first', async () => {
    const first = await finished(starts);
    const second = await finished(short);
    const batch = { endedBefore: tomorrow(), firstIdAfter: AFTER_ALL, limit: 1 };
    const gone = await transaction((tx) => deleteOldRuns(tx, batch));
    expect(gone.runs.map(({ runId }) => runId)).toContain(first);
    expect(await kept()).toEqual([second]);
    expect((await transaction((tx) => deleteOldRuns(tx, batch))).families).toBe(1);
    expect(await transaction((tx) => deleteOldRuns(tx, batch))).toEqual({ families: 0, runs: [] });
  });

  it('stay while anything of their family has not ended, or ended later', async () => {
    await finished(starts);
    const [child] = await kept();
    await db().query('update engine.run set finished_at = $2 where id = $1', [child, tomorrow()]);
    const batch = { endedBefore: new Date(Date.now() + 60_000), firstIdAfter: AFTER_ALL, limit: 10 };
    expect((await transaction((tx) => deleteOldRuns(tx, batch))).runs).toEqual([]);
    await db().query(`update engine.run set finished_at = null, status = 'waiting' where id = $1`, [child]);
    expect((await transaction((tx) => deleteOldRuns(tx, batch))).runs).toEqual([]);
    expect(await kept()).toHaveLength(3);
  });

  it('are not looked for among those that were made later', async () => {
    const id = await finished(short);
    const gone = await transaction((tx) => deleteOldRuns(tx, { endedBefore: tomorrow(), firstIdAfter: id, limit: 10 }));
    expect(gone.runs).toEqual([]);
  });
});

it('jobs that were given up on go by their age, those that wait do not', async () => {
  await db().query(
    `insert into engine.job (id, tenant_id, kind, priority, state, available_at, attempt, max_attempts, backoff_ms, lease_token, created_at)
     select gen_random_uuid(), $1, 'x', 0, state, now() + interval '1 day', 0, 1, 0, 0, now() - age
     from (values ('dead', interval '3 days'), ('dead', interval '1 hour'), ('scheduled', interval '3 days')) v(state, age)`,
    [testTenant],
  );
  const before = new Date(Date.now() - 2 * 86_400_000);
  expect(await transaction((tx) => deleteDeadJobs(tx, { before, limit: 10 }))).toBe(1);
  expect(await count('job')).toBe(2);
});
