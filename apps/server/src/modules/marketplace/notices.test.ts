import { generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tenantSettings } from '../settings/settings-module.ts';
import { auditOf } from '../users/users-fixture.ts';
import { createMarketplaceFixture, type Fixture, plans } from './marketplace-fixture.ts';
import { publisher, type StandInOperation } from './marketplace-stand-in.ts';

const OTHER_APP = '11111111-2222-4333-8444-555555555555';
let fixture: Fixture;

beforeAll(async () => {
  fixture = await createMarketplaceFixture();
});
afterAll(() => fixture?.close());

/** An activated purchase. */
async function bought(change: { planId?: string; quantity?: number } = {}) {
  const visitor = await fixture.visitor();
  const { subscription, token } = fixture.standIn.buy({ email: visitor.email, ...change });
  const { tenant } = (await fixture.activate(visitor, token)).json<{ tenant: string }>();
  return { visitor, subscription, token, tenant };
}
type Bought = Awaited<ReturnType<typeof bought>>;

/** The marketplace begins an operation, and tells us. */
async function happen({ subscription }: Bought, operation: Partial<StandInOperation> & { action: string }) {
  const begun = fixture.standIn.begin(subscription, operation);
  const { statusCode } = await fixture.notify(begun.notice);
  return { ...begun, statusCode };
}

const answers = (operation: string) =>
  fixture.standIn
    .calls('answer')
    .filter(({ path }) => path.endsWith(operation))
    .map(({ body }) => JSON.parse(body).status as string);
const seatsOf = (tenant: string) =>
  fixture.server.stores.database.system(async (tx) => {
    const row = await tx.selectFrom('contract').selectAll().where('tenant_id', '=', tenant).executeTakeFirstOrThrow();
    return row.seats;
  });
