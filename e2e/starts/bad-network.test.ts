import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@airdeck/api-client/api-error';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clientAt, userOf } from '../src/api.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { statesOf } from './run-states.ts';
import { temporaryFolders } from './server-process.ts';
import { type Member, type SharedInstallation, startSharedInstallation } from './shared-installation.ts';
import { bodyOf, type Door, doorAt, offer } from './source-door.ts';
import { stepsPlaybook } from './steps-playbook.ts';

/** How long each of the faults lasts. */
const faultMs = process.env.AIRDECK_FULL === undefined ? 6_000 : 60_000;
/** How much longer on a machine too busy for anything to get through meanwhile. */
const LONGER_MS = 60_000;
const CUT_EVERY_MS = 400;
const PIECE_LATE_MS = 40;
const SENDERS = 3;
const LINES = 40;
const RUN_EVERY_MS = 250;

type Refusal = { status: number; retryAfter: string | null };
type Passed = { acknowledged: number; answered: number; runs: number };

/** Between one process with every role and both of its stores. */
describe.skipIf(process.platform !== 'linux')('a bad network to the stores', () => {
  const folders = temporaryFolders();
  let shared: SharedInstallation;
  let database: FaultProxy;
  let events: FaultProxy;
  let member: Member;
  let door: Door;

  beforeAll(async () => {
    shared = await startSharedInstallation(folders);
    const { DATABASE_URL = '', EVENTS_URL = '' } = shared.environment;
    [database, events] = await Promise.all([startFaultProxy(DATABASE_URL), startFaultProxy(EVENTS_URL)]);
    member = await shared.start('all', 'behind', { DATABASE_URL: database.url, EVENTS_URL: events.url });
    const { tenant, api } = admin();
    const { id, token } = await api.call('sources.create', {
      params: { tenant },
      body: { name: 'Trial', kind: 'ndjson' },
    });
    door = doorAt({ ...shared.demo, url: member.url }, { tenant, id, token });
  });
  afterAll(async () => {
    await shared?.stop();
    await Promise.all([database?.close(), events?.close()]);
    folders.remove();
  });

  function admin() {
    const user = userOf(shared.demo, 'Admin');
    return { tenant: user.tenant, api: clientAt(member.url, () => Promise.resolve(user.api_key)) };
  }

  it('cut, slow or silent: nothing acknowledged is missing or there twice, and each run ends', {
    timeout: 4 * faultMs + 480_000,
  }, async () => {
    const { tenant, api } = admin();
    const playbook = await stepsPlaybook(api, tenant, { name: 'Over a bad network', steps: 4, seconds: 0.05 });
    const ending = new AbortController();
    const refusals: Refusal[] = [];
    const unexpected: string[] = [];
    const runs: string[] = [];
    let acknowledged = 0;
    let answered = 0;

    /** As a shipper does: the same batch until it is taken, when it is told to. */
    async function ship(name: string): Promise<void> {
      for (let batch = 0; !ending.signal.aborted; batch++) {
        const body = bodyOf(`${name} ${batch}`, LINES);
        for (let answer = await offer(door, body); answer.status !== 202; answer = await offer(door, body)) {
          refusals.push(answer);
          await wait(Number(answer.retryAfter ?? 1) * 1_000);
        }
        acknowledged += LINES;
      }
    }

    /** The same call, with its key, until it is answered. */
    async function until<T>(call: () => Promise<T>): Promise<T> {
      for (;;) {
        try {
          return await call();
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          const isRefused = error.status === 503 || error.status === 429;
          if (!isRefused) unexpected.push(`${error.endpoint}: ${error.status} ${error.message}`);
          await wait((error.retryAfterS ?? 1) * 1_000);
        }
      }
    }

    async function start(): Promise<void> {
      for (let n = 0; !ending.signal.aborted; n++) {
        const body = { playbook_id: playbook, inputs: {} };
        const key = { idempotencyKey: `run ${n}` };
        const { playbook: started } = await until(() =>
          api.call('playbook-activity.start', { params: { tenant }, body, ...key }),
        );
        runs.push(started.workflow_instance_id);
        await wait(RUN_EVERY_MS);
      }
    }

    async function read(): Promise<void> {
      while (!ending.signal.aborted) {
        await until(() => api.call('cases.list', { params: { tenant }, query: {} }));
        answered++;
        await wait(50);
      }
    }

    const work = [...Array.from({ length: SENDERS }, (_, index) => ship(`sender ${index}`)), start(), read()];
    /** What goes through while the network is bad. */
    async function during(fault: (soFar: () => Passed) => Promise<void>): Promise<Passed> {
      const before = { acknowledged, answered, runs: runs.length };
      const soFar = () => ({
        acknowledged: acknowledged - before.acknowledged,
        answered: answered - before.answered,
        runs: runs.length - before.runs,
      });
      await fault(soFar);
      const passed = soFar();
      for (const network of [database, events]) network.heal();
      // It goes on by itself, in every respect.
      const goesOn = () => {
        const now = soFar();
        return now.acknowledged > passed.acknowledged && now.answered > passed.answered && now.runs > passed.runs;
      };
      await expect.poll(goesOn, { timeout: 60_000 }).toBe(true);
      return passed;
    }

    await expect.poll(() => acknowledged > LINES && answered > 0 && runs.length > 0, { timeout: 30_000 }).toBe(true);
    let cuts = 0;
    await during(async (soFar) => {
      const isEnough = () => cuts > 20 && Object.values(soFar()).some((count) => count > 0);
      const begun = performance.now();
      const isOver = () => performance.now() - begun > (isEnough() ? faultMs : faultMs + LONGER_MS);
      for (; !isOver(); await wait(CUT_EVERY_MS)) cuts += database.cut() + events.cut();
      expect({ cuts, ...soFar() }).toSatisfy(isEnough);
    });
    await during(async (soFar) => {
      for (const network of [database, events]) network.delay(PIECE_LATE_MS);
      await wait(faultMs);
      // A start takes some forty pieces; how many there are in that time is no matter.
      const least = () => Math.min(soFar().acknowledged, soFar().answered);
      await expect.poll(least, { timeout: LONGER_MS }).toBeGreaterThan(0);
    });
    const silent = await during(async () => {
      for (const network of [database, events]) network.hold();
      await wait(faultMs);
    });
    // What was on its way may have been answered before the silence.
    expect(silent.acknowledged).toBeLessThanOrEqual(SENDERS * LINES);

    ending.abort();
    await Promise.all(work);
    expect(unexpected).toEqual([]);
    expect(refusals.filter(({ status, retryAfter }) => status !== 503 || !(Number(retryAfter) > 0))).toEqual([]);
    expect(await door.found()).toEqual({ events: acknowledged, different: acknowledged });
    expect(new Set(runs).size).toBe(runs.length);
    await expect.poll(() => statesOf(api, tenant, runs), { timeout: 60_000, interval: 1_000 }).toEqual(['success']);
    const started = await api.call('playbook-activity.list', {
      params: { tenant },
      query: { playbook_id: playbook, limit: 100 },
    });
    expect(started).toHaveLength(Math.min(100, runs.length));
  });
});
