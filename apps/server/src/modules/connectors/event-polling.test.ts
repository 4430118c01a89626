import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectorDefinition, FetchPage } from '@airdeck/connector-kit/definition';
import { createEgress, type GuardedEgress } from '@airdeck/connector-kit/egress';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { createSecretVault } from '@airdeck/connector-kit/secrets';
import { jsonObjectOf, throwForStatus } from '@airdeck/connector-kit/vendor-answer';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { fittingPage } from '@airdeck/connectors/fitting-page';
import type { ConnectorPatch } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { EnqueueJobInput, JobContext } from '@airdeck/engine/interfaces';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../http/app-error.ts';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createConnectorSources } from '../sources/connector-sources.ts';
import { createConnectionTester } from './connection-tester.ts';
import { connectorHealth } from './connector-health.ts';
import { createConnectorSecrets } from './connector-secrets.ts';
import { createConnectorSettings } from './connector-settings.ts';
import { createConnectorWork } from './connector-work.ts';
import { workOf } from './connector-work-repository.ts';
import { createPolling } from './event-polling.ts';

/** A vendor's log over HTTP: numbered entries, read by `after` in pages. */
const vendor = {
  lookbacks: [] as number[],
  entries: 0,
  pageSize: 100,
  failing: false,
  calls: 0,
  stuck: false,
  withoutPart: false,
  withoutMetrics: false,
  silent: false,
  /** Numbers of entries with more than ten megabytes. */
  huge: [] as number[],
};
const KEY = 'feed-key-for-tests';

const feed: ConnectorDefinition = {
  definition_id: 'feed',
  vendor: 'Feed',
  product: 'Feed',
  version: '1',
  name: 'Feed',
  description: 'A log in pages.',
  visible: true,
  category: 'generic',
  config_schema: {
    type: 'object',
    required: ['base_url', 'token'],
    additionalProperties: false,
    properties: {
      base_url: { type: 'string', destination: true },
      token: { type: 'string', secret: true },
    },
  },
  event_options_schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      event_type: { type: 'string', maxLength: 50 },
      filter: { type: 'string', maxLength: 50 },
      lookback_hours: { type: 'integer' },
    },
  },
  metric_options_schema: { type: 'object' },
  capabilities: ['test_connection', 'fetch_events', 'fetch_metrics'],
  actions: [],
  async testConnection() {
    if (vendor.failing) throw new VendorError('VENDOR_UNAVAILABLE', 'Nobody there.');
    return { message: 'Fine.', metadata: {} };
  },
  async fetchEvents(context): Promise<FetchPage> {
    const { config, cursor, options } = context;
    if (cursor === null) vendor.lookbacks.push(Number(options.lookback_hours));
    const after = typeof cursor?.after === 'number' ? cursor.after : 0;
    const headers = { authorization: String(config.token) };
    const { page, isOutline } = await fittingPage(context, {
      pageSize: vendor.pageSize,
      async ask({ tenant, egress: own, signal }, limit) {
        const url = `${config.base_url}/log?after=${after}&limit=${limit}`;
        const answer = await own.request({ tenant, signal, headers, method: 'GET', url });
        throwForStatus('Feed', answer, undefined);
        return jsonObjectOf('Feed', answer) as { records: { n: number }[]; more: boolean };
      },
      count: ({ records }) => records.length,
    });
    const { records, more } = page;
    const failure = new VendorError('VENDOR_PERMISSION_MISSING', `Audit: refused, ${String(config.token)}`);
    const next = { cursor: { after: records.at(-1)?.n ?? after }, hasMore: more };
    const taken = isOutline ? { records: [], leftOut: records.length } : { records };
    return { ...taken, ...next, ...(vendor.withoutPart ? { failure } : {}) };
  },
  async fetchMetrics({ config }) {
    if (vendor.failing) throw new VendorError('VENDOR_UNAVAILABLE', 'Metrics: nobody there.');
    if (vendor.withoutMetrics) throw new VendorError('VENDOR_PERMISSION_MISSING', 'Metrics: refused.');
    return { throughput: 12, echoed: `token ${String(config.token)}` };
  },
};

