import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sqlClient } from '../../storage/database.ts';
import { tenantSettings } from '../settings/settings-module.ts';
import { auditOf } from '../users/users-fixture.ts';
import { COMPARISON_JOB } from './comparison.ts';
import { createMarketplaceFixture, type Fixture, plans } from './marketplace-fixture.ts';
import type { StandInSubscription } from './marketplace-stand-in.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let fixture: Fixture;
let scheduled: unknown;

beforeAll(async () => {
  fixture = await createMarketplaceFixture();
  // Only when a test asks for it.
  const { rows } = await sql('delete from engine.cron where name = $1 returning kind, expression', [
    COMPARISON_JOB.kind,
  ]);
  scheduled = rows;
});
afterAll(() => fixture?.close());
// What earlier tests left would be due too.
beforeEach(() => sql('update marketplace_subscription set looked_at = now()'));

const sql = (text: string, values: unknown[] = []) =>
  fixture.server.stores.database.system((tx) => sqlClient(tx).query(text, values));
const compare = (signal = new AbortController().signal) => fixture.server.composition.compareMarketplace({ signal });

/** As if nothing had happened with it for so long. */
const quiet = (id: string, ms = 25 * HOUR_MS) =>
  sql(
    `update marketplace_subscription set updated_at = now() - $2::int * interval '1 millisecond',
       looked_at = looked_at - $2::int * interval '1 millisecond', activating_until = null where id = $1`,
    [id, ms],
  );

/** What the marketplace says from now on; no notice of it comes. */
function say(subscription: StandInSubscription, change: Partial<StandInSubscription>): void {
  const { subscriptions } = fixture.standIn;
  const now = subscriptions.get(subscription.id) ?? subscription;
  subscriptions.set(subscription.id, { ...now, ...change });
}

async function bought(change: Partial<StandInSubscription> = {}) {
  const visitor = await fixture.visitor();
  const { subscription, token } = fixture.standIn.buy({ email: visitor.email, ...change });
  const { tenant } = (await fixture.activate(visitor, token)).json<{ tenant: string }>();
  return { visitor, subscription, token, tenant };
}

/** A purchase whose activation got no answer, and nobody tries again. */
async function stuck(
  failure: { status: number } | { gone: 'cut' | 'late' },
  change: Partial<StandInSubscription> = {},
) {
  const visitor = await fixture.visitor();
  const { subscription, token } = fixture.standIn.buy({ email: visitor.email, ...change });
  fixture.standIn.fail('activate', failure);
  expect((await fixture.activate(visitor, token)).statusCode).toBe(503);
  const tenant = (await fixture.subscriptionRow(subscription.id))?.tenant_id ?? '';
  return { visitor, subscription, token, tenant };
}

const stateOf = async ({ id }: { id: string }) => (await fixture.subscriptionRow(id))?.state;
const asked = ({ id }: { id: string }, call: 'subscription' | 'activate' = 'subscription') =>
  fixture.standIn.calls(call).filter(({ path }) => path.includes(id)).length;
const isAutomated = (tenant: string) =>
  fixture.server.stores.database.system((tx) => tenantSettings.automationEnabled(tx, tenant));

it('is a job of every installation', () => {
  expect(scheduled).toEqual([COMPARISON_JOB]);
});

