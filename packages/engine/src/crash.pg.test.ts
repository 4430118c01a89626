import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { findRun, listRunSteps, listStalledRuns } from './reads.ts';
import { chain, crashChain, resolveCrashPlaybook } from './testing/crash-definitions.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
  await cluster.database.sql.query('create table public.effect (key text, name text)');
});
afterAll(() => cluster.drop());

/** Long enough to be kept on a busy machine; whoever takes over has a long one. */
const shortLease = { leaseMs: 1_500, heartbeatMs: 200 };
const finalStatus = async (runId: string) => {
  const run = await findRun(cluster.database.sql, { tenantId: testTenant, runId });
  return run?.finishedAt ? run.status : null;
};

async function untilFinal(runIds: readonly string[]): Promise<void> {
  for (const runId of runIds) while ((await finalStatus(runId)) === null) await sleep(20);
}

describe('a worker whose connections are cut', () => {
  async function crashDuring(action: string, when: 'before the mark' | 'after the mark') {
    const reached = createGate();
    const doomed = createTestEngine(cluster.open(), {
      async executeStep({ markCallStarted }) {
        if (when === 'after the mark') await markCallStarted();
        reached.open();
        await new Promise(() => undefined);
      },
      options: shortLease,
    });
    await doomed.engine.start();
    const runId = await doomed.start({ definition: chain(action, 'read') });
    await reached.opened;
    await doomed.database.sever();
    const calls: string[] = [];
    const heir = createTestEngine(cluster.open(), {
      async executeStep({ actionId, attempt, markCallStarted }) {
        await markCallStarted();
        calls.push(`${actionId}/${attempt}`);
      },
    });
    await heir.engine.start();
    await heir.monitor.finished(runId);
    await heir.engine.stop();
    await doomed.engine.stop().catch(() => undefined);
    const steps = await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId });
    return { calls, first: steps.find(({ actionId }) => actionId === 's0') };
  }

  it.each([
    ['read', 'after the mark'],
    ['put', 'after the mark'],
    ['change', 'before the mark'],
  ] as const)('has its "%s" step repeated by another one (%s)', async (action, when) => {
    const { calls, first } = await crashDuring(action, when);
    expect(first).toMatchObject({ status: 'success', attempt: 2 });
    expect(calls).toEqual(['s0/2', 's1/1']);
  });

  it('has a call that must not be repeated recorded as unknown, and never made again', async () => {
    const { calls, first } = await crashDuring('change', 'after the mark');
    expect(first).toMatchObject({ status: 'error', attempt: 1, error: { code: 'OUTCOME_UNKNOWN' } });
    expect(calls).toEqual(['s1/1']);
  });
});

describe('a worker that was paused past its lease', () => {
  it('may neither call out nor record its late result', async () => {
    const [reached, resume] = [createGate(), createGate()];
    const late: unknown[] = [];
    const paused = createTestEngine(cluster.open(), {
      async executeStep({ markCallStarted, signal }) {
        reached.open();
        await resume.opened;
        late.push(
          await markCallStarted().then(
            () => 'called',
            (error: { code: string }) => error.code,
          ),
          signal.aborted,
        );
        return { from: 'paused' };
      },
      options: { leaseMs: 200, heartbeatMs: 60_000, reapMs: 60_000 },
    });
    await paused.engine.start();
    const runId = await paused.start({ definition: chain('change') });
    await reached.opened;
    const heir = createTestEngine(cluster.open(), { executeStep: async () => ({ from: 'heir' }), options: shortLease });
    await heir.engine.start();
    await heir.monitor.finished(runId);
    resume.open();
    await paused.engine.stop();
    await heir.engine.stop();
    const [step] = await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId });
    expect(late[0]).toBe('LEASE_LOST');
    expect(step).toMatchObject({ status: 'success', output: { from: 'heir' }, attempt: 2 });
  });
});