let server: TestServer;
let http: Server;
let egress: GuardedEgress;
let baseUrl: string;
let scope: TenantScope;
let connectorId: string;

beforeAll(async () => {
  http = createServer((request, response) => {
    vendor.calls++;
    const asked = new URL(request.url ?? '/', 'http://x').searchParams;
    const after = Number(asked.get('after'));
    response.setHeader('content-type', 'application/json');
    if (vendor.silent) return undefined;
    if (vendor.failing) return response.writeHead(503).end(`{"message":"down, ${request.headers.authorization}"}`);
    const from = vendor.stuck ? 0 : after;
    const numbers = Array.from(
      { length: Math.max(0, Math.min(Number(asked.get('limit')), vendor.entries - from)) },
      (_, i) => from + i + 1,
    );
    const records = vendor.stuck
      ? []
      : numbers.map((n) => ({
          n,
          message: vendor.huge.includes(n) ? 'x'.repeat(11 * 1_048_576) : `entry ${n} \u0000`,
          user: 'ann',
        }));
    return response.end(JSON.stringify({ records, more: vendor.stuck || from + numbers.length < vendor.entries }));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  baseUrl = `http://127.0.0.1:${port}`;
  egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }] });
  server = await createTestServer();
});
afterAll(async () => {
  await server.close();
  await egress.close();
  http.close();
});

type Polling = Parameters<typeof createPolling>[0];

/** The pieces as composed, on a registry that has the feed; `ingest` may be made to fail, and `open` to take its time. */
function compose(parts: { ingest?: Polling['ingest']; open?: Polling['work']['open'] } = {}) {
  const db = server.stores.database;
  const registry = createRegistry([feed]);
  const secrets = createConnectorSecrets({ vault: createSecretVault({ keys, now }), audit: server.composition.audit });
  const jobs: EnqueueJobInput[] = [];
  const common = { db, registry, secrets, now, ids: v7, random: () => 0.5, changes: server.composition.changes };
  const tester = createConnectionTester({ egress, now });
  const work = createConnectorWork({ ...common, tester, enqueue: async (_tx, job) => jobs.push(job) });
  const ingest = parts.ingest ?? server.composition.work.ingestion.accept;
  const sources = createConnectorSources({ db, ids: v7, now, randomBytes: (size) => Buffer.alloc(size, v7()) });
  const polling = createPolling({
    db,
    work: { ...work, open: parts.open ?? work.open },
    sources,
    ingest,
    egress,
    ids: v7,
    now,
    random: () => 0.5,
  });
  const settings = createConnectorSettings({ ...common, work, audit: server.composition.audit });
  return { work, polling, settings, jobs };
}

let clock: Date;
const now = () => clock;
const key = { id: 'test', key: new Uint8Array(32).fill(7) };
const keys = { current: async () => key, get: async () => key };
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

beforeEach(async () => {
  clock = new Date('2026-11-20T12:00:00.000Z');
  Object.assign(vendor, { entries: 0, pageSize: 100, failing: false, calls: 0 });
  Object.assign(vendor, { lookbacks: [], stuck: false, withoutPart: false, withoutMetrics: false });
  Object.assign(vendor, { silent: false, huge: [] });
  scope = trustedTenantScope(await server.createTenant());
  const input = {
    definition_id: 'feed',
    name: 'Feed',
    enabled: true,
    config: { base_url: baseUrl, token: KEY },
    ...{ events_enabled: true, events_options: { event_type: 'entry' }, metrics_enabled: true, metrics_options: {} },
  };
  connectorId = v7();
  await inTenant((tx) => compose().settings.create(tx, scope, { id: connectorId, input }, by));
});

