import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { auditOf, by, call, callConfirmed, confirmed, listUsers } from '../users/users-fixture.ts';

let server: TestServer;
let tenant: string;
let other: string;
let admin: Actor;
let actor: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant({ name: 'Harbour' });
  other = await server.createTenant({ name: 'Inland' });
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [other]: 'Admin' } });
});

const change = (payload: object) => call(server, actor, { method: 'PATCH', url: '/me', payload });
const deletion = (passphrase: string) =>
  ({ method: 'DELETE', url: '/me', headers: { 'x-air-confirm-passphrase': passphrase } }) as const;

describe('the own profile', () => {
  it('is changed by its owner and audited by the names of the fields', async () => {
    const profile = {
      fullname: 'Ana Souza',
      phone: '+55 11 5555-0100',
      job_title: 'Analyst',
      locale: 'pt-BR',
      timezone: 'America/Sao_Paulo',
    };
    expect(await change(profile)).toMatchObject({ status: 200, body: { user: profile } });
    expect(await change({ timezone: '' })).toMatchObject({ body: { user: { ...profile, timezone: '' } } });
    const [first] = await auditOf(server, tenant, 'user.update');
    expect(first).toMatchObject({ actor_id: actor.id, data: { fields: Object.keys(profile).sort() } });
    expect(JSON.stringify(first?.data)).not.toContain('Souza');
  });

  it.each([
    { role: 'Admin' },
    { tenant_roles: {} },
    { uname: 'somebody@example.com' },
    { email: 'somebody@example.com' },
    { tenant: '01a1fb94-b561-76ac-8033-bf029575ae58' },
    { status: 'active' },
    { user: { fullname: 'A' } },
    { sku_info: {} },
    { timezone: 'Mars/Olympus' },
    { timezone: '+02:00' },
    { locale: 'de-DE' },
    { phone: 'call me' },
    { fullname: '' },
  ])('does not take %j', async (payload) => {
    expect((await change({ job_title: 'Thief', ...payload })).status).toBe(400);
    const me = await call<{ user: { job_title: string } }>(server, actor, { url: '/me' });
    expect(me.body.user.job_title).toBe('');
  });

  it('stores what no database takes as a replacement character', async () => {
    expect(await change({ fullname: 'A\0na', job_title: '\ud800' })).toMatchObject({
      body: { user: { fullname: 'A\ufffdna', job_title: '\ufffd' } },
    });
  });

  it('keeps what is said about kinds of notices that whoever saves does not know', async () => {
    const inApp = { in_app: true, mail: false, webhook: false, slack: false };
    const nowhere = { ...inApp, in_app: false };
    type Me = { user: { notification_preferences: { kinds: Record<string, object> } } };
    const preferences = async () => (await call<Me>(server, actor, { url: '/me' })).body.user.notification_preferences;
    const stored = async () =>
      (await server.stores.database.system((tx) => server.composition.tenants.findUser(tx, actor.id)))
        ?.notification_preferences;
    const { kinds, ...rest } = await preferences();
    await change({ notification_preferences: { ...rest, kinds: { ...kinds, work_stalled: nowhere } } });
    const ofNextRelease = { ...rest, kinds: { ...kinds, work_stalled: nowhere, sun_rises: nowhere } };
    await server.stores.database.system((tx) =>
      tx
        .updateTable('app_user')
        .set({ notification_preferences: JSON.stringify(ofNextRelease) })
        .where('id', '=', actor.id)
        .execute(),
    );
    const shown = await preferences();
    expect(Object.keys(shown.kinds)).toEqual(Object.keys(kinds));

    const { work_stalled: _, ...known } = shown.kinds;
    const saved = await change({ notification_preferences: { ...rest, kinds: { ...known, run_failed: nowhere } } });
    expect(saved).toMatchObject({ status: 200 });
    expect((await preferences()).kinds).toMatchObject({ work_stalled: nowhere, run_failed: nowhere });
    expect((await stored())?.kinds).toMatchObject({ sun_rises: nowhere });
    const unknown = { ...rest, kinds: { ...known, sun_rises: nowhere } };
    expect(await change({ notification_preferences: unknown })).toMatchObject({ status: 400 });
  });

  it('stores no word about kinds the release before cannot read, while they are as for everybody', async () => {
    type Kinds = { kinds: Record<string, object> };
    const preferences = async () =>
      (await call<{ user: { notification_preferences: Kinds } }>(server, actor, { url: '/me' })).body.user
        .notification_preferences;
    const stored = async () =>
      (await server.stores.database.system((tx) => server.composition.tenants.findUser(tx, actor.id)))
        ?.notification_preferences?.kinds ?? {};
    const as = await preferences();
    const nowhere = { in_app: false, mail: false, webhook: false, slack: false };

    await change({ notification_preferences: { ...as, kinds: { ...as.kinds, run_failed: nowhere } } });
    const kept = Object.keys(await stored());
    expect(kept).toContain('run_failed');
    const unsaid = Object.keys(as.kinds).filter((kind) => !kept.includes(kind));
    expect(unsaid).toEqual(['automation_stopped', 'objective_missed', 'work_stalled']);
    expect((await preferences()).kinds).toEqual({ ...as.kinds, run_failed: nowhere });

    await change({ notification_preferences: { ...as, kinds: { ...as.kinds, work_stalled: nowhere } } });
    expect(await stored()).toMatchObject({ work_stalled: nowhere });
    await change({ notification_preferences: as });
    expect(await stored()).not.toHaveProperty('work_stalled');
  });

  it('changes of the notices only what is said, whoever changes another part at the same time', async () => {
    type Me = { user: { notification_preferences: { kinds: Record<string, Record<string, boolean>> } } };
    const before = (await call<Me>(server, actor, { url: '/me' })).body.user.notification_preferences;
    const webhook_url = 'https://hooks.example.com/new';
    const answers = await Promise.all(
      [
        { webhook_url },
        { digest: 'daily' },
        { quiet_hours: { from: '21:00' } },
        { quiet_hours: { enabled: true } },
        { kinds: { run_failed: { webhook: true } } },
        { kinds: { run_failed: { mail: true }, report_ready: { in_app: false } } },
      ].map((notification_preferences) => change({ notification_preferences })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { kinds } = before;
    expect((await call<Me>(server, actor, { url: '/me' })).body.user.notification_preferences).toEqual({
      ...{ webhook_url, digest: 'daily', quiet_hours: { enabled: true, from: '21:00', to: '07:00' } },
      kinds: {
        ...kinds,
        run_failed: { ...kinds.run_failed, webhook: true, mail: true },
        report_ready: { ...kinds.report_ready, in_app: false },
      },
    });
  });

  it('says whether an account of another provider is enough, by the rules of the home tenant and no other', async () => {
    const social = async () =>
      (await call<{ user: { social: boolean } }>(server, actor, { url: '/me' })).body.user.social;
    const ask = (by: Actor, of: string, required_for_social: boolean) =>
      call(server, by, {
        ...{ method: 'PATCH', url: `/api/tenants/${of}/settings`, payload: { mfa: { required_for_social } } },
      });
    expect(await social()).toBe(false);
    await server.stores.database.system((tx) => linkAccount(tx, actor.id));
    expect(await social()).toBe(true);
    expect((await ask(actor, other, true)).status).toBe(200);
    expect(await social()).toBe(true);
    expect((await ask(admin, tenant, true)).status).toBe(200);
    expect(await social()).toBe(false);
    expect((await ask(admin, tenant, false)).status).toBe(200);
    expect(await social()).toBe(true);
  });
});

describe('deleting the own account', () => {
  it('asks for the own user name, then leaves nothing personal and nothing that works', async () => {
    const key = await server.createApiKey(actor, { tenant, role: 'Analyst' });
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: other, user: admin.id, role: 'Admin' }, by),
    );
    const asked = await call(server, actor, { method: 'DELETE', url: '/me' });
    expect(asked).toMatchObject({
      status: 449,
      body: { confirm: { passphrase_hint: expect.stringContaining(actor.email) } },
    });
    const { headers } = deletion(actor.email);
    expect(
      await call(server, actor, { method: 'DELETE', url: '/me', headers: { ...headers, ...confirmed } }),
    ).toMatchObject({ status: 204 });
    await expect.poll(async () => (await call(server, actor, { url: '/me' })).status).toBe(401);
    const withKey = { headers: { authorization: `Bearer ${key}` } };
    expect((await call(server, withKey, { url: '/me' })).status).toBe(401);
    expect((await listUsers(server, admin, tenant, 'show_all=true')).map(({ id }) => id)).toEqual([admin.id]);
    const kept = await server.stores.database.system(async (tx) => ({
      row: await server.composition.tenants.findUser(tx, actor.id),
      external: await server.composition.identity.users.findExternalId(actor.email),
    }));
    expect(kept.external).toBeUndefined();
    expect(JSON.stringify(kept.row)).not.toContain(actor.email);
    expect(kept.row).toMatchObject({ status: 'disabled', fullname: 'Deleted user' });
    expect(await auditOf(server, tenant, 'user.delete')).toMatchObject([{ actor_name: actor.email }]);
    expect(await auditOf(server, other, 'membership.remove')).toHaveLength(1);
    const { audit } = server.composition;
    for (const id of [tenant, other]) {
      const verdict = await server.stores.database.system((tx) => audit.verify(tx, trustedTenantScope(id)));
      expect(verdict).toMatchObject({ intact: true });
    }
  });

  it.each([
    ['by the person', async (leaver: Actor) => (await callConfirmed(server, leaver, deletion(leaver.email))).status],
    [
      'by beginning anew',
      async ({ id }: Actor) => {
        await server.stores.database.system((tx) => server.composition.tenants.deleteUser(tx, id, by));
        return 204;
      },
    ],
  ])('keeps no address, key, device, notice or search of their own when done %s', async (_name, remove) => {
    const leaver = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const at = new Date();
    const text = { kind: 'run_failed', title: 'Failed', text: 'It failed', link: null, created_at: at } as const;
    const notice = { ...text, event_id: v7(), tenant_id: tenant, user_id: leaver.id };
    const { id: user_id } = leaver;
    await server.stores.database.system(async (tx) => {
      await tx
        .insertInto('notification')
        .values({ ...notice, read_at: null })
        .execute();
      await tx
        .insertInto('notification_delivery')
        .values({ ...notice, channel: 'webhook', due_at: new Date(at.getTime() + 3_600_000) })
        .execute();
      await tx
        .insertInto('notification_pace')
        .values({ user_id, channel: 'mail', window_start: at, sent: 1 })
        .execute();
      await tx
        .insertInto('notification_slack')
        .values({ user_id, host: 'hooks.slack.com', wrapped_key: '{}', sealed_url: '{}', set_at: at })
        .execute();
      await tx
        .insertInto('notification_failure')
        .values({ user_id, channel: 'slack', address: 'a', at, told: '{"message":"Gone."}' })
        .execute();
      await tx.insertInto('notification_webhook_key').values({ user_id, version: 'v', created_at: at }).execute();
      await tx.insertInto('known_device').values({ user_id, fingerprint: 'f', last_seen_at: at }).execute();
      await tx.insertInto('user_sign_in').values({ user_id, last_sign_in_at: at }).execute();
      await tx
        .insertInto('home_layout')
        .values({ user_id, version: 1, widgets: null, known: [], saved_at: at })
        .execute();
      const saved = { tenant_id: tenant, owner_id: user_id, criteria: '{}', time_range: '{}', columns: '[]' };
      const searches = [true, false].map((shared) => ({ ...saved, id: v7(), name: `Shared: ${shared}`, shared }));
      await tx
        .insertInto('saved_search')
        .values(searches.map((one) => ({ ...one, sort: 'newest', created_at: at, updated_at: at }) as const))
        .execute();
    });
    const searches = async () => {
      const owned = server.stores.database.system((tx) =>
        tx.selectFrom('saved_search').select('name').where('owner_id', '=', user_id).orderBy('name').execute(),
      );
      return (await owned).map(({ name }) => name);
    };
    const personal = async () => {
      const tables = [
        'notification',
        'notification_delivery',
        'notification_pace',
        'notification_slack',
        'notification_failure',
        'notification_webhook_key',
        'known_device',
        'user_sign_in',
        'home_layout',
      ];
      const left = await server.stores.database.system((tx) =>
        Promise.all(
          tables.map(async (table) => {
            const { rows } = await sql`select from ${sql.table(table)} where user_id = ${user_id}`.execute(tx);
            return rows.length === 0 ? [] : [table];
          }),
        ),
      );
      return left.flat();
    };
    expect(await personal()).toHaveLength(9);
    expect(await searches()).toEqual(['Shared: false', 'Shared: true']);
    expect(await remove(leaver)).toBe(204);
    expect(await personal()).toEqual([]);
    // What is shared is the tenant's.
    expect(await searches()).toEqual(['Shared: true']);
  });

  it('is refused to the only Admin of a tenant, which is named, whatever the answer to the question', async () => {
    const refused = await callConfirmed(server, actor, deletion(actor.email));
    expect(refused).toMatchObject({ status: 409, body: { code: 'LAST_ADMIN' } });
    expect(refused.body.message).toContain('Inland');
    expect(refused.body.message).not.toContain('Harbour');
  });

  it('leaves a tenant one of two Admins who delete themselves at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const home = await server.createTenant();
      const pair = [
        await server.createActor({ home, roles: { [home]: 'Admin' } }),
        await server.createActor({ home, roles: { [home]: 'Admin' } }),
      ];
      const answers = await Promise.all(pair.map((who) => callConfirmed(server, who, deletion(who.email))));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    }
  });

  it('frees the address for a new invitation', async () => {
    const leaver = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    expect((await callConfirmed(server, leaver, deletion(leaver.email))).status).toBe(204);
    const invited = await call(server, admin, {
      method: 'PUT',
      url: `/api/tenants/${tenant}/users`,
      payload: { email: leaver.email, fullname: 'Again', role: 'Analyst' },
    });
    expect(invited).toMatchObject({ status: 200, body: { status: 'invited' } });
    expect(invited.body.id).not.toBe(leaver.id);
  });
});

async function linkAccount(tx: Tx, externalId: string): Promise<void> {
  await sql`
    insert into identity."account" ("id", "accountId", "providerId", "userId", "updatedAt")
    select ${v7()}, 'subject', 'oidc:https://issuer.example', u."id", now()
    from identity."user" u where u."externalId" = ${externalId}`.execute(tx);
}
