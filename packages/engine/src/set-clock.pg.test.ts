/** The clock of the database's machine is set by an hour while two workers hold steps, and one run waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { listRunSteps } from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, shortLease, silentLog, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

const CALLS = 6;
const WAIT_S = 3;
const clusters: TestCluster[] = [];
let cluster: TestCluster;

beforeEach(async () => {
  cluster = await createTestDatabase(testServerUrl());
  clusters.push(cluster);
  // Whoever connects from now on and asks for the time is told what is set here.
  await cluster.database.sql.query(`
    create schema moved;
    create table moved.clock (hours integer);
    insert into moved.clock values (0);
    create function moved.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + (select hours from moved.clock) * interval ''1 hour''';
    do $$ begin execute format('alter database %I set search_path = moved, pg_catalog, public', current_database()); end $$`);
});
afterAll(() => Promise.all(clusters.map((each) => each.drop())));

const setClock = (hours: number) => cluster.database.sql.query('update moved.clock set hours = $1', [hours]);

it.each([1, -1])(
  'by %i: no call is made twice, and a wait is as long as it was',
  { timeout: 60_000 },
  async (hours) => {
    const gate = createGate();
    let calls = 0;
    let told = 0;
    const executeStep = async () => {
      calls += 1;
      await gate.opened;
      return {};
    };
    const warn = (_: object, message: string) => {
      if (message === 'the clock of the database was set') told += 1;
    };
    const log = { ...silentLog, warn };
    const options = { ...shortLease, concurrency: CALLS };
    const workers = [0, 1].map(() => createTestEngine(cluster.open(), { executeStep, log, options }));
    const [caller] = workers;
    if (caller === undefined) throw new Error('There is no worker.');
    for (const { engine } of workers) await engine.start();
    onTestFinished(async () => {
      gate.open();
      for (const { engine } of workers) await engine.stop();
    });
    const runs: string[] = [];
    for (let n = 0; n < CALLS; n += 1) {
      runs.push(await caller.start({ definition: { actions: [{ id: 'a', kind: 'action', action: 'put' }] } }));
    }
    await expect.poll(() => calls).toBe(CALLS);
    const waitFrom = performance.now();
    const waiting = await caller.start({ definition: { actions: [{ id: 'w', kind: 'delay', seconds: WAIT_S }] } });

    await setClock(hours);
    // Twice as long as a lease.
    await sleep(shortLease.leaseMs * 2);
    expect(calls).toBe(CALLS);
    gate.open();

    const stateOf = async (runId: string) =>
      (await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId })).map(({ status }) => status).join();
    for (const run of runs) await expect.poll(() => stateOf(run)).toBe('success');
    await expect.poll(() => stateOf(waiting), { timeout: 30_000, interval: 20 }).toBe('success');
    // By a fifth shorter at most, as the time makes up for what was set.
    expect(performance.now() - waitFrom).toBeGreaterThan(WAIT_S * 800);
    expect([calls, told]).toEqual([CALLS, 1]);
  },
);