const inTenant = <T>(work: Parameters<typeof server.stores.database.tenant<T>>[1]) =>
  server.stores.database.tenant(scope.tenantId, work);

function job(more: Partial<JobContext> = {}): JobContext {
  const payload = { connector_id: connectorId };
  const signal = new AbortController().signal;
  const completeIn = async () => undefined;
  return {
    jobId: v7(),
    tenantId: scope.tenantId,
    kind: 'connectors.events',
    payload,
    attempt: 1,
    signal,
    completeIn,
    ...more,
  };
}

const poll = (parts?: Parameters<typeof compose>[0]) => compose(parts).polling.eventsJob.run(job());

async function stored(): Promise<{ n: number[]; sample: Record<string, unknown> | undefined }> {
  const rows = await server.stores.events.query<{
    raw: string;
    integration: string;
    event_type: string;
    connector_id: string;
  }>({
    tenant: scope.tenantId,
    sql: 'select raw, integration, event_type, connector_id from events where tenant = {tenant:UUID}',
    params: {},
  });
  const numbers = rows.map(({ raw }) => Number(/"n":(\d+)/.exec(raw)?.[1]));
  return { n: numbers.sort((a, b) => a - b), sample: rows[0] };
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

async function health() {
  return await inTenant(async (tx) =>
    connectorHealth(tx, scope, await compose().settings.get(tx, scope, connectorId), now()),
  );
}

describe('fetching events', () => {
  test('takes every page through the one ingestion path, once, as events of the connector', async () => {
    vendor.entries = 250;
    await poll();
    await poll();
    expect((await stored()).n).toEqual(upTo(250));
    expect((await stored()).sample).toMatchObject({
      integration: 'feed',
      event_type: 'entry',
      connector_id: connectorId,
    });
    vendor.entries = 251;
    await poll();
    expect((await stored()).n).toEqual(upTo(251));
    const { fetches, schedule, last_event_at } = await health();
    expect(fetches.map(({ records, status }) => [records, status])).toEqual([
      [1, 'success'],
      [250, 'success'],
    ]);
    expect(schedule.events.next_at).toBe('2026-11-20T12:00:57.000Z');
    expect(last_event_at).not.toBeNull();
    const listed = await inTenant((tx) => server.composition.work.sources.list(tx, scope));
    expect(listed).toEqual([]);
    const [summary] = await inTenant((tx) => compose().settings.list(tx, scope));
    expect(summary).toMatchObject({ state: 'active', last_successful_connection: clock.toISOString() });
  });

  test('neither loses nor doubles when the process dies between any two steps, even if the vendor has more by then', async () => {
    vendor.entries = 60;
    const accept = server.composition.work.ingestion.accept;
    const died = () => Promise.reject(new Error('the process is gone'));
    // Before the page was ingested.
    await poll({ ingest: died });
    expect((await stored()).n).toEqual([]);
    vendor.entries = 90;
    // After it was ingested, before the cursor moved.
    await poll({
      ingest: async (delivery) => {
        await accept(delivery);
        return await died();
      },
    });
    expect((await stored()).n).toEqual(upTo(60));
    vendor.entries = 95;
    await poll();
    expect((await stored()).n).toEqual(upTo(95));
  });

  test('does not lose a page that was kept when the options are changed before it was ingested', async () => {
    vendor.entries = 60;
    await poll({ ingest: () => Promise.reject(new Error('the process is gone')) });
    const patch = { events_options: { event_type: 'other' } };
    await inTenant((tx) => compose().settings.update(tx, scope, { id: connectorId, patch }, by));
    // The vendor has them no more.
    vendor.entries = 0;
    await poll();
    expect((await stored()).n).toEqual(upTo(60));
    await poll();
    expect((await stored()).n).toEqual(upTo(60));
  });

  const change = (events_options: JsonObject) =>
    inTenant((tx) => compose().settings.update(tx, scope, { id: connectorId, patch: { events_options } }, by));

  test('goes on where it was when options change that say nothing of which events, there and back', async () => {
    const options = [{ event_type: 'other' }, { event_type: 'other', lookback_hours: 720 }, { event_type: 'entry' }];
    vendor.entries = 60;
    await poll();
    for (const [index, next] of options.entries()) {
      clock = new Date(clock.getTime() + 60_000);
      await change(next);
      vendor.entries = 70 + 10 * index;
      await poll();
      expect((await stored()).n).toEqual(upTo(vendor.entries));
    }
    expect(vendor.lookbacks).toHaveLength(1);
  });

  test('begins at the last fetch when other events are chosen, not as far back as a new connector', async () => {
    await change({ lookback_hours: 720 });
    vendor.entries = 10;
    await poll();
    clock = new Date(clock.getTime() + 30 * 60_000);
    await change({ lookback_hours: 720, filter: 'user eq "ann"' });
    await poll();
    expect(vendor.lookbacks).toEqual([720, expect.closeTo(45 / 60)]);
    // Nothing was fetched from there yet.
    const patch = { config: { base_url: baseUrl.replace('127.0.0.1', 'localhost'), token: KEY } };
    await inTenant((tx) => compose().settings.update(tx, scope, { id: connectorId, patch }, by));
    await poll();
    expect(vendor.lookbacks.at(-1)).toBe(720);
  });

  test('looks back as a new connector where the choice of before had not caught up', async () => {
    await change({ lookback_hours: 720 });
    vendor.entries = 1_000;
    vendor.pageSize = 10;
    await poll();
    expect((await stored()).n).toEqual(upTo(200));
    await change({ lookback_hours: 720, filter: 'user eq "ann"' });
    await poll({ ingest: () => Promise.reject(new Error('the store is away')) });
    await change({ lookback_hours: 720, filter: 'user eq "bo"' });
    await poll();
    expect(vendor.lookbacks).toEqual([720, 720, 720]);
  });

  test('by two workers at once takes every event once', async () => {
    vendor.entries = 300;
    vendor.pageSize = 10;
    await Promise.all(Array.from({ length: 5 }, () => poll()));
    for (let n = 0; n < 3; n++) await poll();
    expect((await stored()).n).toEqual(upTo(300));
  });

  test('catches up after a day of outage in bounded pieces', async () => {
    vendor.failing = true;
    await poll();
    const { fetches, failing_since } = await health();
    expect(fetches[0]).toMatchObject({ status: 'error', code: 'VENDOR_UNAVAILABLE', kind: 'events' });
    expect(failing_since).toBe(clock.toISOString());
    clock = new Date('2026-11-21T12:00:00.000Z');
    Object.assign(vendor, { failing: false, entries: 2_500, calls: 0 });
    await poll();
    expect(vendor.calls).toBe(20);
    expect((await health()).schedule.events.next_at).toBe(clock.toISOString());
    await poll();
    expect((await stored()).n).toEqual(upTo(2_500));
    expect((await health()).failing_since).toBeNull();
  });

  test('of which a part fails take the rest at the usual pace, and say what failed', async () => {
    Object.assign(vendor, { withoutPart: true, entries: 5 });
    await poll();
    const failing = await health();
    expect(failing.fetches[0]).toMatchObject({ status: 'error', code: 'VENDOR_PERMISSION_MISSING', records: 5 });
    expect(failing.fetches[0]?.message).toMatch(/^Audit: refused/);
    // Told by the reason of what went well, it would be hidden in other languages.
    expect(failing.fetches[0]).not.toHaveProperty('reason');
    expect(failing.fetches[0]?.message).not.toContain(KEY);
    expect(failing.schedule.events.next_at).toBe('2026-11-20T12:00:57.000Z');
    Object.assign(vendor, { withoutPart: false, entries: 8 });
    await poll();
    expect((await stored()).n).toEqual(upTo(8));
    const again = await health();
    expect(again).toMatchObject({
      failing_since: null,
      fetches: [{ reason: 'CONNECTOR_FETCHED', values: { count: 3 } }, {}],
    });
  });

  test('leaves out what is too large, says so, and takes what is before and behind it once', async () => {
    vendor.entries = 2;
    await poll();
    Object.assign(vendor, { entries: 40, huge: [7, 33] });
    await poll();
    expect((await stored()).n).toEqual(upTo(40).filter((n) => !vendor.huge.includes(n)));
    const { fetches, schedule, failing_since } = await health();
    const leftOut = {
      status: 'error',
      code: 'BODY_TOO_LARGE',
      message: 'Feed: 1 event is too large and left out for good.',
    };
    expect(fetches.slice(0, 3)).toMatchObject([{ status: 'success', records: 36 }, leftOut, leftOut]);
    expect(failing_since).toBeNull();
    // At the usual pace, and no connector that is down: counted from when it was due.
    expect(Date.parse(schedule.events.next_at ?? '') - clock.getTime()).toBeLessThanOrEqual(114_000);
    expect(await inTenant((tx) => compose().settings.list(tx, scope))).toMatchObject([{ state: 'active' }]);
    vendor.entries = 41;
    await poll();
    expect((await stored()).n).toEqual(upTo(41).filter((n) => !vendor.huge.includes(n)));
    expect(await health()).toMatchObject({
      failing_since: null,
      fetches: [{ status: 'success', records: 1 }, {}, {}, {}, {}],
    });
  });

  test('tells what was left out also where our own store fails behind it', async () => {
    Object.assign(vendor, { entries: 3, huge: [1], pageSize: 1 });
    let pages = 0;
    const ingest: Polling['ingest'] = async (delivery) => {
      if (++pages === 2) throw new AppError('OVERLOADED');
      return await server.composition.work.ingestion.accept(delivery);
    };
    await poll({ ingest });
    expect((await health()).fetches).toMatchObject([
      { code: 'OVERLOADED', records: 1 },
      { reason: 'CONNECTOR_EVENTS_LEFT_OUT_ONE', records: null },
    ]);
  });

  test('waits longer with every failure, and the message never holds the secret', async () => {
    vendor.failing = true;
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) {
      await poll();
      const { schedule } = await health();
      waits.push((Date.parse(schedule.events.next_at ?? '') - clock.getTime()) / 1000);
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800, 1800]);
    const { fetches } = await health();
    expect(JSON.stringify(fetches)).not.toContain(KEY);
    const [summary] = await inTenant((tx) => compose().settings.list(tx, scope));
    expect(summary?.state).toBe('error');
  });

  test('that a stop breaks off says nothing of the vendor, and one that took too long does', async () => {
    vendor.silent = true;
    const stop = new AbortController();
    const calls = vendor.calls;
    const stopped = compose().polling.eventsJob.run(job({ signal: stop.signal }));
    await expect.poll(() => vendor.calls).toBe(calls + 1);
    stop.abort(new Error('stopping'));
    await expect(stopped).rejects.toThrow('stopping');
    expect(await health()).toMatchObject({ failing_since: null, fetches: [] });
    const slow = new AbortController();
    const late = compose().polling.eventsJob.run(job({ signal: slow.signal }));
    await expect.poll(() => vendor.calls).toBe(calls + 2);
    slow.abort(new DOMException('too long', 'TimeoutError'));
    await late;
    expect((await health()).fetches[0]).toMatchObject({ status: 'error' });
  });

  test('of one tenant leaves room for the others, however slow its vendors are', async () => {
    const held: (() => void)[] = [];
    const hold = () => new Promise<undefined>((resolve) => held.push(() => resolve(undefined)));
    const open = async (polled: TenantScope) => (polled.tenantId === scope.tenantId ? await hold() : undefined);
    const { polling } = compose({ open });
    const slow = Array.from({ length: 30 }, () => polling.eventsJob.run(job()));
    const begun = Promise.allSettled(slow);
    await polling.eventsJob.run(job({ tenantId: v7() }));
    // Eight are at work and one waits; the others do not keep their slots.
    await expect.poll(() => held.length).toBe(8);
    for (let ended = 0; ended < 9; ended++) {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      held.shift()?.();
    }
    const postponed = (await begun).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(postponed).toHaveLength(21);
    expect(postponed[0]).toMatchObject({ name: 'JobPostponed', afterMs: 4_000 });
  });

  test('stops at a vendor that says there is more and stays where it is', async () => {
    vendor.stuck = true;
    vendor.entries = 1;
    await poll();
    expect(vendor.calls).toBe(2);
    expect((await health()).fetches[0]?.code).toBe('VENDOR_ANSWER_UNREADABLE');
  });

  test('says that the store was away, not the vendor, and fetches again', async () => {
    vendor.entries = 5;
    await poll({ ingest: () => Promise.reject(new AppError('OVERLOADED', { retryAfterS: 7 })) });
    expect((await health()).fetches[0]).toMatchObject({ code: 'OVERLOADED', records: 0 });
    const [summary] = await inTenant((tx) => compose().settings.list(tx, scope));
    expect(summary?.state).toBe('pending');
    await poll();
    expect((await stored()).n).toEqual(upTo(5));
  });

  test('of a paused connector calls nobody, and goes on behind the last event when it is resumed', async () => {
    vendor.entries = 3;
    await poll();
    const { settings } = compose();
    await inTenant((tx) => settings.setEnabled(tx, scope, { id: connectorId, enabled: false }, by));
    vendor.entries = 8;
    vendor.calls = 0;
    await poll();
    expect(vendor.calls).toBe(0);
    expect((await health()).schedule.events.next_at).toBeNull();
    await inTenant((tx) => settings.setEnabled(tx, scope, { id: connectorId, enabled: true }, by));
    await poll();
    expect((await stored()).n).toEqual(upTo(8));
  });

  test('that were deleted meanwhile ends quietly', async () => {
    vendor.entries = 3;
    await inTenant((tx) => compose().settings.remove(tx, scope, { id: connectorId, next: undefined }, by));
    await poll();
    expect(vendor.calls).toBe(0);
    expect((await stored()).n).toEqual([]);
  });
});

