import { createEgress } from '@airdeck/connector-kit/egress';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import { LOCAL_ISSUER } from '../identity/sign-in-provider.ts';
import { attachAccount, noteDirectory } from '../identity/sso-accounts.ts';
import { tenantSettings } from '../settings/settings-module.ts';
import { tenantChanges } from '../tenants/tenant-changes.ts';
import { auditOf } from '../users/users-fixture.ts';
import { CLAIM_LIVES_MS, createActivation } from './activation.ts';
import type { MarketplaceClient } from './marketplace-client.ts';
import { createMarketplaceClient } from './marketplace-client.ts';
import { createMarketplaceFixture, type Fixture, marketplaceEnv, plans, type Visitor } from './marketplace-fixture.ts';
import { createPurchases } from './purchases.ts';

let fixture: Fixture;
let clock = Date.now();
const now = () => new Date(clock);

beforeAll(async () => {
  fixture = await createMarketplaceFixture({ now });
});
afterAll(() => fixture?.close());

const activations = (id: string) =>
  fixture.standIn.calls('activate').filter((call) => call.path.includes(`/${id}/`)).length;
const meOf = async (visitor: Visitor) => (await fixture.server.inject({ url: '/me', headers: visitor.headers })).json();

type Directory = { tenantId: string; objectId: string };

/** As if the visitor had linked an account of that directory; `wasLongAgo`: before its ids were kept. */
async function linkDirectory({ subject }: Visitor, { tenantId, objectId }: Directory, { wasLongAgo = false } = {}) {
  const proof = {
    ...{ issuer: `https://login.microsoftonline.com/${tenantId}/v2.0`, subject: v7(), email: null, name: 'Ana' },
    directory: { tenant: tenantId, object: objectId },
  };
  const attached = wasLongAgo ? { ...proof, directory: null } : proof;
  const connection = { id: 'microsoft', label: 'Microsoft' };
  await fixture.server.stores.database.system((tx) =>
    attachAccount(sqlClient(tx), { id: v7(), identityUserId: subject, proof: attached, connection, at: now() }),
  );
  return proof;
}

describe('whose purchase it is', () => {
  it('is told by the ids of the directory before any address', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: 'an.alias@contoso.example' });
    const isFor = async () => (await fixture.details(visitor, token)).json<{ is_for_caller: boolean }>().is_for_caller;
    expect(await isFor()).toBe(false);
    const { tenantId, objectId } = subscription.beneficiary;
    const proof = await linkDirectory(visitor, { tenantId, objectId }, { wasLongAgo: true });
    expect(await isFor()).toBe(false);
    // The next sign-in tells them.
    await fixture.server.stores.database.system((tx) => noteDirectory(sqlClient(tx), proof));
    expect(await isFor()).toBe(true);
    expect((await fixture.activate(visitor, token)).statusCode).toBe(200);
  });

  it('is not that of a colleague who has the address now', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email });
    await linkDirectory(visitor, { tenantId: subscription.beneficiary.tenantId, objectId: v7() });
    const { statusCode, body } = await fixture.activate(visitor, token);
    expect({ statusCode, ...JSON.parse(body) }).toMatchObject({ statusCode: 403, code: 'MARKETPLACE_FOR_ANOTHER' });
    expect(await fixture.subscriptionRow(subscription.id)).toBeUndefined();
  });

  it('is told by the verified address where there are no ids to compare', async () => {
    const visitor = await fixture.visitor();
    const { token } = fixture.standIn.buy({ email: visitor.email });
    await linkDirectory(visitor, { tenantId: v7(), objectId: v7() });
    expect((await fixture.activate(visitor, token)).statusCode).toBe(200);
  });
});