const isAutomated = (tenant: string) =>
  fixture.server.stores.database.system((tx) => tenantSettings.automationEnabled(tx, tenant));
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a notice of the marketplace', () => {
  it('changes the plan, says so once, and is recorded', async () => {
    const purchase = await bought();
    const { operation, notice, statusCode } = await happen(purchase, { action: 'ChangePlan', planId: 'premium' });
    expect(statusCode).toBe(200);
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.premium);
    for (let n = 0; n < 3; n++) expect((await fixture.notify(notice)).statusCode).toBe(200);
    expect(answers(operation.id)).toEqual(['Success']);
    expect(await auditOf(fixture.server, purchase.tenant, 'marketplace.change_plan')).toHaveLength(1);
  });

  it('has one effect when twenty of the same come together', async () => {
    const purchase = await bought();
    const { operation, notice } = fixture.standIn.begin(purchase.subscription, {
      action: 'ChangeQuantity',
      quantity: 7,
    });
    const answered = await Promise.all(Array.from({ length: 20 }, () => fixture.notify(notice)));
    expect(answered.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(await seatsOf(purchase.tenant)).toBe(7);
    expect(answers(operation.id)).toEqual(['Success']);
    expect(await auditOf(fixture.server, purchase.tenant, 'marketplace.change_quantity')).toHaveLength(1);
  });

  it('counts as the operation says, not as its body does', async () => {
    const purchase = await bought();
    const { notice } = fixture.standIn.begin(purchase.subscription, { action: 'ChangeQuantity', quantity: 3 });
    await fixture.notify({ ...notice, action: 'ChangePlan', planId: 'premium', quantity: 999 });
    expect(await seatsOf(purchase.tenant)).toBe(3);
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.standard);
  });

  it('about an operation the marketplace does not know has no effect', async () => {
    const [purchase, other] = [await bought(), await bought()];
    const { notice } = fixture.standIn.begin(purchase.subscription, { action: 'Unsubscribe' });
    const foreign = { ...notice, subscriptionId: other.subscription.id };
    for (const made of [{ ...notice, id: v7() }, foreign, { ...notice, id: '../../../saas' }]) {
      expect((await fixture.notify(made)).statusCode).toBe(404);
    }
    expect(await fixture.subscriptionRow(purchase.subscription.id)).toMatchObject({ state: 'active' });
    expect(await fixture.subscriptionRow(other.subscription.id)).toMatchObject({ state: 'active' });
  });

  it('about a purchase that nobody activated here is taken and changes nothing', async () => {
    const { subscription } = fixture.standIn.buy({ email: 'nobody@contoso.example' });
    const { notice } = fixture.standIn.begin(subscription, { action: 'Unsubscribe' });
    expect((await fixture.notify(notice)).statusCode).toBe(200);
    expect(await fixture.subscriptionRow(subscription.id)).toBeUndefined();
  });

  it('for a plan that is not offered is answered with Failure', async () => {
    const purchase = await bought();
    const { operation } = await happen(purchase, { action: 'ChangePlan', planId: 'gold' });
    expect(answers(operation.id)).toEqual(['Failure']);
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.standard);
    expect(await auditOf(fixture.server, purchase.tenant, 'marketplace.change_plan')).toMatchObject([
      { outcome: 'refused' },
    ]);
  });

  it('that comes late does not undo what was decided after it', async () => {
    const purchase = await bought();
    await happen(purchase, { action: 'ChangePlan', planId: 'premium', timeStamp: minutesAgo(1) });
    const late = await happen(purchase, { action: 'ChangePlan', planId: 'standard', timeStamp: minutesAgo(5) });
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.premium);
    expect(answers(late.operation.id)).toEqual(['Failure']);
    // Plan and seats are decided apart.
    await happen(purchase, { action: 'ChangeQuantity', quantity: 4, timeStamp: minutesAgo(5) });
    expect(await seatsOf(purchase.tenant)).toBe(4);
  });

  it('of a kind we do not know is taken and changes nothing', async () => {
    const purchase = await bought();
    const { operation, statusCode } = await happen(purchase, { action: 'Transfer' });
    expect([statusCode, answers(operation.id)]).toEqual([200, []]);
    expect(await auditOf(fixture.server, purchase.tenant, 'marketplace.notice')).toHaveLength(1);
  });

  it('of a renewal moves the end of the contract, and the day of its notice with it', async () => {
    const purchase = await bought();
    const { database } = fixture.server.stores;
    await database.system((tx) =>
      sql`update contract set renewal_notice_date = end_date - 30 where tenant_id = ${purchase.tenant}`.execute(tx),
    );
    const term = { termUnit: 'P1Y', startDate: '2027-01-01T00:00:00Z', endDate: '2028-01-01T00:00:00Z' };
    fixture.standIn.subscriptions.set(purchase.subscription.id, { ...purchase.subscription, term });
    expect((await happen(purchase, { action: 'Renew', status: 'Succeeded' })).statusCode).toBe(200);
    expect(await auditOf(fixture.server, purchase.tenant, 'marketplace.renew')).toMatchObject([
      { data: { outcome: 'applied', start_date: '2027-01-01', end_date: '2028-01-01' } },
    ]);
    const { rows } = await database.system((tx) =>
      sql`select renewal_notice_date::text as notice from contract where tenant_id = ${purchase.tenant}`.execute(tx),
    );
    expect(rows).toEqual([{ notice: '2027-12-02' }]);
  });
});