describe('the schedule', () => {
  test('makes one job of each piece that is due, and none of what is not', async () => {
    const { work, jobs } = compose();
    const mine = () =>
      jobs
        .filter(({ tenantId }) => tenantId === scope.tenantId)
        .map(({ kind, runAt }) => (runAt === undefined ? kind : `${kind} later`))
        .sort();
    await work.sweep.run(job());
    // What is due before the next look is in line for its own time, and not before.
    expect(mine()).toEqual(['connectors.events later', 'connectors.metrics later', 'connectors.test']);
    for (const { runAt } of jobs)
      if (runAt) expect(runAt.getTime() - clock.getTime()).toSatisfy((ms: number) => ms >= 5_000 && ms <= 7_000);
    clock = new Date(clock.getTime() + 10_000);
    jobs.length = 0;
    await work.sweep.run(job());
    expect(mine()).toEqual(['connectors.events', 'connectors.metrics', 'connectors.test']);
    expect(jobs.find(({ tenantId }) => tenantId === scope.tenantId)?.dedupKey).toBe(connectorId);
    await work.testJob.run(job());
    await poll();
    await compose().polling.metricsJob.run(job());
    jobs.length = 0;
    await work.sweep.run(job());
    expect(mine()).toEqual([]);
  });

  test('that may not read metrics works all the same: its health says what fails', async () => {
    const { work, polling, settings } = compose();
    const stateNow = async () => (await inTenant((tx) => settings.get(tx, scope, connectorId))).state;
    await work.testJob.run(job());
    vendor.withoutMetrics = true;
    await polling.metricsJob.run(job());
    expect(await stateNow()).toBe('active');
    expect(await health()).toMatchObject({
      failing_since: clock.toISOString(),
      fetches: [{ kind: 'metrics', status: 'error', code: 'VENDOR_PERMISSION_MISSING' }],
    });
    // Nor do metrics that come make good what else fails.
    Object.assign(vendor, { withoutMetrics: false, failing: true });
    await poll();
    vendor.failing = false;
    await polling.metricsJob.run(job());
    expect(await stateNow()).toBe('error');
  });

  test('whose metrics come has not shown by that that it works', async () => {
    await compose().polling.metricsJob.run(job());
    expect(
      (await inTenant((tx) => compose().settings.get(tx, scope, connectorId))).last_successful_connection,
    ).toBeNull();
  });

  test('is tested at once when its metrics find nobody there, unless a test has told so already', async () => {
    const { work, polling } = compose();
    const testDue = async () => (await health()).schedule.test.next_at;
    await work.testJob.run(job());
    const due = await testDue();
    vendor.withoutMetrics = true;
    await polling.metricsJob.run(job());
    expect(await testDue()).toBe(due);
    Object.assign(vendor, { withoutMetrics: false, failing: true });
    await polling.metricsJob.run(job());
    expect(await testDue()).toBe(clock.toISOString());
    await work.testJob.run(job());
    const again = await testDue();
    expect(again).not.toBe(clock.toISOString());
    await polling.metricsJob.run(job());
    expect(await testDue()).toBe(again);
  });

  test('keeps the last metrics, without a secret the vendor echoes', async () => {
    await compose().polling.metricsJob.run(job());
    expect((await health()).metrics).toEqual({
      at: clock.toISOString(),
      values: { throughput: 12, echoed: 'token [secret]' },
    });
  });
});