describe('stopping gracefully', () => {
  it('hands unfinished steps to another worker at once, without waiting for the lease', async () => {
    const reached = createGate();
    const first = createTestEngine(cluster.open(), {
      executeStep: async ({ signal }) => {
        reached.open();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      options: { stopTimeoutMs: 50, leaseMs: 3_600_000 },
    });
    await first.engine.start();
    const runId = await first.start({ definition: chain('read') });
    await reached.opened;
    await first.engine.stop();
    const second = createTestEngine(cluster.open(), { options: { leaseMs: 3_600_000 } });
    await second.engine.start();
    await second.monitor.finished(runId);
    await second.engine.stop();
    expect(await finalStatus(runId)).toBe('success');
  });
});

/** One after the other, for each of four items and then once, and by a run the run starts: five calls each. */
const ofFiveCalls: readonly Definition[] = [
  crashChain,
  {
    inputs: { properties: { list: {} } },
    actions: [
      {
        id: 'each',
        kind: 'action',
        action: 'change',
        for_each: 'inputs.list',
        input: '{{ item }}',
        on_error: 'continue',
      },
      { id: 'last', kind: 'action', action: 'read', depends_on: ['each'], on_error: 'continue' },
    ],
    exec_options: { max_concurrent_actions: 2 },
  },
  { actions: [{ id: 'sub', kind: 'playbook', playbook_id: 'chain', on_error: 'continue' }] },
];

describe('kill -9 of worker processes under load', () => {
  const KILLS = 12;
  const childPath = fileURLToPath(new URL('./testing/crash-child.ts', import.meta.url));

  async function spawnWorker(): Promise<ChildProcess> {
    const env = { ...process.env, CRASH_DATABASE_URL: cluster.database.url };
    const child = spawn(process.execPath, ['--import', 'tsx', childPath], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (child.stdout) await once(child.stdout, 'data');
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  it('loses no acknowledged run and doubles no effect', async () => {
    const caller = createTestEngine(cluster.database, { resolvePlaybook: resolveCrashPlaybook });
    const acknowledged: string[] = [];
    const startSome = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const definition = ofFiveCalls[n % ofFiveCalls.length] ?? crashChain;
        acknowledged.push(await caller.start({ definition, inputs: { list: [1, 2, 3, 4] } }));
      }
    };
    let interrupted = 0;
    for (let n = 0; n < KILLS; n += 1) {
      const [child] = await Promise.all([spawnWorker(), startSome(25)]);
      await sleep(20 + Math.random() * 200);
      await kill(child);
      const { rows } = await cluster.database.sql.query(`select 1 from engine.job where state = 'leased' limit 1`);
      interrupted += rows.length;
    }
    const last = await spawnWorker();
    await untilFinal(acknowledged);
    await kill(last);

    const statuses = await Promise.all(acknowledged.map(finalStatus));
    expect(statuses).toEqual(acknowledged.map(() => 'success'));
    const { rows: doubled } = await cluster.database.sql.query(
      `select key from public.effect where name = 'change' group by key having count(*) > 1`,
    );
    expect(doubled).toEqual([]);
    const { rows } = await cluster.database.sql.query<{ success: number; unknown: number; other: number }>(
      `select count(*) filter (where s.status = 'success')::int as success,
         count(*) filter (where s.error->>'code' = 'OUTCOME_UNKNOWN')::int as unknown,
         count(*) filter (where s.status <> 'success' and s.error->>'code' is distinct from 'OUTCOME_UNKNOWN')::int as other
       from engine.step s join engine.run r on r.id = s.run_id
       where (r.id = any($1::uuid[]) or r.root_run_id = any($1::uuid[])) and s.kind = 'action' and s.iteration >= 0`,
      [acknowledged],
    );
    const counts = rows[0] ?? { success: 0, unknown: 0, other: 0 };
    expect(counts.success + counts.unknown).toBe(acknowledged.length * 5);
    expect(counts.other).toBe(0);
    expect(counts.success).toBeGreaterThan(acknowledged.length * 4);
    const { rows: effects } = await cluster.database.sql.query<{ count: number }>(
      `select count(distinct key)::int as count from public.effect`,
    );
    expect(effects[0]?.count).toBeGreaterThanOrEqual(counts.success);
    expect(interrupted).toBeGreaterThan(0);
    expect(await listStalledRuns(cluster.database.sql, 10)).toEqual([]);
  }, 300_000);
});
