import { createEgress, type GuardedEgress } from '@airdeck/connector-kit/egress';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { createSecretVault } from '@airdeck/connector-kit/secrets';
import { aws } from '@airdeck/connectors/aws/aws';
import { AWS_ACCESS_KEY_ID } from '@airdeck/simulator/sandbox/aws-data';
import { type Sandbox, type SandboxVendor, sandboxVendors, startSandbox } from '@airdeck/simulator/sandbox/sandbox';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import type { Database } from '../../storage/database.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createConnectorSources } from '../sources/connector-sources.ts';
import { createConnectionTester } from './connection-tester.ts';
import { createConnectorSecrets } from './connector-secrets.ts';
import { createConnectorSettings } from './connector-settings.ts';
import { createConnectorWork } from './connector-work.ts';
import { createPolling } from './event-polling.ts';

const AWS_KEY = 'aws-key-for-tests';
const now = () => new Date();
const key = { id: 'test', key: new Uint8Array(32).fill(7) };
const keys = { current: async () => key, get: async () => key };
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

let server: TestServer;
let sandbox: Sandbox;
let egress: GuardedEgress;
beforeAll(async () => {
  const sandboxKeys = Object.fromEntries(sandboxVendors.map((id) => [id, `${id}-key-for-tests`]));
  sandbox = await startSandbox({ port: 0, keys: sandboxKeys as Record<SandboxVendor, string> });
  egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port: sandbox.port }] });
  server = await createTestServer();
});
afterAll(async () => {
  await server.close();
  await egress.close();
  await sandbox.close();
});

type TenantWork = Pick<Database, 'tenant'>;

function compose(pollingDb: TenantWork) {
  const db = server.stores.database;
  const registry = createRegistry([aws]);
  const secrets = createConnectorSecrets({ vault: createSecretVault({ keys, now }), audit: server.composition.audit });
  const common = { db, registry, secrets, now, ids: v7, random: () => 0.5, changes: server.composition.changes };
  const tester = createConnectionTester({ egress, now });
  const work = createConnectorWork({ ...common, tester, enqueue: async () => undefined });
  const sources = createConnectorSources({ db, ids: v7, now, randomBytes: (size) => Buffer.alloc(size, v7()) });
  const ingest = server.composition.work.ingestion.accept;
  const polling = createPolling({ db: pollingDb, work, sources, ingest, egress, ids: v7, now, random: () => 0.5 });
  return { polling, settings: createConnectorSettings({ ...common, work, audit: server.composition.audit }) };
}

/** The database, but for its transaction of number `at`, which fails at its end: rolled back, or its answer never came. */
function failingAt(at: number, how: 'rolled back' | 'unanswered'): TenantWork & { count: () => number } {
  let count = 0;
  const lost = () => new Error('The connection to the store is gone.');
  const tenant: Database['tenant'] = async (tenantId, work) => {
    const fails = ++count === at;
    const done = await server.stores.database.tenant(tenantId, async (tx) => {
      const result = await work(tx);
      if (fails && how === 'rolled back') throw lost();
      return result;
    });
    if (fails) throw lost();
    return done;
  };
  return { tenant, count: () => count };
}

async function addConnector(): Promise<{ scope: TenantScope; poll: (db: TenantWork) => Promise<void> }> {
  const scope = trustedTenantScope(await server.createTenant());
  const connectorId = v7();
  const input = {
    definition_id: 'aws',
    name: 'AWS',
    enabled: true,
    config: {
      ...{ region: 'eu-central-1', access_key_id: AWS_ACCESS_KEY_ID, secret_access_key: AWS_KEY },
      endpoint_url: `${sandbox.url}/aws`,
    },
    ...{ events_enabled: true, events_options: { sources: ['guardduty'], lookback_hours: 2 } },
    ...{ metrics_enabled: false, metrics_options: {} },
  };
  const { settings } = compose(server.stores.database);
  await server.stores.database.tenant(scope.tenantId, (tx) =>
    settings.create(tx, scope, { id: connectorId, input }, by),
  );
  const poll = (db: TenantWork) =>
    compose(db).polling.eventsJob.run({
      ...{ jobId: v7(), tenantId: scope.tenantId, kind: 'connectors.events', attempt: 1 },
      payload: { connector_id: connectorId },
      signal: new AbortController().signal,
      completeIn: async () => undefined,
    });
  return { scope, poll };
}

async function storedIds({ tenantId }: TenantScope): Promise<string[]> {
  const rows = await server.stores.events.query<{ raw: string }>({
    tenant: tenantId,
    sql: 'select raw from events where tenant = {tenant:UUID}',
    params: {},
  });
  return rows.map(({ raw }) => String((JSON.parse(raw) as { id: string }).id)).toSorted();
}

test('findings of GuardDuty come once whichever transaction of a poll fails, rolled back or unanswered', async () => {
  const began = Math.floor(Date.now() / 1000) * 1000;
  // Sixty of a moment: pages follow times, and tokens within one of them.
  const findings = Array.from({ length: 130 }, (_, index) => ({
    id: `f${String(index).padStart(3, '0')}`,
    updatedAt: new Date(began - 3_600_000 + Math.floor(index / 60) * 60_000).toISOString(),
  }));
  const url = `${sandbox.url}/aws/sandbox`;
  await fetch(`${url}/history`, { method: 'DELETE' });
  const headers = { 'content-type': 'application/json' };
  await fetch(`${url}/findings`, { method: 'POST', headers, body: JSON.stringify(findings) });
  const expected = findings.map(({ id }) => id);

  const whole = failingAt(0, 'rolled back');
  const { scope, poll } = await addConnector();
  await poll(whole);
  expect(await storedIds(scope)).toEqual(expected);
  // Reading the place, then keeping each page and moving behind it.
  expect(whole.count()).toBeGreaterThan(7);

  for (const how of ['rolled back', 'unanswered'] as const) {
    for (let at = 1; at <= whole.count(); at++) {
      const broken = await addConnector();
      await broken.poll(failingAt(at, how));
      const before = await storedIds(broken.scope);
      expect(before.length).toBe(new Set(before).size);
      await broken.poll(server.stores.database);
      expect([how, at, await storedIds(broken.scope)]).toEqual([how, at, expected]);
    }
  }
});
