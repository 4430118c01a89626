import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretVault } from '@airdeck/connector-kit/secrets';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../http/test-server.ts';
import { type KeyFile, openKeyFile } from '../modules/connectors/key-file.ts';
import { createConnections } from '../modules/sso/connections.ts';
import { trustedTenantScope } from '../tenant-scope.ts';
import { sealedColumns } from './ask-sealed-data.ts';

const NO_TENANT = '00000000-0000-0000-0000-000000000000';
const SECRET = 'client-secret-of-the-issuer';
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

let folder: string;
let path: string;
let keys: KeyFile;
let server: TestServer;
let owner: pg.Client;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealed-'));
  path = join(folder, 'connector-keys.json');
  keys = await openKeyFile(path);
  server = await createTestServer({ keys });
  owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});
afterAll(async () => {
  await owner?.end();
  await server?.close();
  await rm(folder, { recursive: true });
});

async function connectIssuer(change: object): Promise<string> {
  const answer = await server.inject({
    method: 'POST',
    url: `/api/tenants/${tenant}/settings/sso`,
    headers: admin.headers,
    payload: {
      ...{ kind: 'oidc', label: 'Harbour ID', issuer: 'https://login.harbour.example', client_id: 'airdeck' },
      ...{ domains: [], ...change },
    },
  });
  expect(answer.statusCode).toBe(201);
  return answer.json<{ id: string }>().id;
}

/** Every column of the database in which something is under the key. */
async function columnsUnder(key: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; table: string; column: string }>(
    `select c.table_name || '.' || c.column_name as name, quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) as table,
       quote_ident(c.column_name) as column
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where t.table_type = 'BASE TABLE' and c.data_type = 'jsonb' order by 1`,
  );
  const found: string[] = [];
  for (const { name, table, column } of rows) {
    const held = await owner.query(
      `select 1 from ${table} where jsonb_path_exists(${column}, '$.**.kek ? (@ == $key)', $1)`,
      [JSON.stringify({ key })],
    );
    if (held.rowCount !== 0) found.push(name);
  }
  return found;
}

/** As it is done by the hour. */
async function purge(): Promise<void> {
  const { engine, enginePool } = server.composition.work;
  const { jobId } = await server.stores.database.system((tx) =>
    engine.enqueueJob(enginePool.client(tx), { tenantId: NO_TENANT, kind: 'retention.purge' }),
  );
  await expect
    .poll(async () => (await owner.query('select state from engine.job where id = $1', [jobId])).rows, {
      timeout: 30_000,
    })
    .toEqual([]);
}

it('each is put under a new key of the installation by the hour, so that the old one can be taken out', async () => {
  const issuer = await connectIssuer({ client_secret: SECRET });
  await connectIssuer({});
  const slack = await server.inject({
    method: 'PUT',
    url: '/me/notification_slack',
    headers: admin.headers,
    payload: { url: 'https://hooks.slack.example/services/T1/B1/x' },
  });
  expect(slack.statusCode).toBe(200);
  const scope = trustedTenantScope(tenant);
  await server.stores.database.tenant(tenant, (tx) =>
    server.composition.work.connectors.create(
      tx,
      scope,
      {
        ...{ definitionId: 'abuseipdb', name: 'Reputation' },
        config: { base_url: 'https://vendor.example', api_key: 'key-of-the-vendor' },
      },
      by,
    ),
  );
  // The key of a tenant before stands in a column of its own while what it opens is sealed anew.
  const filled = Object.keys(sealedColumns).filter((column) => column !== 'tenant_data_key.previous');
  expect(await columnsUnder('k1')).toEqual(filled.sort());

  await keys.addKey();
  await purge();
  await purge();
  expect(await columnsUnder('k1')).toEqual([]);
  expect(await columnsUnder('k2')).toEqual(filled.sort());

  const file = JSON.parse(await readFile(path, 'utf8')) as { current: string; keys: Record<string, string> };
  delete file.keys.k1;
  await writeFile(path, JSON.stringify(file));
  const vault = createSecretVault({ keys: await openKeyFile(path), now: () => new Date() });
  const connections = createConnections({ db: server.stores.database, vault, installation: [] });
  expect(await (await connections.find(issuer))?.openSecret()).toBe(SECRET);
});