describe('details of a purchase', () => {
  it('are shown without effect, and the marketplace is asked once a minute', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email });
    const asked = () => fixture.standIn.calls('resolve').length;
    const before = asked();
    const { statusCode, body } = await fixture.details(visitor, token);
    expect({ statusCode, ...JSON.parse(body) }).toEqual({
      statusCode: 200,
      subscription_id: subscription.id,
      subscription_name: 'Contoso',
      offer_id: 'airdeck',
      plan_id: 'standard',
      quantity: 20,
      status: 'PendingFulfillmentStart',
      is_test: false,
      beneficiary_email: visitor.email,
      purchaser_email: `buyer-of-${visitor.email}`,
      is_for_caller: true,
      tenant: null,
      user_linked: false,
    });
    await Promise.all(Array.from({ length: 5 }, () => fixture.details(visitor, token)));
    expect(asked()).toBe(before + 1);
    clock += 61_000;
    await fixture.details(visitor, token);
    expect(asked()).toBe(before + 2);
    expect(await fixture.subscriptionRow(subscription.id)).toBeUndefined();
  });

  it('reach the marketplace with the token as it was before its one encoding, a bare plus included', async () => {
    const visitor = await fixture.visitor();
    const { token } = fixture.standIn.buy({ email: visitor.email });
    expect(token).toMatch(/\+.*%2B/);
    await fixture.details(visitor, token);
    expect(fixture.standIn.calls('resolve').at(-1)?.headers['x-ms-marketplace-token']).toBe(token);
    const { headers } = visitor;
    const bare = encodeURIComponent(token).replace('%2B', '+');
    const url = `/external_providers/azure_marketplace/signup_details?token=${bare}`;
    expect((await fixture.server.inject({ url, headers })).statusCode).toBe(200);
  });

  it('say to others whose it is only as far as the owner would recognise it', async () => {
    const [owner, other] = [await fixture.visitor(), await fixture.visitor()];
    const { token } = fixture.standIn.buy({ email: owner.email });
    expect((await fixture.details(other, token)).json()).toMatchObject({
      is_for_caller: false,
      beneficiary_email: 'v…@contoso.example',
      purchaser_email: 'b…@contoso.example',
    });
  });

  it.each([
    ['made-up', 'made-up'],
    ['of two lines', 'with\nline'],
    ['not of ASCII', 'ünicode'],
    ['very long', 'x'.repeat(4096)],
  ])('are refused for a token nobody gave out: %s', async (_what, token) => {
    const answer = await fixture.details(await fixture.visitor(), token);
    expect(answer.json()).toMatchObject({ code: 'MARKETPLACE_TOKEN_INVALID' });
  });

  it('need a sign-in, and are given twenty times a minute at most', async () => {
    const visitor = await fixture.visitor();
    const { token } = fixture.standIn.buy({ email: visitor.email });
    expect((await fixture.details({ headers: {} }, token)).statusCode).toBe(401);
    const answers = await Promise.all(Array.from({ length: 25 }, () => fixture.details(visitor, token)));
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.json()).toMatchObject({ code: 'RATE_LIMITED' });
  });
});