describe('a subscription that is not paid', () => {
  it('keeps its people reading, without search, managed detection and automation, until it is reinstated', async () => {
    const purchase = await bought({ planId: 'premium' });
    const told = async () =>
      (
        await fixture.server.inject({ url: `/api/tenants/${purchase.tenant}`, headers: purchase.visitor.headers })
      ).json<{ subscription: string }>().subscription;
    expect(await told()).toBe('active');
    await happen(purchase, { action: 'Suspend', timeStamp: minutesAgo(9) });
    expect(await told()).toBe('suspended');
    expect(await fixture.planOf(purchase.tenant)).toEqual({
      ...plans.premium,
      is_mdr_enabled: false,
      is_search_enabled: false,
    });
    expect(await isAutomated(purchase.tenant)).toBe(false);
    const me = (await fixture.server.inject({ url: '/me', headers: purchase.visitor.headers })).json();
    expect(me.tenant_roles).toEqual({ [purchase.tenant]: 'Admin' });
    const { headers } = purchase.visitor;
    const url = `/api/tenants/${purchase.tenant}/settings`;
    const payload = { automation: { enabled: true } };
    const refused = await fixture.server.inject({ method: 'PATCH', url, headers, payload });
    expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('is suspended')]);
    expect(await isAutomated(purchase.tenant)).toBe(false);
    // A new plan counts from the end of the suspension.
    await happen(purchase, { action: 'ChangePlan', planId: 'standard' });
    expect(await fixture.planOf(purchase.tenant)).toMatchObject({ sku_name: 'Standard', is_search_enabled: false });

    const { operation } = await happen(purchase, { action: 'Reinstate', timeStamp: minutesAgo(5) });
    expect(answers(operation.id)).toEqual(['Success']);
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.standard);
    expect(await isAutomated(purchase.tenant)).toBe(true);
    expect(await fixture.subscriptionRow(purchase.subscription.id)).toMatchObject({ state: 'active' });
  });

  it('is not stopped by a suspension that was lifted before the notice came', async () => {
    const purchase = await bought();
    await happen(purchase, { action: 'Reinstate', timeStamp: minutesAgo(1) });
    await happen(purchase, { action: 'Suspend', timeStamp: minutesAgo(3) });
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.standard);
  });

  it('is not started by its end: an Admin had thrown the kill switch before', async () => {
    const purchase = await bought();
    const { work } = fixture.server.composition;
    await fixture.server.stores.database.system(async (tx) => {
      const settings = { automation_enabled: false, updated_at: new Date() };
      await tx
        .insertInto('tenant_settings')
        .values({ tenant_id: purchase.tenant, ...settings })
        .execute();
      await work.engine.hold(work.enginePool.client(tx), purchase.tenant);
    });
    await happen(purchase, { action: 'Suspend', timeStamp: minutesAgo(2) });
    await happen(purchase, { action: 'Reinstate', timeStamp: minutesAgo(1) });
    expect(await isAutomated(purchase.tenant)).toBe(false);
  });

  it('ends for good', async () => {
    const purchase = await bought();
    await happen(purchase, { action: 'Unsubscribe', timeStamp: minutesAgo(2) });
    const { operation } = await happen(purchase, { action: 'Reinstate', timeStamp: minutesAgo(1) });
    expect(answers(operation.id)).toEqual(['Failure']);
    expect(await fixture.subscriptionRow(purchase.subscription.id)).toMatchObject({ state: 'ended' });
    expect(await fixture.planOf(purchase.tenant)).toMatchObject({ is_search_enabled: false });
  });
});

