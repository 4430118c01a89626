import { createHash } from 'node:crypto';
import type { ConnectorDefinition, FetchContext, FetchPage } from '@airdeck/connector-kit/definition';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { createSecretVault } from '@airdeck/connector-kit/secrets';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { fetchInTurns } from '@airdeck/connectors/source-turns';
import type { JsonObject } from '@airdeck/contracts/fields';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createConnectorSources } from '../sources/connector-sources.ts';
import { createConnectionTester } from './connection-tester.ts';
import { createConnectorSecrets } from './connector-secrets.ts';
import { createConnectorSettings } from './connector-settings.ts';
import { createConnectorWork } from './connector-work.ts';
import { createPolling } from './event-polling.ts';

type Source = 'audit' | 'alerts';

/** Accounts at one address, with numbered entries of two sources. */
const vendor = {
  /** How many entries a source of an account has: `acme audit`. */
  entries: {} as Record<string, number>,
  failing: new Set<Source>(),
  /** Sources that were read from the start, and the hours to look back. */
  begun: [] as [string, number][],
};

async function read(source: Source, { config, cursor, options }: FetchContext): Promise<FetchPage> {
  if (vendor.failing.has(source)) throw new VendorError('VENDOR_PERMISSION_MISSING', 'It says no.');
  const at = `${String(config.organization)} ${source}`;
  if (cursor === null) vendor.begun.push([at, Number(options.lookback_hours)]);
  const after = Number(cursor?.after ?? 0);
  const last = vendor.entries[at] ?? 0;
  const records = Array.from({ length: Math.max(0, last - after) }, (_, index) => ({
    id: `${at} ${after + index + 1}`,
  }));
  return { records, cursor: { after: Math.max(after, last) }, hasMore: false };
}

const ledger: ConnectorDefinition = {
  definition_id: 'ledger',
  vendor: 'Ledger',
  product: 'Ledger',
  version: '1',
  name: 'Ledger',
  description: 'Two logs of an organization.',
  visible: true,
  category: 'generic',
  config_schema: {
    type: 'object',
    required: ['organization'],
    additionalProperties: false,
    properties: {
      organization: { type: 'string', account: true },
      base_url: { type: 'string', destination: true },
    },
  },
  event_options_schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      sources: { type: 'array', items: { type: 'string', enum: ['audit', 'alerts'] } },
      filter: { type: 'string' },
      lookback_hours: { type: 'integer' },
    },
  },
  capabilities: ['fetch_events'],
  actions: [],
  async fetchEvents(context) {
    const wanted = context.options.sources;
    const [first = 'audit', ...others] = (['audit', 'alerts'] as const).filter(
      (source) => Array.isArray(wanted) && wanted.includes(source),
    );
    return await fetchInTurns(context, {
      chosen: [first, ...others],
      names: { audit: 'Audit log', alerts: 'Alerts' },
      read,
    });
  },
};

const MONTH = 720;
const both = { sources: ['audit', 'alerts'], lookback_hours: MONTH };
const destination = 'https://ledger.example';
const key = { id: 'test', key: new Uint8Array(32).fill(7) };
const keys = { current: async () => key, get: async () => key };
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

let server: TestServer;
let scope: TenantScope;
let connectorId: string;
let clock: Date;
const now = () => clock;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  clock = new Date('2026-11-20T12:00:00.000Z');
  Object.assign(vendor, { entries: {}, failing: new Set(), begun: [] });
  scope = trustedTenantScope(await server.createTenant());
  connectorId = v7();
  const input = {
    definition_id: 'ledger',
    name: 'Ledger',
    enabled: true,
    config: { organization: 'acme', base_url: destination },
    ...{ events_enabled: true, events_options: both, metrics_enabled: false, metrics_options: {} },
  };
  await inTenant((tx) => compose().settings.create(tx, scope, { id: connectorId, input }, by));
});

const inTenant = <T>(work: Parameters<typeof server.stores.database.tenant<T>>[1]) =>
  server.stores.database.tenant(scope.tenantId, work);

function compose() {
  const db = server.stores.database;
  const registry = createRegistry([ledger]);
  const egress = { request: () => Promise.reject(new Error('nobody calls out here')) };
  const secrets = createConnectorSecrets({ vault: createSecretVault({ keys, now }), audit: server.composition.audit });
  const common = { db, registry, secrets, now, ids: v7, random: () => 0.5, changes: server.composition.changes };
  const work = createConnectorWork({
    ...common,
    tester: createConnectionTester({ egress, now }),
    enqueue: async () => undefined,
  });
  const sources = createConnectorSources({ db, ids: v7, now, randomBytes: (size) => Buffer.alloc(size, v7()) });
  const ingest = server.composition.work.ingestion.accept;
  const polling = createPolling({ db, work, sources, ingest, egress, ids: v7, now, random: () => 0.5 });
  return { polling, settings: createConnectorSettings({ ...common, work, audit: server.composition.audit }) };
}

const poll = () =>
  compose().polling.eventsJob.run({
    ...{ jobId: v7(), tenantId: scope.tenantId, kind: 'connectors.events', attempt: 1 },
    payload: { connector_id: connectorId },
    signal: new AbortController().signal,
    completeIn: async () => undefined,
  });