describe('activating a purchase', () => {
  it('opens a tenant with plan and seats for a new person, who is its Admin, and tells the marketplace', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email.toUpperCase() });
    const answer = await fixture.activate(visitor, token, { tenant_name: 'Contoso Brasil', fullname: 'Ana Lima' });
    expect(answer.json()).toEqual({ tenant: expect.any(String), tenant_name: 'Contoso Brasil' });
    const { tenant } = answer.json<{ tenant: string }>();
    expect(await meOf(visitor)).toMatchObject({
      user: { id: visitor.externalId, email: visitor.email, fullname: 'Ana Lima', tenant },
      tenant_roles: { [tenant]: 'Admin' },
      tenants: { [tenant]: { sku_info: plans.standard, managed_by: null, is_provider: false } },
    });
    expect(fixture.standIn.subscriptions.get(subscription.id)?.saasSubscriptionStatus).toBe('Subscribed');
    const people = (
      await fixture.server.inject({ url: `/api/tenants/${tenant}/users`, headers: visitor.headers })
    ).json();
    expect(people, 'whoever came by the purchase is signed in').toMatchObject([
      { uname: visitor.email, last_sign_in_at: now().toISOString() },
    ]);
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({ state: 'active', is_test: false });
    const contract = await fixture.server.stores.database.system((tx) =>
      tx.selectFrom('contract').selectAll().where('tenant_id', '=', tenant).executeTakeFirstOrThrow(),
    );
    expect(contract).toMatchObject({ seats: 20 });
    expect(await auditOf(fixture.server, tenant, 'marketplace.open')).toMatchObject([{ actor_id: visitor.externalId }]);
    expect(await auditOf(fixture.server, tenant, 'marketplace.activate')).toHaveLength(1);
    expect((await fixture.details(visitor, token)).json()).toMatchObject({
      tenant: { id: tenant, name: 'Contoso Brasil' },
      user_linked: true,
    });
  });

  it('gives a person with an account another tenant', async () => {
    const home = await fixture.server.createTenant();
    const actor = await fixture.server.createActor({ home, roles: { [home]: 'Analyst' } });
    const { token } = fixture.standIn.buy({ email: 'someone@contoso.example', purchaser: buyer(actor.email) });
    const { tenant } = (await fixture.activate(actor, token)).json<{ tenant: string }>();
    const me = (await fixture.server.inject({ url: '/me', headers: actor.headers })).json();
    expect(me).toMatchObject({ user: { tenant: home }, tenant_roles: { [home]: 'Analyst', [tenant]: 'Admin' } });
  });

  it('happens once, however many tries come together', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email, name: `Only one ${v7()}` });
    const answers = await Promise.all(Array.from({ length: 20 }, () => fixture.activate(visitor, token)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map((answer) => answer.json().tenant)).size).toBe(1);
    expect(await fixture.tenantsNamed(subscription.name)).toHaveLength(1);
    expect(activations(subscription.id)).toBe(1);
    clock += 61_000;
    expect((await fixture.activate(visitor, token)).json().tenant).toBe(answers[0]?.json().tenant);
    expect(activations(subscription.id)).toBe(1);
  });

  it('is refused to somebody else, before and after, and that is audited', async () => {
    const [owner, other] = [await fixture.visitor(), await fixture.visitor()];
    const home = await fixture.server.createTenant();
    const member = await fixture.server.createActor({ home, roles: { [home]: 'Admin' } });
    const { subscription, token } = fixture.standIn.buy({ email: owner.email });
    for (const stranger of [other, member]) {
      const answer = await fixture.activate(stranger, token);
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'MARKETPLACE_FOR_ANOTHER']);
    }
    expect(await fixture.subscriptionRow(subscription.id)).toBeUndefined();
    expect(await auditOf(fixture.server, home, 'route.call')).toMatchObject([{ code: 'MARKETPLACE_FOR_ANOTHER' }]);

    const { tenant } = (await fixture.activate(owner, token)).json<{ tenant: string }>();
    expect((await fixture.activate(other, token)).json().code).toBe('MARKETPLACE_FOR_ANOTHER');
    expect(await auditOf(fixture.server, tenant, 'route.call')).toMatchObject([{ code: 'MARKETPLACE_FOR_ANOTHER' }]);
    expect((await fixture.details(other, token)).json()).toMatchObject({ tenant: null, user_linked: false });
    expect((await meOf(other)).code).toBe('ACCOUNT_NOT_FOUND');
  });

  it('is the first of two buyers; the second is told that it is linked', async () => {
    const [beneficiary, purchaser] = [await fixture.visitor(), await fixture.visitor()];
    const { subscription, token } = fixture.standIn.buy({
      email: beneficiary.email,
      purchaser: buyer(purchaser.email),
    });
    const answers = await Promise.all([fixture.activate(beneficiary, token), fixture.activate(purchaser, token)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json().code).toBe('MARKETPLACE_ALREADY_LINKED');
    expect(activations(subscription.id)).toBe(1);
  });

  it('is gone on with by who began it only, not by another buyer who is a member by now', async () => {
    const { server, standIn } = fixture;
    const owner = await fixture.visitor();
    const home = await server.createTenant();
    const purchaser = await server.createActor({ home, roles: { [home]: 'Admin' } });
    const { subscription, token } = standIn.buy({ email: owner.email, purchaser: buyer(purchaser.email) });
    standIn.fail('activate', { status: 500 });
    await fixture.activate(owner, token);
    const tenant = (await fixture.subscriptionRow(subscription.id))?.tenant_id ?? '';
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant, user: purchaser.id, role: 'ReadOnly' }, by),
    );
    expect((await fixture.activate(purchaser, token)).json().code).toBe('MARKETPLACE_ALREADY_LINKED');
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({ state: 'opened' });
    expect((await fixture.activate(owner, token)).statusCode).toBe(200);
  });

  it('is not told twice by a process that was overtaken by another between its steps', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email });
    const real = fixture.server.stores.database;
    let steps = 0;
    const overtaken: Pick<Database, 'system'> = {
      async system(work) {
        if (++steps === 2) expect((await fixture.activate(visitor, token)).statusCode).toBe(200);
        return await real.system(work);
      },
    };
    await activateOn(overtaken, visitor, { token, told: true });
    expect(steps).toBe(2);
    expect(activations(subscription.id)).toBe(1);
  });

  it('does not join an account by its address alone, nor take an address that is not verified', async () => {
    const visitor = await fixture.visitor();
    const { server } = fixture;
    const home = await server.createTenant();
    const actor = await server.createActor({ home, roles: { [home]: 'Admin' } });
    // Another sign-in of the address that an account of ours already carries.
    await server.stores.database.system((tx) =>
      tx.updateTable('app_user').set({ email: visitor.email }).where('id', '=', actor.id).execute(),
    );
    const { token } = fixture.standIn.buy({ email: visitor.email });
    expect((await fixture.activate(visitor, token)).json().code).toBe('MARKETPLACE_FOR_ANOTHER');

    const unverified = await fixture.visitor();
    const own = fixture.standIn.buy({ email: unverified.email });
    await server.stores.database.system((tx) =>
      sqlClient(tx).query('update identity."user" set "emailVerified" = false where "id" = $1', [unverified.subject]),
    );
    expect((await fixture.activate(unverified, own.token)).json().code).toBe('MARKETPLACE_FOR_ANOTHER');
  });

  it('links a subscription that is active already, without activating it again', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email, saasSubscriptionStatus: 'Subscribed' });
    expect((await fixture.activate(visitor, token)).statusCode).toBe(200);
    expect(activations(subscription.id)).toBe(0);
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({ state: 'active' });
  });

  it('marks a test purchase, in its name too', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email, isTest: true });
    expect((await fixture.activate(visitor, token)).json().tenant_name).toBe('Contoso (test)');
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({ is_test: true });
  });

  it.each([
    ['a plan that is not offered', { planId: 'gold' }, /"gold" is not offered/],
    ['a plan named like a property of every object', { planId: 'constructor' }, /"constructor" is not offered/],
    ['a suspended subscription', { saasSubscriptionStatus: 'Suspended' as const }, /is suspended/],
    ['an ended subscription', { saasSubscriptionStatus: 'Unsubscribed' as const }, /has ended/],
  ])('is refused plainly for %s, and nothing is left', async (_what, change, message) => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email, ...change });
    const answer = await fixture.activate(visitor, token);
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'CONFLICT']);
    expect(answer.json().message).toMatch(message);
    expect(await fixture.subscriptionRow(subscription.id)).toBeUndefined();
    expect((await meOf(visitor)).code).toBe('ACCOUNT_NOT_FOUND');
  });

  it('lives with a subscription of which only the necessary is known', async () => {
    const visitor = await fixture.visitor();
    const { token, subscription } = fixture.standIn.buy({ email: visitor.email });
    const { id, beneficiary, planId, saasSubscriptionStatus } = subscription;
    const { emailId } = beneficiary;
    const bare = {
      id,
      planId,
      saasSubscriptionStatus,
      beneficiary: { emailId },
      purchaser: null,
      term: { startDate: '' },
    };
    fixture.standIn.subscriptions.set(id, bare as never);
    expect((await fixture.activate(visitor, token)).json()).toMatchObject({ tenant_name: 'Azure subscription' });
  });
});