describe('an activation without an answer', () => {
  it.each([
    ['was never made', { gone: 'cut' as const }, 2],
    ['was refused', { status: 500 }, 2],
    ['took effect', { gone: 'late' as const }, 1],
  ])('that %s is finished', async (_what, failure, calls) => {
    const { subscription, tenant } = await stuck(failure);
    await compare();
    expect(await stateOf(subscription), 'its buyer may be at it').toBe('opened');
    await quiet(subscription.id);
    await compare();
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({ state: 'active', activating_until: null });
    expect(await fixture.planOf(tenant)).toEqual(plans.standard);
    expect(asked(subscription, 'activate')).toBe(calls);
    const [record, ...others] = await auditOf(fixture.server, tenant, 'marketplace.activate');
    expect(record).toMatchObject({ actor_kind: 'system', actor_name: 'Azure Marketplace' });
    expect(others).toEqual([]);
  });

  it('is not begun for a buyer who has left, nor for a plan that is not offered', async () => {
    const left = await stuck({ gone: 'cut' });
    await sql('delete from membership where tenant_id = $1', [left.tenant]);
    const odd = await stuck({ gone: 'cut' });
    say(odd.subscription, { planId: 'gold' });
    for (const { id } of [left.subscription, odd.subscription]) await quiet(id);
    await compare();
    expect([await stateOf(left.subscription), await stateOf(odd.subscription)]).toEqual(['opened', 'opened']);
    expect([asked(left.subscription, 'activate'), asked(odd.subscription, 'activate')]).toEqual([1, 1]);
    // Whoever pays already has what they pay for.
    say(left.subscription, { saasSubscriptionStatus: 'Subscribed' });
    await quiet(left.subscription.id);
    await compare();
    expect(await stateOf(left.subscription)).toBe('active');
  });

  it('ends with a purchase that the marketplace has given up', async () => {
    const { subscription } = await stuck({ gone: 'cut' });
    say(subscription, { saasSubscriptionStatus: 'Unsubscribed' });
    await quiet(subscription.id);
    await compare();
    expect(await stateOf(subscription)).toBe('ended');
  });

  it('is looked for every hour, before all others, one that is refused for ever included', async () => {
    const { subscription } = await stuck({ status: 403 });
    const other = await bought();
    fixture.standIn.fail('activate', { status: 403 });
    await quiet(other.subscription.id);
    await quiet(subscription.id);
    await compare();
    expect([await stateOf(subscription), asked(subscription), asked(other.subscription)]).toEqual(['opened', 1, 1]);
    await quiet(subscription.id, 6 * MINUTE_MS);
    await compare();
    expect(asked(subscription)).toBe(1);
    await quiet(subscription.id, HOUR_MS);
    await compare();
    expect([await stateOf(subscription), asked(subscription)]).toEqual(['active', 2]);
  });
});