describe('a connector that fails and is changed', () => {
  const failing_since = new Date('2026-11-20T09:00:00.000Z');
  const put = { failures: 4, failing_since, due_at: new Date('2026-11-20T18:00:00.000Z') };

  /** Kinds of work that began anew; the others keep their pace and how long they have failed. */
  async function anewAfter(patch: ConnectorPatch): Promise<string[]> {
    await inTenant((tx) => tx.updateTable('connector_work').set(put).where('connector_id', '=', connectorId).execute());
    await inTenant((tx) =>
      tx.updateTable('connector').set({ is_default: false }).where('id', '=', connectorId).execute(),
    );
    await inTenant((tx) => compose().settings.update(tx, scope, { id: connectorId, patch }, by));
    const rows = await inTenant((tx) => workOf(tx, scope, connectorId));
    const fresh = rows.filter(({ failures }) => failures === 0);
    expect(rows.filter((row) => !fresh.includes(row))).toEqual(
      rows.filter((row) => !fresh.includes(row)).map(({ kind }) => ({ kind, ...put })),
    );
    return fresh.map(({ kind }) => kind).toSorted();
  }

  test.each<[string, ConnectorPatch, string[]]>([
    ['its name', { name: 'Another name' }, []],
    ['which is the default', { default: true }, []],
    ['nothing', { enabled: true }, []],
    ['what events it fetches', { events_options: { event_type: 'other' } }, ['events']],
    ['that it fetches metrics', { metrics_enabled: false }, ['metrics']],
    ['how it is reached', { config: { token: 'another-key-for-tests' } }, ['events', 'metrics', 'test']],
    ['that it is on', { enabled: false }, ['events', 'metrics', 'test']],
    ['name and metrics', { name: 'Other', metrics_enabled: false }, ['metrics']],
  ])('begins anew with what was changed and nothing else: %s', async (_what, patch, expected) => {
    expect(await anewAfter(patch)).toEqual(expected);
  });
});