describe('an activation that goes wrong', () => {
  it.each([
    ['is refused with 403', { status: 403 }],
    ['is not found', { status: 404 }],
    ['fails with 500 and a page of HTML', { status: 500, body: '<html>' }],
    ['is cut off', { gone: 'cut' as const }],
    ['took effect, but the answer is cut off', { gone: 'late' as const }],
  ])('holds the plan back when the call %s, and is finished by the next try', async (_what, failure) => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email, planId: 'premium' });
    fixture.standIn.fail('activate', failure);
    const answer = await fixture.activate(visitor, token);
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'MARKETPLACE_UNAVAILABLE']);
    const row = await fixture.subscriptionRow(subscription.id);
    expect(row).toMatchObject({ state: 'opened' });
    const tenant = row?.tenant_id ?? '';
    expect(await fixture.planOf(tenant)).toMatchObject({ is_mdr_enabled: false, is_search_enabled: false });
    // The page of the purchase goes on offering it.
    clock += 61_000;
    expect((await fixture.details(visitor, token)).json()).toMatchObject({ tenant: null, is_for_caller: true });

    const happened = fixture.standIn.subscriptions.get(subscription.id)?.saasSubscriptionStatus === 'Subscribed';
    const calls = activations(subscription.id);
    expect((await fixture.activate(visitor, token)).json().tenant).toBe(tenant);
    expect(activations(subscription.id)).toBe(happened ? calls : calls + 1);
    expect(await fixture.planOf(tenant)).toEqual(plans.premium);
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({ state: 'active' });
  });

  it('leaves nothing when the marketplace cannot be asked', async () => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email });
    for (const failure of [
      { status: 500 },
      { status: 403 },
      { status: 200, body: '{"id":1}' },
      { gone: 'cut' as const },
    ]) {
      fixture.standIn.fail('resolve', failure);
      expect((await fixture.activate(visitor, token)).json().code).toBe('MARKETPLACE_UNAVAILABLE');
    }
    expect(await fixture.subscriptionRow(subscription.id)).toBeUndefined();
    expect((await fixture.activate(visitor, token)).statusCode).toBe(200);
  });
});

