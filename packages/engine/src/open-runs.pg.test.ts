import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine, type TestEngine, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

const otherTenant = '0190a000-0000-7000-8000-000000000002';
const ask: Definition = {
  actions: [{ id: 'ask', kind: 'prompt', message: 'Go on?', options: [{ value: 'yes', label: 'Yes' }] }],
};

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
beforeEach(() => cluster.database.sql.query('delete from engine.run'));

const processOf = (maxOpenRuns: number) => createTestEngine(cluster.database, { options: { maxOpenRuns } });
const start = (process: TestEngine, more: { tenantId?: string; dedupKey?: string } = {}) =>
  process.start({ definition: ask, ...more });
const refused = { code: 'TOO_MANY_OPEN_RUNS' };

describe('a tenant with as many unfinished runs as it may have', () => {
  it('starts no more in any process, until one has ended; another tenant does', async () => {
    const [one, two] = [processOf(3), processOf(3)];
    const first = await start(one);
    await start(two);
    await start(one);
    await expect(start(one)).rejects.toMatchObject(refused);
    await expect(start(two)).rejects.toMatchObject(refused);
    await start(one, { tenantId: otherTenant });
    const ended = { tenantId: testTenant, runId: first, by: 'Ada' };
    await cluster.database.pool.transaction((tx) => two.engine.cancelRun(tx, ended));
    await start(one);
    await expect(start(two)).rejects.toMatchObject(refused);
  });

  it('is still told what an earlier start with the same key has started', async () => {
    const process = processOf(1);
    const runId = await start(process, { dedupKey: 'once' });
    expect(await start(process, { dedupKey: 'once' })).toBe(runId);
    await expect(start(process, { dedupKey: 'again' })).rejects.toMatchObject(refused);
  });

  it('may not try an ended run again', async () => {
    const process = processOf(1);
    const runId = await start(process);
    const which = { tenantId: testTenant, runId };
    await cluster.database.pool.transaction((tx) => process.engine.cancelRun(tx, { ...which, by: 'Ada' }));
    await start(process);
    const again = cluster.database.pool.transaction((tx) =>
      process.engine.startRun(tx, { tenantId: testTenant, reuse: { runId } }),
    );
    await expect(again).rejects.toMatchObject(refused);
  });

  it('goes over by a hundredth for each process at most, where starts do not count every time', async () => {
    const processes = [processOf(200), processOf(200)];
    let begun = 0;
    for (const process of processes) {
      // Both have counted before the other one starts.
      await start(process);
      begun++;
    }
    for (const process of processes) {
      for (let left = 400; left > 0; left--) {
        const went = await start(process).then(
          () => true,
          () => false,
        );
        if (!went) break;
        begun++;
      }
    }
    expect(begun).toBeGreaterThanOrEqual(200);
    expect(begun).toBeLessThanOrEqual(204);
  });
});

it('what a run starts is not refused: what was accepted can end', async () => {
  const process = createTestEngine(cluster.database, {
    options: { maxOpenRuns: 1 },
    resolvePlaybook: async () => ({ definition: ask, traits: {}, name: 'inner' }),
  });
  await process.start({ definition: { actions: [{ id: 'inner', kind: 'playbook', playbook_id: 'inner' }] } });
  const { rows } = await cluster.database.sql.query<{ depth: number }>('select depth from engine.run order by depth');
  expect(rows.map(({ depth }) => depth)).toEqual([0, 1]);
});
