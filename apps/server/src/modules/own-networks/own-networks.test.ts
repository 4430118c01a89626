import { currentUserSchema } from '@airdeck/contracts/me/schema';
import { ownNetworksSchema } from '@airdeck/contracts/own-networks/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { ourAddresses } from './our-addresses.ts';

let server: TestServer;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  server = await createTestServer({ env: { TENANT_NETWORKS: '10.0.0.0/8, fd12:3456::/32' } });
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

const path = (of = tenant) => `/api/tenants/${of}/settings/own_networks`;

type Given = readonly { network: string; note?: string }[];

async function put(networks: Given, who = admin, of = tenant, replaces?: string | null) {
  const payload = { networks, ...(replaces === undefined ? {} : { replaces }) };
  const answer = await server.inject({ method: 'PUT', url: path(of), headers: who.headers, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

async function get(who = admin) {
  const answer = await server.inject({ url: path(), headers: who.headers });
  return ownNetworksSchema.parse(answer.json());
}

const records = (of = tenant) =>
  server.stores.database.tenant(of, (tx) =>
    tx
      .selectFrom('audit_record')
      .select(['action', 'outcome', 'code', 'data'])
      .where('action', 'in', ['own_networks.update', 'route.call'])
      .orderBy('sequence')
      .execute(),
  );

/** Whether a call of the tenant would be let through to an address; nothing is sent. */
async function mayReach(address: string, of = tenant): Promise<boolean> {
  try {
    await server.composition.egress.check(of, `https://${address}/`);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'EGRESS_DENIED' });
    return false;
  }
}

describe("a tenant's own networks", () => {
  it('are none until its Admin names some, and then kept in one written form', async () => {
    expect(await get()).toEqual({ networks: [], permitted: ['10.0.0.0/8', 'fd12:3456::/32'], updated_at: null });
    const named = await put([{ network: '10.1.2.3/24', note: 'Firewalls' }, { network: '10.1.2.9/24' }]);
    expect(named).toMatchObject({ status: 200, body: { networks: [{ network: '10.1.2.0/24' }] } });
    expect((await get()).networks).toHaveLength(1);
    expect(await records()).toMatchObject([
      { action: 'own_networks.update', outcome: 'ok', data: { added: ['10.1.2.0/24'], removed: [] } },
    ]);
  });

  it('open at once and close at once, for this tenant only', async () => {
    const other = await server.createTenant();
    expect(await mayReach('10.1.2.3')).toBe(false);
    await put([{ network: '10.1.2.0/24' }]);
    expect(await mayReach('10.1.2.3')).toBe(true);
    expect(await mayReach('10.1.3.3')).toBe(false);
    expect(await mayReach('10.1.2.3', other)).toBe(false);
    await put([]);
    expect(await mayReach('10.1.2.3')).toBe(false);
  });

  it('are open to connectors, and to no webhook or Slack address that a person has entered', async () => {
    await put([{ network: '10.1.2.0/24' }]);
    expect(await mayReach('10.1.2.9')).toBe(true);
    for (const role of ['ReadOnly', 'Admin'] as const) {
      const { headers } = await server.createActor({ home: tenant, roles: { [tenant]: role } });
      const call = async (method: 'GET' | 'PATCH' | 'PUT' | 'POST', url: string, payload?: object) => {
        const answer = await server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
        expect(answer.statusCode, answer.body).toBe(200);
        return answer.json<Record<string, unknown>>();
      };
      const { user } = currentUserSchema.parse(await call('GET', '/me'));
      const webhook_url = 'http://10.1.2.9:8080/api';
      await call('PATCH', '/me', { notification_preferences: { ...user.notification_preferences, webhook_url } });
      await call('PUT', '/me/notification_slack', { url: 'https://10.1.2.9/services/x' });
      for (const channel of ['webhook', 'slack']) {
        expect(await call('POST', '/me/notification_test', { channel })).toMatchObject({
          ok: false,
          message: '10.1.2.9 leads to an address that is not allowed (private).',
        });
      }
    }
  });

  it.each([
    '127.0.0.1',
    '127.0.0.0/8',
    '169.254.169.254',
    '169.254.0.0/16',
    '100.64.0.0/10',
    '0.0.0.0/0',
    '10.0.0.0/7',
    '192.168.1.0/24',
    'fd00::/8',
    'fe80::/10',
    '::1',
    '::ffff:10.0.0.1',
    '8.8.8.8',
    '010.1.2.3',
    '10.1.2.3/99',
  ])(
    'cannot be %s, which is not private or not opened by the operator, and the attempt is on record',
    async (network) => {
      const refused = await put([{ network: '10.1.2.3' }, { network }]);
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: [{ path: 'body.networks.1.network' }] },
      });
      expect((await get()).networks).toEqual([]);
      expect(await records()).toMatchObject([{ outcome: 'refused', code: 'VALIDATION_FAILED' }]);
    },
  );

  it.each(['SystemManager', 'Analyst', 'ReadOnly'] as const)('are not for a %s to see or name', async (role) => {
    const who = await server.createActor({ home: tenant, roles: { [tenant]: role } });
    expect(await put([{ network: '10.1.2.3' }], who)).toMatchObject({ status: 403 });
    expect((await server.inject({ url: path(), headers: who.headers })).statusCode).toBe(403);
  });

  it('of another tenant are not to be named', async () => {
    const other = await server.createTenant();
    expect(await put([{ network: '10.1.2.3' }], admin, other)).toMatchObject({ status: 403 });
    expect(await mayReach('10.1.2.3', other)).toBe(false);
  });

  it('do not count any more once the operator has closed them, whatever is stored', async () => {
    await server.stores.database.tenant(tenant, (tx) =>
      tx
        .insertInto('tenant_own_networks')
        .values({
          tenant_id: tenant,
          networks: JSON.stringify([
            { network: '192.168.0.0/16', note: '' },
            { network: '0.0.0.0/0', note: '' },
          ]),
          updated_at: new Date(),
        })
        .execute(),
    );
    for (const address of ['192.168.1.1', '127.0.0.1', '169.254.169.254', '10.1.2.3']) {
      expect(await mayReach(address), address).toBe(false);
    }
  });

  it('that the operator has closed are shown as such, stay until they are taken away, and come back by nobody', async () => {
    await server.stores.database.tenant(tenant, (tx) =>
      tx
        .insertInto('tenant_own_networks')
        .values({
          tenant_id: tenant,
          networks: JSON.stringify([{ network: '192.168.0.0/16', note: 'Old office' }]),
          updated_at: new Date(),
        })
        .execute(),
    );
    expect((await get()).networks).toEqual([{ network: '192.168.0.0/16', note: 'Old office', in_force: false }]);
    expect(await put([{ network: '192.168.0.0/16' }, { network: '10.1.2.0/24' }])).toMatchObject({ status: 200 });
    expect((await get()).networks.map(({ in_force }) => in_force)).toEqual([false, true]);
    expect(await mayReach('192.168.1.1')).toBe(false);
    expect(await put([{ network: '192.168.1.0/24' }])).toMatchObject({ status: 400 });
    await put([{ network: '10.1.2.0/24' }]);
    expect(await put([{ network: '192.168.0.0/16' }])).toMatchObject({ status: 400 });
  });

  it('are not written over by somebody who has not seen them, also when twenty try at once', async () => {
    const tries = await Promise.all(
      Array.from({ length: 20 }, (_, index) => put([{ network: `10.9.${index}.0/24` }], admin, tenant, null)),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const { networks, updated_at } = await get();
    expect(networks).toHaveLength(1);
    expect(await put([], admin, tenant, updated_at)).toMatchObject({ status: 200 });
    expect(await put([{ network: '10.1.2.3' }], admin, tenant, updated_at)).toMatchObject({ status: 409 });
  });

  it('are at most fifty', async () => {
    const many = Array.from({ length: 51 }, (_, index) => ({ network: `10.0.0.${index}` }));
    expect(await put(many)).toMatchObject({ status: 400 });
    expect(await put(many.slice(1))).toMatchObject({ status: 200 });
  });
});