/** Where the process dies; everything it asks of the database after that fails. */
const deaths = [
  ['while the tenant is made', { commits: 0, dies: 'inside' }],
  ['after the tenant was made', { commits: 1, dies: 'after' }],
  ['after the call was claimed', { commits: 2, dies: 'after' }],
  ['after the marketplace was told', { commits: 2, dies: 'after', told: true }],
  ['while it is noted that the marketplace knows', { commits: 2, dies: 'inside', told: true }],
] as const;

describe('a process that dies', () => {
  it.each(deaths)('%s: the next try ends with one tenant and one activation', async (_when, death) => {
    const visitor = await fixture.visitor();
    const { subscription, token } = fixture.standIn.buy({ email: visitor.email, name: `Died ${v7()}` });
    await expect(dyingActivation(visitor, token, death)).rejects.toThrow('the process died');
    const first = await fixture.activate(visitor, token);
    if (first.statusCode !== 200) {
      // Somebody claimed the call and may still be at it.
      expect([first.statusCode, first.headers['retry-after']]).toEqual([503, '3']);
      clock += CLAIM_LIVES_MS + 1;
      expect((await fixture.activate(visitor, token)).statusCode).toBe(200);
    }
    expect(await fixture.tenantsNamed(subscription.name)).toHaveLength(1);
    expect(activations(subscription.id)).toBe(1);
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({ state: 'active' });
    const [tenant] = await fixture.tenantsNamed(subscription.name);
    expect((await meOf(visitor)).tenant_roles).toEqual({ [tenant?.id ?? '']: 'Admin' });
    expect(await fixture.planOf(tenant?.id ?? '')).toEqual(plans.standard);
  });
});

type Death = { commits: number; dies: 'inside' | 'after'; told?: boolean };

function dyingActivation(visitor: Visitor, token: string, death: Death) {
  return activateOn(dying(fixture.server.stores.database, death), visitor, { token, told: death.told === true });
}

/** An activation of another process, on a database of ours; `told` is false where it never calls the marketplace. */
async function activateOn(
  db: Pick<Database, 'system'>,
  visitor: Visitor,
  { token, told }: { token: string; told: boolean },
) {
  const { server, standIn } = fixture;
  const { tenants, audit, contract } = server.composition;
  const config = readConfig(marketplaceEnv(standIn), '0.0.0').azureMarketplace;
  if (config === undefined) throw new Error('The marketplace is not configured.');
  const egress = createEgress({ allowLoopback: [standIn] });
  const common = { ids: v7, now, log: { warn: () => undefined } };
  const client = createMarketplaceClient({ ...common, config, egress });
  const never: MarketplaceClient['activate'] = () => Promise.reject(new Error('the process died'));
  const { activate } = createActivation({
    ...common,
    ...{ db, tenants, audit, contract: contract.service, tenantChanges, settings: tenantSettings, plans: config.plans },
    client: told ? client : { activate: never },
    purchases: createPurchases({ ...common, db: server.stores.database, client, tenants }),
    setAutomation: () => Promise.resolve(),
    onSignIn: () => Promise.resolve(),
    onRefused: () => Promise.resolve(),
  });
  const { email: verifiedEmail, subject, externalId } = visitor;
  const buyer = { issuer: LOCAL_ISSUER, subject, externalId, verifiedEmail, fullname: '', directories: [] };
  try {
    await activate({ token, buyer, caller: undefined, locale: 'en-US', requestId: v7() });
  } finally {
    await egress.close();
  }
}

function dying(db: Database, { commits, dies }: Death): Pick<Database, 'system'> {
  const dead = () => new Error('the process died');
  let left = commits;
  return {
    async system(work) {
      if (left-- > 0) return await db.system(work);
      if (dies === 'after') throw dead();
      return await db.system(async (tx) => {
        await work(tx);
        throw dead();
      });
    },
  };
}

function buyer(emailId: string) {
  return { emailId, objectId: v7(), tenantId: v7() };
}
