import { Readable } from 'node:stream';
import { tenantSettingsSchema } from '@airdeck/contracts/settings/schema';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, fullPlan, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { tenantSettings } from './settings-module.ts';

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]).toString('base64');

let server: TestServer;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant({ name: 'Harbour' });
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

async function read(who = admin) {
  const answer = await server.inject({ url: `/api/tenants/${tenant}/settings`, headers: who.headers });
  expect(answer.statusCode).toBe(200);
  return tenantSettingsSchema.parse(answer.json());
}

async function change(body: object, who = admin) {
  const answer = await server.inject({
    method: 'PATCH',
    url: `/api/tenants/${tenant}/settings`,
    headers: { ...who.headers, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

const connect = (enabled = true) =>
  server.stores.database.system((tx) =>
    tx
      .insertInto('sso_connection')
      .values({
        id: v7(),
        tenant_id: tenant,
        kind: 'oidc',
        label: 'Company',
        issuer: 'https://issuer.example',
        client_id: 'airdeck',
        wrapped_key: 'null',
        sealed_secret: 'null',
        secret_set_at: null,
        domains: ['company.example'],
        join_enabled: false,
        default_role: null,
        groups_claim: 'groups',
        group_roles: '[]',
        enabled,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute(),
  );

const prove = (proved_at: Date | null) =>
  server.stores.database.system((tx) =>
    tx
      .insertInto('sso_domain')
      .values({
        tenant_id: tenant,
        domain: 'company.example',
        token: '',
        proved_at,
        checked_at: null,
        created_at: new Date(),
      })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'domain']).doUpdateSet({ proved_at }))
      .execute(),
  );

const records = () =>
  server.stores.database.tenant(tenant, (tx) =>
    tx.selectFrom('audit_record').selectAll().where('actor_kind', '=', 'user').orderBy('sequence').execute(),
  );

describe('settings of a tenant', () => {
  it('begin with defaults, and keep what is not part of a change', async () => {
    expect(await read()).toMatchObject({
      name: 'Harbour',
      brand: { display_name: '', colour: null, logo: null },
      mfa: { required_for_social: false },
      sign_in: { sso_required: false, break_glass: [] },
      retention: { days: 90, plan_days: 90, search_days: 30 },
      automation: { enabled: true, changed_by: null, changed_at: null },
      approvals: { two_people: false },
      is_provider: false,
    });
    const brand = { display_name: 'Harbour Co', colour: '#0b7285', logo: `data:image/png;base64,${png}` };
    expect((await change({ name: 'Harbour Ltd', brand })).status).toBe(200);
    expect((await change({ mfa: { required_for_social: true } })).status).toBe(200);
    expect(await read()).toMatchObject({ name: 'Harbour Ltd', brand, mfa: { required_for_social: true } });
  });

  it('keep of the brand and the sign-in what is not given, so that two Admins change different fields', async () => {
    const logo = `data:image/png;base64,${png}`;
    await change({ brand: { display_name: 'Harbour Co', colour: '#0b7285', logo } });
    await Promise.all([change({ brand: { colour: null } }), change({ brand: { display_name: 'Quay' } })]);
    expect((await read()).brand).toEqual({ display_name: 'Quay', colour: null, logo });
    await change({ sign_in: { break_glass: [admin.email] } });
    await connect();
    await prove(new Date());
    expect((await change({ sign_in: { sso_required: true } })).status).toBe(200);
    expect((await read()).sign_in).toEqual({ sso_required: true, unlinked_members: 0, break_glass: [admin.email] });
    expect((await change({ sign_in: { break_glass: [] } })).status).toBe(409);
    expect((await records()).at(-1)?.data).toEqual({ sso_required: { from: false, to: true } });
    // It is theirs alone.
    await prove(null);
  });

  it('leave one record for each change, saying from what to what and never the picture', async () => {
    await change({ name: 'Quay', brand: { display_name: '', colour: null, logo: `data:image/png;base64,${png}` } });
    const [record, ...others] = await records();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      action: 'settings.update',
      actor_name: admin.email,
      data: { name: { from: 'Harbour', to: 'Quay' }, brand: { from: { logo: false }, to: { logo: true } } },
    });
    expect(JSON.stringify(record?.data)).not.toContain(png.slice(0, 10));
  });

  it.each([
    ['a colour that is none', { brand: { display_name: '', colour: 'red;}', logo: null } }],
    [
      'a picture of another type',
      { brand: { display_name: '', colour: null, logo: 'data:image/svg+xml;base64,AAAA' } },
    ],
    [
      'something else under the name of a PNG',
      {
        brand: {
          display_name: '',
          colour: null,
          logo: `data:image/png;base64,${Buffer.from('<svg/>').toString('base64')}`,
        },
      },
    ],
    ['the plan', { sku_info: { retention_length_days: 3650 } }],
    ['being a provider', { is_provider: true }],
    ['another tenant', { managed_by: v7() }],
    ['an empty name', { name: '  ' }],
  ])('cannot be %s', async (_name, body) => {
    expect(await change(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect((await records()).filter(({ outcome }) => outcome === 'ok')).toEqual([]);
  });

  it("do not leak into another tenant's", async () => {
    const other = await server.createTenant();
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    expect((await change({ name: 'Mine' }, stranger)).status).toBe(403);
    const answer = await server.inject({ url: `/api/tenants/${other}/settings`, headers: stranger.headers });
    await change({ name: 'Only here', automation: { enabled: false } });
    const again = await server.inject({ url: `/api/tenants/${other}/settings`, headers: stranger.headers });
    expect(again.json()).toEqual(answer.json());
  });

  it('survive Admins who change different parts at the same moment', async () => {
    const parts = [
      { name: 'Together' },
      { mfa: { required_for_social: true } },
      { retention: { days: 7 } },
      { automation: { enabled: false } },
    ];
    const answers = await Promise.all(parts.map((part) => change(part)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await read()).toMatchObject({
      name: 'Together',
      mfa: { required_for_social: true },
      retention: { days: 7 },
      automation: { enabled: false, changed_by: admin.email },
    });
  });

  it('do not change when the audit log cannot be written', async () => {
    const owner = new pg.Client({ connectionString: server.stores.url });
    await owner.connect();
    await owner.query(`create function refuse_all() returns trigger language plpgsql as $$
      begin raise exception 'disk full' using errcode = '53100'; end $$`);
    await owner.query(
      'create trigger refuse_all before insert on audit_record for each row execute function refuse_all()',
    );
    const before = await read();
    const answer = await change({ name: 'Unrecorded', automation: { enabled: false } });
    await owner.query('drop trigger refuse_all on audit_record');
    await owner.end();
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(answer.body)).not.toContain('disk full');
    expect(await read()).toEqual(before);
  });
});

describe('the time events are kept', () => {
  async function keptDays(): Promise<number> {
    const { work } = server.composition;
    const source = await server.stores.database.tenant(tenant, (tx) =>
      work.sources.createSource(tx, trustedTenantScope(tenant), { name: v7(), kind: 'ndjson' }, by),
    );
    await work.ingestion.http.deliver({
      tenantId: tenant,
      sourceId: source.id,
      headers: { authorization: `Bearer ${source.token}`, 'content-type': 'application/x-ndjson' },
      stream: Readable.from([Buffer.from(`${JSON.stringify({ message: 'hello' })}\n`)]),
    });
    const [row] = await server.stores.events.query<{ retention_days: number }>({
      tenant,
      sql: 'select retention_days from events where tenant = {tenant:UUID} and source = {source:UUID}',
      params: { source: source.id },
    });
    return Number(row?.retention_days);
  }

  it('is what the tenant chose, for new events at once', async () => {
    expect(await keptDays()).toBe(90);
    expect((await change({ retention: { days: 14 } })).status).toBe(200);
    expect(await keptDays()).toBe(14);
  });

  it('is never longer than the plan, also when the plan is made smaller later', async () => {
    const refused = await change({ retention: { days: 91 } });
    expect(refused).toMatchObject({ status: 400, body: { details: [{ path: 'body.retention.days' }] } });
    expect((await change({ retention: { days: 60 } })).status).toBe(200);
    await server.stores.database.system((tx) =>
      tx
        .updateTable('tenant')
        .set({ sku_info: JSON.stringify({ ...fullPlan, retention_length_days: 30 }) })
        .where('id', '=', tenant)
        .execute(),
    );
    expect((await read()).retention).toMatchObject({ days: 30, plan_days: 30 });
    expect(await keptDays()).toBe(30);
  });
});

describe('single sign-on as the only way in', () => {
  it('needs a break-glass account, and an enabled connection an address leads to', async () => {
    const without = await change({ sign_in: { sso_required: true, break_glass: [] } });
    expect(without).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(without.body.message).toMatch(/break-glass account/);
    const wanted = { sign_in: { sso_required: true, break_glass: [admin.email] } };
    await connect(false);
    const unconnected = await change(wanted);
    expect(unconnected).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(unconnected.body.message).toMatch(/connection/);
    await prove(new Date());
    expect((await change(wanted)).status).toBe(409);
    await connect();
    await prove(null);
    expect((await change(wanted)).body.message).toMatch(/prove/);
    await prove(new Date());
    expect((await change(wanted)).status).toBe(200);
    const policy = await server.stores.database.system((tx) => tenantSettings.signInPolicy(tx, tenant));
    expect(policy).toEqual({ ssoRequired: true, breakGlass: [admin.email], socialNeedsAuthenticator: false });
    expect((await change({ sign_in: { sso_required: true, break_glass: [] } })).status).toBe(409);
  });

  it('takes only Admins with password and authenticator for break glass', async () => {
    const analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const weak = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' }, mfa: false });
    const foreign = await server.createTenant();
    const stranger = await server.createActor({ home: foreign, roles: { [foreign]: 'Admin' } });
    const disabled = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    await server.stores.database.system((tx) =>
      server.composition.tenants.setUserStatus(tx, disabled.id, 'disabled', by),
    );
    const external = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    const owner = new pg.Client({ connectionString: server.stores.url });
    await owner.connect();
    await owner.query(
      `delete from identity."account" where "userId" = (select "id" from identity."user" where "externalId" = $1)`,
      [external.id],
    );
    await owner.end();
    for (const username of [analyst.email, weak.email, stranger.email, disabled.email, external.email, 'nobody', '%']) {
      const refused = await change({ sign_in: { sso_required: false, break_glass: [admin.email, username] } });
      expect(refused, username).toMatchObject({
        status: 400,
        body: { details: [{ path: 'body.sign_in.break_glass', message: expect.stringContaining(username) }] },
      });
    }
    expect((await read()).sign_in.break_glass).toEqual([]);
  });

  it('is not asked for where nothing was set', async () => {
    const policy = await server.stores.database.system((tx) => tenantSettings.signInPolicy(tx, tenant));
    expect(policy).toEqual({ ssoRequired: false, breakGlass: [], socialNeedsAuthenticator: false });
  });
});