describe('an answer that does not reach the marketplace', () => {
  it.each([
    ['is refused with 500', { status: 500 }],
    ['is refused with 403', { status: 403 }],
    ['is cut off', { gone: 'cut' as const }],
    ['arrives, but is not acknowledged', { gone: 'late' as const }],
  ])('and %s is sent again with the next notice, without a second effect', async (_what, failure) => {
    const purchase = await bought();
    const { operation, notice } = fixture.standIn.begin(purchase.subscription, {
      action: 'ChangeQuantity',
      quantity: 5,
    });
    fixture.standIn.fail('answer', failure);
    expect((await fixture.notify(notice)).statusCode).toBe(503);
    expect(await seatsOf(purchase.tenant)).toBe(5);
    expect((await fixture.notify(notice)).statusCode).toBe(200);
    expect((await fixture.notify(notice)).statusCode).toBe(200);
    expect(answers(operation.id)).toEqual(['Success', 'Success']);
    expect(await auditOf(fixture.server, purchase.tenant, 'marketplace.change_quantity')).toHaveLength(1);
  });

  it('because a newer change was fulfilled (409) lets that one count', async () => {
    const purchase = await bought();
    const { notice } = fixture.standIn.begin(purchase.subscription, { action: 'ChangePlan', planId: 'premium' });
    fixture.standIn.subscriptions.set(purchase.subscription.id, { ...purchase.subscription, quantity: 11 });
    fixture.standIn.fail('answer', { status: 409 });
    expect((await fixture.notify(notice)).statusCode).toBe(200);
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.standard);
    expect(await seatsOf(purchase.tenant)).toBe(11);
    expect(await auditOf(fixture.server, purchase.tenant, 'marketplace.take_over')).toHaveLength(1);
  });

  it('has no effect at all while the operation cannot be read', async () => {
    const purchase = await bought();
    const { notice } = fixture.standIn.begin(purchase.subscription, { action: 'ChangePlan', planId: 'premium' });
    for (const failure of [{ status: 500 }, { status: 200, body: '{}' }, { gone: 'cut' as const }]) {
      fixture.standIn.fail('operation', failure);
      expect((await fixture.notify(notice)).statusCode).toBe(503);
    }
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.standard);
    expect((await fixture.notify(notice)).statusCode).toBe(200);
    expect(await fixture.planOf(purchase.tenant)).toEqual(plans.premium);
  });
});

describe('a forged notice', () => {
  const forgeries: [string, () => Promise<string | undefined>][] = [
    ['no token', async () => ''],
    ['no JWT', async () => 'Bearer token'],
    ['another audience', async () => bearer({ aud: OTHER_APP })],
    ['another directory', async () => bearer({ tid: OTHER_APP })],
    ['another application', async () => bearer({ appid: OTHER_APP })],
    ['another application beside the right one', async () => bearer({ azp: OTHER_APP })],
    ['no application', async () => bearer({ appid: undefined })],
    ['another issuer', async () => bearer({}, { issuer: `https://sts.windows.net/${OTHER_APP}/` })],
    ['a token that has expired', async () => bearer({}, { expires: '-1h' })],
    ['another key', async () => bearer({}, { key: (await generateKeyPair('RS256')).privateKey })],
    ['a token of no algorithm', async () => unsigned()],
    ['our own access token', async () => (await fixture.visitor()).headers.authorization],
  ];
  it.each(forgeries)('with %s is 401, and the marketplace is not even asked', async (_what, forge) => {
    const purchase = await bought();
    const { notice } = fixture.standIn.begin(purchase.subscription, { action: 'Unsubscribe' });
    const asked = fixture.standIn.calls('operation').length;
    const answer = await fixture.notify(notice, await forge());
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'TOKEN_INVALID']);
    expect(fixture.standIn.calls('operation')).toHaveLength(asked);
    expect(await fixture.subscriptionRow(purchase.subscription.id)).toMatchObject({ state: 'active' });
  });

  it('is told from genuine ones of the second version of tokens', async () => {
    const purchase = await bought();
    const { notice } = fixture.standIn.begin(purchase.subscription, { action: 'Unsubscribe' });
    const issuer = `${fixture.standIn.loginUrl}/${publisher.directory}/v2.0`;
    const claims = { appid: undefined, azp: '20e940b3-4c77-4b0b-9a53-9e16a1b010a7', ver: '2.0' };
    expect((await fixture.notify(notice, await bearer(claims, { issuer }))).statusCode).toBe(200);
  });
});

async function bearer(...args: Parameters<Fixture['standIn']['noticeToken']>): Promise<string> {
  return `Bearer ${await fixture.standIn.noticeToken(...args)}`;
}

async function unsigned(): Promise<string> {
  const [, payload] = (await fixture.standIn.noticeToken()).split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return `Bearer ${header}.${payload}.`;
}
