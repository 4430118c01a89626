import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { auditOf, call, confirmed, listUsers, usersOf } from '../users/users-fixture.ts';

let server: TestServer;
let tenant: string;
let admin: Actor;
let second: Actor;
let target: Actor;
let users: ReturnType<typeof usersOf>;
let clock = Date.now();

beforeAll(async () => {
  server = await createTestServer({ now: () => new Date(clock) });
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant();
  users = usersOf(tenant);
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  second = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  target = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
});

const roleOfTarget = async () => (await listUsers(server, admin, tenant)).find(({ id }) => id === target.id)?.role;
const setRole = (who: Actor, role: string, headers: Record<string, string> = {}) =>
  call(server, who, { ...users.setRole(target.email, role), headers });
/** Access tokens are short-lived: a later moment needs a new one. */
async function renewed(actor: Actor): Promise<Actor> {
  const { token } = await server.composition.identity.users.openSession(actor.id);
  return { ...actor, headers: { authorization: `Bearer ${token}` } };
}

describe('a question', () => {
  it.each([{}, { 'x-air-confirm': 'yes' }, { 'x-air-confirm': 'TRUE' }, { 'x-air-confirm': '' }])(
    'stays open with the headers %j, and nothing happens',
    async (headers) => {
      const asked = await setRole(admin, 'ReadOnly', headers);
      expect(asked).toMatchObject({ status: 449, body: { code: 'CONFIRMATION_REQUIRED' } });
      expect(await roleOfTarget()).toBe('Analyst');
    },
  );

  it('cannot be answered before it was asked', async () => {
    expect((await setRole(admin, 'ReadOnly', confirmed)).status).toBe(449);
    expect(await roleOfTarget()).toBe('Analyst');
  });

  it('is not answered by somebody else, nor for another value, person or call', async () => {
    await setRole(admin, 'ReadOnly');
    expect((await setRole(second, 'ReadOnly', confirmed)).status).toBe(449);
    expect((await setRole(admin, 'Admin', confirmed)).status).toBe(449);
    const others = [users.setRole(second.email, 'ReadOnly'), users.remove(target.email)];
    for (const other of others) {
      expect((await call(server, admin, { ...other, headers: confirmed })).status).toBe(449);
    }
    expect(await roleOfTarget()).toBe('Analyst');
    expect((await setRole(admin, 'ReadOnly', confirmed)).status).toBe(200);
  });

  it('is not answered for the same in another tenant', async () => {
    const other = await server.createTenant();
    const analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [other]: 'Analyst' } });
    const payload = { action_name: 'http_request.delete', action_input: { path: '/hosts/1' } };
    const destroy = (where: string, headers = {}) =>
      call(server, analyst, { method: 'POST', url: `/api/tenants/${where}/soar/actions_activity`, payload, headers });
    expect((await destroy(tenant)).status).toBe(449);
    expect((await destroy(other, confirmed)).status).toBe(449);
    expect((await destroy(tenant, confirmed)).status).toBe(202);
  });

  it('is answered once, also by twenty at once', async () => {
    await call(server, admin, users.remove(target.email));
    const again = { ...users.remove(target.email), headers: confirmed };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(server, admin, again)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(await auditOf(server, tenant, 'membership.remove')).toHaveLength(1);
    await setRole(admin, 'ReadOnly', confirmed);
    const other = users.setRole(second.email, 'Analyst');
    await call(server, admin, other);
    expect((await call(server, admin, { ...other, headers: confirmed })).status).toBe(200);
    expect((await call(server, admin, { ...other, headers: confirmed })).status).toBe(449);
  });

  it('can be answered for five minutes', async () => {
    await setRole(admin, 'ReadOnly');
    clock += 5 * 60_000;
    const later = await renewed(admin);
    expect((await setRole(later, 'ReadOnly', confirmed)).status).toBe(449);
    clock += 5 * 60_000 - 1000;
    expect((await setRole(await renewed(admin), 'ReadOnly', confirmed)).status).toBe(200);
  });
});

describe('a passphrase', () => {
  const deletion = (passphrase?: string) =>
    ({
      method: 'DELETE',
      url: '/me',
      headers: { ...confirmed, ...(passphrase === undefined ? {} : { 'x-air-confirm-passphrase': passphrase }) },
    }) as const;

  it('that is wrong or missing five times locks, also for the right one, and every try is in the audit, the first with a record and the others counted', async () => {
    await call(server, target, { method: 'DELETE', url: '/me' });
    for (const wrong of [undefined, '', 'yes', admin.email, target.email.toUpperCase()]) {
      expect(await call(server, target, deletion(wrong))).toMatchObject({
        status: 403,
        body: { code: 'CONFIRMATION_WRONG' },
      });
    }
    expect((await call(server, target, deletion(target.email))).status).toBe(429);
    expect(await auditOf(server, tenant, 'user.delete')).toEqual([]);
    clock += 15 * 60_000;
    await server.composition.refusals.tellCounts();
    const refused = (await auditOf(server, tenant, 'route.call')).filter(({ code }) => code === 'CONFIRMATION_WRONG');
    const wrong = { actor_id: target.id, target_id: 'me.delete', outcome: 'refused' };
    expect(refused).toMatchObject([
      { ...wrong, data: {} },
      { ...wrong, data: { repeated: 4 } },
    ]);

    const later = await renewed(target);
    await call(server, later, { method: 'DELETE', url: '/me' });
    expect((await call(server, later, deletion(target.email))).status).toBe(204);
  });

  it('is judged exactly five times by twenty wrong ones at once', async () => {
    await call(server, target, { method: 'DELETE', url: '/me' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(server, target, deletion('wrong'))));
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });
});
