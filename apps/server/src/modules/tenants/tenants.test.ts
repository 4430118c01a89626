import type { Role } from '@airdeck/contracts/access/roles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, fullPlan, type TestServer } from '../../http/test-server.ts';

let server: TestServer;
let tenant: string;
let other: string;
let shared: Actor;
let foreign: Actor;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant({ name: 'Harbour' });
  other = await server.createTenant({ name: 'Inland' });
  shared = await server.createActor({ home: other, roles: { [tenant]: 'Analyst', [other]: 'Admin' } });
  foreign = await server.createActor({ home: other, roles: { [other]: 'ReadOnly' } });
});
afterAll(() => server?.close());

describe('tenants', () => {
  it('show themselves with their plan to members', async () => {
    const answer = await server.inject({ url: `/api/tenants/${tenant}`, headers: shared.headers });
    expect(answer.json()).toMatchObject({ id: tenant, name: 'Harbour', managed_by: null, sku_info: fullPlan });
  });

  it('name the provider that manages them to their Admins, and to nobody else', async () => {
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    const customer = await server.stores.database.system((tx) =>
      server.composition.tenants.createTenant(tx, { name: 'Ferry', managedBy: tenant, skuInfo: fullPlan }, by),
    );
    const seenBy = async (role: Role) => {
      const actor = await server.createActor({ home: customer, roles: { [customer]: role } });
      return (await server.inject({ url: `/api/tenants/${customer}`, headers: actor.headers })).json();
    };
    expect(await seenBy('Admin')).toMatchObject({ managed_by: tenant, managed_by_name: 'Harbour' });
    for (const role of ['SystemManager', 'Analyst', 'ReadOnly'] as const) {
      expect(await seenBy(role)).toMatchObject({ managed_by: tenant, managed_by_name: null });
    }
  });

  it('are listed in /me with the role in each', async () => {
    const me = (await server.inject({ url: '/me', headers: shared.headers })).json<{
      user: { tenant: string };
      allowed_tenants: { fullname: string }[];
      tenant_roles: Record<string, string>;
    }>();
    expect(me.user.tenant).toBe(other);
    expect(me.allowed_tenants.map((entry) => entry.fullname)).toEqual(['Harbour', 'Inland']);
    expect(me.tenant_roles).toEqual({ [tenant]: 'Analyst', [other]: 'Admin' });
  });

  it('see only their own rows, and the people who work in them wherever their home is', async () => {
    const seen = await server.stores.database.tenant(tenant, async (tx) => ({
      tenants: (await tx.selectFrom('tenant').select('id').execute()).map((row) => row.id),
      members: (await tx.selectFrom('membership').select('user_id').execute()).map((row) => row.user_id),
      people: (await tx.selectFrom('app_user').select('id').execute()).map((row) => row.id),
    }));
    expect(seen).toEqual({ tenants: [tenant], members: [shared.id], people: [shared.id] });
    expect(seen.people).not.toContain(foreign.id);
  });

  it('cannot write what belongs to all: plans, users, memberships of others', async () => {
    const { database } = server.stores;
    const refused = { code: '42501' };
    const plan = database.tenant(tenant, (tx) => tx.updateTable('tenant').set({ name: 'Mine' }).execute());
    await expect(plan).rejects.toMatchObject(refused);
    const user = database.tenant(tenant, (tx) => tx.updateTable('app_user').set({ status: 'disabled' }).execute());
    await expect(user).rejects.toMatchObject(refused);
    const membership = database.tenant(tenant, (tx) =>
      tx.insertInto('membership').values({ tenant_id: other, user_id: shared.id, role: 'Admin' }).execute(),
    );
    await expect(membership).rejects.toMatchObject(refused);
  });
});
