import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretVault } from '@airdeck/connector-kit/secrets';
import { createConnectorRegistry } from '@airdeck/connectors/registry';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createConnectorSecrets } from './connector-secrets.ts';
import { createConnectorsService } from './connectors-service.ts';
import { openKeyFile } from './key-file.ts';
import { createKeyRenewal } from './key-renewal.ts';

/** More than one batch. */
const CONNECTORS = 105;
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const now = () => new Date();

let server: TestServer;
let folder: string;
let scope: TenantScope;
const ids: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  server = await createTestServer();
  scope = trustedTenantScope(await server.createTenant());
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

/** As a process of its own would have them: another reader of the same key file. */
async function process() {
  const keys = await openKeyFile(join(folder, 'connector-keys.json'));
  const vault = createSecretVault({ keys, now });
  const { database: db } = server.stores;
  const registry = createConnectorRegistry();
  const audit = server.composition.audit;
  const secrets = createConnectorSecrets({ vault, audit });
  const connectors = createConnectorsService({ registry, secrets, ids: v7, now, audit });
  const renew = createKeyRenewal({ db, keys, vault, registry, audit, log: { warn: () => undefined } });
  return { keys, connectors, renew };
}

const inTenant = <T>(work: Parameters<typeof server.stores.database.tenant<T>>[1]) =>
  server.stores.database.tenant(scope.tenantId, work);

/** Of both batches. */
const sample = () => [...ids.slice(0, 4), ...ids.slice(-4)];

async function allOpen({ connectors }: Awaited<ReturnType<typeof process>>): Promise<boolean> {
  const opened = await inTenant((tx) =>
    Promise.all(sample().map((id) => connectors.open(tx, scope, { definitionId: 'abuseipdb', connectorId: id }))),
  );
  return opened.every((one) => one?.config.api_key === `secret-${ids.indexOf(one?.id ?? '')}`);
}

const stored = () =>
  inTenant(async (tx) => {
    const { rows } = await sql<{ kek: string; previous: string | null }>`
      select wrapped ->> 'kek' as kek, previous ->> 'kek' as previous from tenant_data_key`.execute(tx);
    return rows[0];
  });

describe('a new key of the installation', () => {
  test('reaches every secret while connectors go on working, in a process that was running before', async () => {
    const running = await process();
    await inTenant(async (tx) => {
      for (let n = 0; n < CONNECTORS; n++) {
        const config = { base_url: 'https://vendor.example', api_key: `secret-${n}` };
        ids.push(await running.connectors.create(tx, scope, { definitionId: 'abuseipdb', name: `C ${n}`, config }, by));
      }
    });
    const sealedBefore = await inTenant((tx) =>
      tx.selectFrom('connector_secret').select(['field', 'sealed']).execute(),
    );
    expect(await running.renew()).toMatchObject({ tenants: 0, secrets: 0 });

    // Added by another process, as the owner of the installation does it.
    expect(await (await process()).keys.addKey()).toBe('k2');
    const [renewed, ...open] = await Promise.all([
      running.renew(),
      ...Array.from({ length: 4 }, () => allOpen(running)),
    ]);
    expect(renewed).toEqual({ tenants: 1, secrets: CONNECTORS, unopened: 0 });
    expect(open).toEqual(open.map(() => true));
    expect(await stored()).toEqual({ kek: 'k2', previous: 'k2' });
    expect(await running.renew()).toEqual({ tenants: 0, secrets: 0, unopened: 0 });
    expect(await stored()).toEqual({ kek: 'k2', previous: null });

    expect(await allOpen(await process())).toBe(true);
    const sealedAfter = await inTenant((tx) => tx.selectFrom('connector_secret').select(['field', 'sealed']).execute());
    const texts = new Set(sealedBefore.map(({ sealed }) => sealed.ct));
    expect(sealedAfter.some(({ sealed }) => texts.has(sealed.ct))).toBe(false);
    // When somebody set it is what people are shown; sealing it anew is not setting it.
    expect(sealedAfter.map(({ sealed }) => sealed.set_at).sort()).toEqual(
      sealedBefore.map(({ sealed }) => sealed.set_at).sort(),
    );
    expect(await running.renew()).toEqual({ tenants: 0, secrets: 0, unopened: 0 });
    expect(await server.stores.database.system((tx) => server.composition.audit.verify(tx, scope))).toMatchObject({
      intact: true,
    });
  });

  test('that comes before the last renewal is through loses nothing', async () => {
    const running = await process();
    await running.keys.addKey();
    await running.renew();
    // As if the renewal had stopped after its first step, with everything still sealed with the key before.
    await running.keys.addKey();
    await Promise.all([running.renew(), running.renew()]);
    await running.renew();
    await running.renew();
    expect(await stored()).toEqual({ kek: 'k4', previous: null });
    expect(await allOpen(running)).toBe(true);
  });
});

describe('keys of the installation that were lost', () => {
  test('let secrets be entered anew, and keep nobody else from getting a new data key', async () => {
    await rm(join(folder, 'connector-keys.json'));
    const without = await process();
    const mine = await server.createTenant();
    const other = trustedTenantScope(mine);
    const config = { base_url: 'https://vendor.example', api_key: 'entered anew' };
    const create = (of: TenantScope, name: string) =>
      server.stores.database.tenant(of.tenantId, (tx) =>
        without.connectors.create(tx, of, { definitionId: 'abuseipdb', name, config }, by),
      );
    const open = (of: TenantScope, connectorId: string) =>
      server.stores.database.tenant(of.tenantId, (tx) =>
        without.connectors.open(tx, of, { definitionId: 'abuseipdb', connectorId }),
      );
    // A later tenant, whose data key is under the key file of now.
    await create(other, 'Later');
    await without.keys.addKey();
    // The data key of the tenant before it opens no more: it is passed over.
    expect(await without.renew()).toMatchObject({ tenants: 1 });
    // At once, by two people: what the first one sealed must open too.
    for (const id of await Promise.all([create(scope, 'Anew'), create(scope, 'Also anew')])) {
      expect((await open(scope, id))?.config.api_key).toBe('entered anew');
    }
    await expect(open(scope, ids[0] ?? '')).rejects.toMatchObject({ name: 'SecretError' });
    const records = await inTenant((tx) =>
      tx.selectFrom('audit_record').select('data').where('action', '=', 'data_key.renew').orderBy('sequence').execute(),
    );
    expect(records.at(-1)?.data).toMatchObject({ lost: true });
  });
});