const change = (patch: { events_options?: JsonObject; config?: JsonObject }) =>
  inTenant((tx) => compose().settings.update(tx, scope, { id: connectorId, patch }, by));
const choose = (more: JsonObject) => change({ events_options: { ...both, ...more } });
const moveTo = (organization: string) => change({ config: { organization, base_url: destination } });

function later(hours: number): void {
  clock = new Date(clock.getTime() + hours * 3_600_000);
}

async function stored(): Promise<string[]> {
  const rows = await server.stores.events.query<{ raw: string }>({
    tenant: scope.tenantId,
    sql: 'select raw from events where tenant = {tenant:UUID}',
    params: {},
  });
  return rows.map(({ raw }) => String((JSON.parse(raw) as { id: string }).id)).toSorted();
}

describe('another choice of events begins where all sources had been read to their end', () => {
  test('and not behind what one of them had while it failed', async () => {
    await poll();
    later(1);
    vendor.failing.add('audit');
    for (let polls = 0; polls < 3; polls++) {
      await poll();
      later(24);
    }
    vendor.failing.clear();
    await choose({ filter: 'user' });
    vendor.begun = [];
    await poll();
    // A quarter of an hour for what comes late.
    expect(vendor.begun[0]).toEqual(['acme audit', expect.closeTo(73.25)]);
  });

  test('which is nowhere while one has failed from the start', async () => {
    vendor.failing.add('audit');
    await poll();
    later(1);
    vendor.failing.clear();
    await choose({ filter: 'user' });
    await poll();
    expect(vendor.begun.filter(([at]) => at === 'acme audit')).toEqual([['acme audit', MONTH]]);
  });

  test('and as far back as a new connector where there was no such source before', async () => {
    await choose({ sources: ['alerts'] });
    await poll();
    later(1);
    await choose({ filter: 'user' });
    await poll();
    expect(vendor.begun).toContainEqual(['acme audit', MONTH]);
    later(1);
    vendor.begun = [];
    await choose({ sources: ['alerts'], filter: 'ann' });
    await poll();
    expect(vendor.begun).toEqual([['acme alerts', expect.closeTo(1.25)]]);
  });

  test('also where the new source failed between the choice and the next', async () => {
    await choose({ sources: ['alerts'] });
    await poll();
    later(1);
    vendor.failing.add('audit');
    await choose({});
    await poll();
    later(1);
    vendor.failing.clear();
    await choose({ filter: 'user' });
    await poll();
    expect(vendor.begun).toContainEqual(['acme audit', MONTH]);
  });
});

describe('another account at the same address', () => {
  test('is fetched from its start, and the one before goes on where it was left', async () => {
    vendor.entries = { 'acme audit': 3, 'other audit': 2 };
    await poll();
    later(1);
    await moveTo('other');
    await poll();
    expect(vendor.begun).toContainEqual(['other audit', MONTH]);
    later(48);
    vendor.entries = { 'acme audit': 5, 'other audit': 4 };
    vendor.begun = [];
    await moveTo('acme');
    await poll();
    await moveTo('other');
    await poll();
    expect(vendor.begun).toEqual([]);
    expect(await stored()).toEqual([
      ...[1, 2, 3, 4, 5].map((n) => `acme audit ${n}`),
      ...[1, 2, 3, 4].map((n) => `other audit ${n}`),
    ]);
  });

  test('says nothing of how far another choice of its own events is', async () => {
    await poll();
    later(1);
    await change({
      config: { organization: 'other', base_url: destination },
      events_options: { ...both, filter: 'x' },
    });
    await poll();
    expect(vendor.begun).toContainEqual(['other audit', MONTH]);
  });
});

describe('after the release before', () => {
  const places = () =>
    inTenant((tx) =>
      tx
        .selectFrom('connector_cursor')
        .select(['options_hash', 'cursor', 'selection'])
        .orderBy('options_hash')
        .execute(),
    );
  /** As that one makes it: keys sorted. */
  const theirHash = createHash('sha256')
    .update(JSON.stringify([{ lookback_hours: MONTH, sources: ['audit', 'alerts'] }, destination]))
    .digest('hex');
  const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

  test.each([
    ['null, as that one leaves it', null],
    ['without account and sources', `${sha256(destination)} ${sha256({})}`],
  ])(
    'goes on in its place, which the two share, and only the first account does: selection %s',
    async (_what, selection) => {
      vendor.entries = { 'acme audit': 3, 'other audit': 2 };
      await poll();
      expect((await places()).map((place) => place.options_hash)).toEqual([theirHash]);
      await inTenant((tx) => tx.updateTable('connector_cursor').set({ selection, caught_up_at: null }).execute());
      vendor.begun = [];
      vendor.entries['acme audit'] = 4;
      later(1);
      await poll();
      expect(vendor.begun).toEqual([]);
      expect(await places()).toMatchObject([{ options_hash: theirHash, cursor: expect.stringContaining('"after":4') }]);
      await moveTo('other');
      await poll();
      expect(vendor.begun).toContainEqual(['other audit', MONTH]);
      expect(await stored()).toHaveLength(6);
    },
  );
});
