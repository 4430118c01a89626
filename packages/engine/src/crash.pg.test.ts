import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRun, listRunSteps } from './reads.ts';
import { chain } from './testing/crash-definitions.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, shortLease, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());

const finalStatus = async (runId: string) => {
  const run = await findRun(cluster.database.sql, { tenantId: testTenant, runId });
  return run?.finishedAt ? run.status : null;
};

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