describe('a notice that never came', () => {
  it('of a suspension and of its end is made good, automation included', async () => {
    const { subscription, tenant } = await bought({ planId: 'premium' });
    say(subscription, { saasSubscriptionStatus: 'Suspended' });
    await compare();
    expect(await stateOf(subscription), 'a notice may be on its way').toBe('active');
    await quiet(subscription.id);
    await compare();
    expect(await stateOf(subscription)).toBe('suspended');
    expect(await fixture.planOf(tenant)).toMatchObject({ is_search_enabled: false, is_mdr_enabled: false });
    expect(await isAutomated(tenant)).toBe(false);

    say(subscription, { saasSubscriptionStatus: 'Subscribed', planId: 'standard', quantity: 9 });
    await quiet(subscription.id);
    await compare();
    expect(await fixture.subscriptionRow(subscription.id)).toMatchObject({
      ...{ state: 'active', plan_id: 'standard', quantity: 9, automation_stopped: false },
    });
    expect(await fixture.planOf(tenant)).toEqual(plans.standard);
    expect(await isAutomated(tenant)).toBe(true);
    expect(await auditOf(fixture.server, tenant, 'marketplace.take_over')).toMatchObject([
      { actor_kind: 'system', data: { from: 'active', to: 'suspended' } },
      { actor_kind: 'system', data: { from: 'suspended', to: 'active', plan_id: 'standard', quantity: 9 } },
    ]);
  });

  it('of a suspension that is over changes nothing when it comes after all', async () => {
    const { subscription } = await bought();
    const { notice } = fixture.standIn.begin(subscription, { action: 'Suspend' });
    say(subscription, { saasSubscriptionStatus: 'Suspended' });
    await quiet(subscription.id);
    await compare();
    say(subscription, { saasSubscriptionStatus: 'Subscribed' });
    await quiet(subscription.id);
    await compare();
    expect((await fixture.notify(notice)).statusCode).toBe(200);
    expect(await stateOf(subscription)).toBe('active');
  });

  it('of the end of a suspension is believed, also where the suspension was learnt later', async () => {
    const { subscription } = await bought();
    const { operation, notice } = fixture.standIn.begin(subscription, { action: 'Reinstate' });
    say(subscription, { saasSubscriptionStatus: 'Suspended' });
    await quiet(subscription.id);
    await compare();
    await fixture.notify(notice);
    expect(await stateOf(subscription)).toBe('active');
    expect(fixture.standIn.operations.get(operation.id)?.status).toBe('Succeeded');
  });

  it('of the end is made good, once and for good', async () => {
    const { subscription, tenant } = await bought();
    say(subscription, { saasSubscriptionStatus: 'Unsubscribed' });
    await quiet(subscription.id);
    await compare();
    await quiet(subscription.id);
    await compare();
    expect(await stateOf(subscription)).toBe('ended');
    expect(asked(subscription)).toBe(1);
    expect(await auditOf(fixture.server, tenant, 'marketplace.take_over')).toHaveLength(1);
  });

  it('of a renewal moves the end of the contract; what is in order is left and not recorded', async () => {
    const { subscription, tenant } = await bought();
    await quiet(subscription.id);
    await compare();
    expect(await auditOf(fixture.server, tenant, 'marketplace.take_over')).toEqual([]);
    const term = { termUnit: 'P1Y', startDate: '2027-01-01T00:00:00Z', endDate: '2028-01-01T00:00:00Z' };
    say(subscription, { term });
    for (let n = 0; n < 2; n++) {
      await quiet(subscription.id);
      await compare();
    }
    const { rows } = await sql('select end_date::text from contract where tenant_id = $1', [tenant]);
    expect(rows).toEqual([{ end_date: '2028-01-01' }]);
    expect(await auditOf(fixture.server, tenant, 'marketplace.take_over')).toHaveLength(1);
  });
});

describe('the marketplace', () => {
  it('is asked once a day, and nothing is done about what it does not know', async () => {
    const { subscription } = await bought();
    await quiet(subscription.id);
    fixture.standIn.subscriptions.delete(subscription.id);
    await compare();
    await compare();
    expect([await stateOf(subscription), asked(subscription)]).toEqual(['active', 1]);
  });

  it('is left alone while it is away, and who was not asked about stays due', async () => {
    const all: Awaited<ReturnType<typeof bought>>[] = [];
    for (let n = 0; n < 5; n++) all.push(await bought());
    for (const { subscription } of all) await quiet(subscription.id);
    fixture.standIn.fail('subscription', { status: 500 }, 5);
    const count = () => all.reduce((sum, { subscription }) => sum + asked(subscription), 0);
    await compare();
    expect(count()).toBe(3);
    fixture.standIn.fail('subscription', { status: 500 });
    await compare();
    await compare();
    expect(count()).toBe(5);
  });

  it('is not believed where a notice came while it was asked', async () => {
    const { subscription, tenant } = await bought();
    await quiet(subscription.id);
    const { notice } = fixture.standIn.begin(subscription, { action: 'Suspend' });
    fixture.standIn.hold('subscription', () => fixture.notify(notice));
    await compare();
    expect(await stateOf(subscription)).toBe('suspended');
    expect(await auditOf(fixture.server, tenant, 'marketplace.suspend')).toHaveLength(1);
    expect(await auditOf(fixture.server, tenant, 'marketplace.take_over')).toEqual([]);
  });

  it('is asked about each by one of several processes', async () => {
    const { subscription } = await bought();
    await quiet(subscription.id);
    await Promise.all([compare(), compare(), compare()]);
    expect(asked(subscription)).toBe(1);
  });
});