describe('what the operator opens', () => {
  it('is private space only', () => {
    for (const wrong of ['0.0.0.0/0', '127.0.0.1', '169.254.0.0/16', '8.8.8.0/24']) {
      expect(() => readConfig({ TENANT_NETWORKS: wrong }, '0.0.0'), wrong).toThrow('TENANT_NETWORKS');
    }
    expect(readConfig({ TENANT_NETWORKS: '10.1.2.3/16,192.168.0.0/24' }, '0.0.0').tenantNetworks).toEqual([
      '10.1.0.0/16',
      '192.168.0.0/24',
    ]);
  });
});

describe('this installation itself', () => {
  const config = {
    http: { host: '0.0.0.0', port: 4000, publicUrl: 'https://Air.example/', trustedProxies: [] },
    stores: { databaseUrl: 'postgresql://u:p@db.internal:5432/a', eventsUrl: 'https://[2001:db8::5]:8443/a' },
    egressAddresses: ['198.51.100.7'],
    filesBucket: { origin: 'https://files.internal', bucket: 'air', region: 'x', accessKey: 'k', secretKey: 's' },
    malwareScanner: { host: 'Clamd.internal', port: 3310 },
    tracing: { url: 'http://collector.internal:4318/v1/traces', headers: {}, serviceName: 'airdeck', share: 1 },
  };
  const address = '10.9.8.7';
  const isOurs = ourAddresses(config, {
    interfaces: () => ({ eth0: [{ address, internal: false } as never] }),
    now: () => new Date(0),
  });
  const at = (host: string) => ({ tenant: 't', host, port: 443 });

  it.each([
    ['its public name', 'air.example', '203.0.113.1'],
    ['its database by name', 'db.internal', '10.0.0.4'],
    ['its events by address', 'x.example', '2001:db8::5'],
    ['its bucket for files', 'files.internal', '10.0.0.5'],
    ['its malware scanner', 'clamd.internal', '10.0.0.7'],
    ['its collector of traces', 'collector.internal', '10.0.0.6'],
    ['the address its calls leave from', 'x.example', '198.51.100.7'],
    ['an interface of its machine', 'x.example', address],
  ])('is known by %s', (_what, host, one) => {
    expect(isOurs(at(host), one)).toBe(true);
  });

  it('is not everything else', () => {
    expect(isOurs(at('vendor.example'), '93.184.216.34')).toBe(false);
  });
});
