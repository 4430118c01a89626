/**
 * From a purchase to a tenant.
 *
 * | State | Means | Goes on to |
 * |---|---|---|
 * | none | nothing of ours; whoever is first opens it, under the lock of the subscription | opened |
 * | opened | tenant, user, Admin membership and contract are there, written in one transaction; the plan is held back | active |
 * | active | the marketplace knows; the plan counts | (notices.ts) |
 *
 * `opened → active` is a call to the marketplace, which cannot be in a transaction: it is claimed in the row for a minute
 * (longer than the call can take), made, and noted. In this process further tries wait for the one under way; another
 * process is told to come back.
 *
 * A crash before `opened` leaves nothing. After it, the same person repeats the call and goes on from the row: where the
 * crash came after the marketplace was told, it says `Subscribed` when asked, and is not told again.
 * Only who opened a subscription goes on with it; a subscription opens one tenant, ever. Where they do not come back, the
 * comparison does it for them (comparison.ts): `opened` means that they asked for it.
 */

import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { PlanTable } from '@airdeck/contracts/marketplace/schema';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { storableText } from '@airdeck/domain/storable-json';
import { AppError } from '../../http/app-error.ts';
import type { Caller } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy, TenantsService, UserRow } from '../tenants/tenants-port.ts';
import type { MarketplaceSubscription } from './marketplace-answers.ts';
import type { MarketplaceClient, ResolvedPurchase } from './marketplace-client.ts';
import { findPlan, planInState } from './marketplace-plans.ts';
import {
  changeSubscription,
  insertSubscription,
  isAddressOfUser,
  lockSubscription,
  type SubscriptionRow,
} from './marketplace-repository.ts';
import { type Buyer, isFor, nameOf, type Purchases } from './purchases.ts';
import { setContract, setPlan, type TermsDependencies } from './tenant-terms.ts';

/** Longer than resolving the access token anew and two tries of the call take together. */
export const CLAIM_LIVES_MS = 60_000;
const BUSY_RETRY_S = 3;
const NAME_MAX_LENGTH = 200;
const TEST_MARK = ' (test)';
const NO_TENANT = '00000000-0000-0000-0000-000000000000';

export type ActivationDependencies = TermsDependencies & {
  db: Pick<Database, 'system'>;
  client: Pick<MarketplaceClient, 'activate'>;
  purchases: Pick<Purchases, 'resolve'>;
  tenants: Pick<
    TenantsService,
    'createTenant' | 'createUser' | 'addMembership' | 'findAccess' | 'giveHome' | 'findMembership'
  >;
  audit: Pick<AuditLog, 'record'>;
  /** Told of somebody new: they signed in before there was a user whose sign-in it could be. */
  onSignIn: (tx: Tx, userId: string) => Promise<void>;
  plans: PlanTable;
  /** Told about tries with somebody else's purchase. */
  onRefused: (refused: { subscription: string; code: RefusedCode; wanted: Wanted }) => Promise<void>;
  ids: () => string;
};

const refusedCodes = ['MARKETPLACE_FOR_ANOTHER', 'MARKETPLACE_ALREADY_LINKED'] as const;
export type RefusedCode = (typeof refusedCodes)[number];

export type Wanted = {
  token: string;
  tenantName?: string | undefined;
  fullname?: string | undefined;
  buyer: Buyer;
  /** As the request saw them; their user may exist by now. */
  caller: Caller | undefined;
  /** A new user begins with it. */
  locale: string;
  requestId: string;
};

export type Activated = { tenant: string; tenantName: string };

export type Activation = {
  /** Throws the codes of `marketplace.activate`. */
  activate(wanted: Wanted): Promise<Activated>;
  /** The second half of it, of one that stayed `opened`. Throws MARKETPLACE_UNAVAILABLE, and CONFLICT for a plan not sold. */
  finish(finishing: Finishing): Promise<void>;
};

export type Finishing = {
  row: SubscriptionRow;
  /** As the marketplace said it just now. */
  subscription: MarketplaceSubscription;
  by: ChangedBy;
};

type Opened = { row: SubscriptionRow; user: Pick<UserRow, 'id' | 'uname'>; tenantName: string };

export function createActivation(deps: ActivationDependencies): Activation {
  const underWay = new Map<string, Promise<void>>();

  /** One call to the marketplace, however many tries of this process come together. */
  function finishOnce(finishing: Finishing): Promise<void> {
    const { id } = finishing.row;
    const going = underWay.get(id);
    if (going !== undefined) return going;
    const work = finish(deps, finishing).finally(() => underWay.delete(id));
    underWay.set(id, work);
    return work;
  }

  async function activate(wanted: Wanted): Promise<Activated> {
    const { requestId } = wanted;
    const purchase = await deps.purchases.resolve(wanted.token, requestId);
    const opened = await openOnce(deps, wanted, purchase).catch(async (error: unknown) => {
      const code = refusedCodes.find((refused) => error instanceof AppError && error.code === refused);
      if (code !== undefined) await deps.onRefused({ subscription: purchase.id, code, wanted });
      throw error;
    });
    const { row, user, tenantName } = opened;
    const by: ChangedBy = { actor: { kind: 'user', id: user.id, name: user.uname }, requestId };
    if (row.state === 'opened') await finishOnce({ row, subscription: purchase, by });
    return { tenant: row.tenant_id, tenantName };
  }

  return { activate, finish: finishOnce };
}

async function openOnce(deps: ActivationDependencies, wanted: Wanted, purchase: ResolvedPurchase): Promise<Opened> {
  if (!isFor(purchase, wanted.buyer)) throw new AppError('MARKETPLACE_FOR_ANOTHER');
  const plan = requireSold(deps.plans, purchase);
  return await deps.db.system((tx) => open(deps, tx, { wanted, purchase, plan }));
}

function requireSold(plans: PlanTable, subscription: MarketplaceSubscription): SkuInfo {
  const { saasSubscriptionStatus: status, planId } = subscription;
  if (status === 'Suspended' || status === 'Unsubscribed') {
    const ended = { message: 'This subscription has ended. See to it in the Azure portal first.' };
    const suspended = { message: 'This subscription is suspended. See to it in the Azure portal first.' };
    throw new AppError('CONFLICT', status === 'Suspended' ? suspended : ended);
  }
  const plan = findPlan(plans, planId);
  if (plan !== undefined) return plan;
  throw new AppError('CONFLICT', refusal('PLAN_NOT_OFFERED', { plan: planId.slice(0, 100) }));
}

type Opening = { wanted: Wanted; purchase: ResolvedPurchase; plan: SkuInfo };

async function open(deps: ActivationDependencies, tx: Tx, opening: Opening): Promise<Opened> {
  const { buyer } = opening.wanted;
  const row = await lockSubscription(tx, opening.purchase.id);
  // Anew: the request's own look at who calls may be older than a try that came at the same time.
  const known = (await deps.tenants.findAccess(tx, buyer, NO_TENANT))?.user;
  if (row === undefined) return await openTenant(deps, tx, opening, known);
  if (known === undefined || row.opened_by !== known.id) throw new AppError('MARKETPLACE_ALREADY_LINKED');
  const membership = await deps.tenants.findMembership(tx, known.id, row.tenant_id);
  if (membership === undefined || row.state === 'ended') throw new AppError('MARKETPLACE_ALREADY_LINKED');
  return { row, user: known, tenantName: membership.name };
}

async function openTenant(
  deps: ActivationDependencies,
  tx: Tx,
  { wanted, purchase, plan }: Opening,
  known: UserRow | undefined,
): Promise<Opened> {
  const { buyer, requestId } = wanted;
  const email = known?.uname ?? (await requireFreeAddress(tx, buyer));
  const user = { id: known?.id ?? buyer.externalId ?? deps.ids(), uname: email };
  const by: ChangedBy = { actor: { kind: 'user', id: user.id, name: email }, requestId };
  const isTest = purchase.isTest === true;
  const tenantName = tenantNameOf(wanted.tenantName ?? nameOf(purchase), isTest);
  const skuInfo = planInState(plan, 'opened');
  const tenant = await deps.tenants.createTenant(tx, { name: tenantName, managedBy: null, skuInfo }, by);
  if (known === undefined) {
    const { issuer, subject } = buyer;
    const fullname = lineOf(wanted.fullname ?? '') || lineOf(buyer.fullname) || email;
    const { locale } = wanted;
    const person = { ...user, email, fullname, homeTenant: tenant, locale, identity: { issuer, subject } };
    await deps.tenants.createUser(tx, person, by);
    await deps.onSignIn(tx, user.id);
  }
  await deps.tenants.addMembership(tx, { tenant, user: user.id, role: 'Admin' }, by);
  await deps.tenants.giveHome(tx, { tenant, user: user.id });
  const seats = purchase.quantity ?? null;
  await setContract(deps, tx, { tenant, by, seats, term: purchase.term ?? null });
  const facts = { offer_id: purchase.offerId ?? '', plan_id: purchase.planId, quantity: seats, is_test: isTest };
  const at = deps.now();
  const times = { created_at: at, updated_at: at };
  const row = await insertSubscription(tx, {
    ...{ id: purchase.id, tenant_id: tenant, opened_by: user.id, state: 'opened' },
    ...{ ...facts, ...times },
  });
  await record(deps, tx, { row, action: 'marketplace.open', data: facts, by });
  return { row, user, tenantName };
}

/** The address alone never makes an identity somebody's: they sign in the way they always did. */
async function requireFreeAddress(tx: Tx, { verifiedEmail }: Buyer): Promise<string> {
  if (verifiedEmail === null || (await isAddressOfUser(tx, verifiedEmail))) {
    throw new AppError('MARKETPLACE_FOR_ANOTHER', {
      message: 'There is an account with this e-mail address already. Sign in to it to go on.',
    });
  }
  return verifiedEmail;
}

async function finish(deps: ActivationDependencies, finishing: Finishing): Promise<void> {
  const { subscription, by } = finishing;
  const { id } = finishing.row;
  if (subscription.saasSubscriptionStatus !== 'Subscribed') {
    const claim = await deps.db.system((tx) => claimActivation(deps, tx, id));
    if (claim === 'done') return;
    if (claim === 'busy') throw new AppError('MARKETPLACE_UNAVAILABLE', { message: busy, retryAfterS: BUSY_RETRY_S });
    const { planId } = subscription;
    try {
      await deps.client.activate({ id, planId, quantity: subscription.quantity ?? null }, by.requestId ?? deps.ids());
    } catch (error) {
      await deps.db.system((tx) => changeSubscription(tx, id, { activating_until: null, updated_at: deps.now() }));
      throw prepared(error);
    }
  }
  await deps.db.system((tx) => markActive(deps, tx, finishing));
}

const busy = 'This purchase is being activated right now. Try again in a moment.';

/** What is there stays for the next try, and people are told so. */
function prepared(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'MARKETPLACE_UNAVAILABLE') return error;
  return new AppError('MARKETPLACE_UNAVAILABLE', {
    message: 'Your tenant is prepared, but the Azure Marketplace did not take the activation. Try again shortly.',
    cause: error,
    retryAfterS: error.retryAfterS ?? BUSY_RETRY_S,
  });
}

async function claimActivation(deps: ActivationDependencies, tx: Tx, id: string): Promise<'claimed' | 'busy' | 'done'> {
  const row = await lockSubscription(tx, id);
  if (row?.state !== 'opened') return 'done';
  const at = deps.now();
  if (row.activating_until !== null && row.activating_until > at) return 'busy';
  await changeSubscription(tx, id, {
    activating_until: new Date(at.getTime() + CLAIM_LIVES_MS),
    updated_at: at,
  });
  return 'claimed';
}

async function markActive(deps: ActivationDependencies, tx: Tx, finishing: Finishing): Promise<void> {
  const { subscription, by } = finishing;
  const { id, tenant_id: tenant } = finishing.row;
  const row = await lockSubscription(tx, id);
  // A notice that it ended may have come while the marketplace was called.
  if (row?.state !== 'opened') return;
  // What a notice has changed since the purchase was asked about is newer.
  const planId = row.plan_at === null ? subscription.planId : row.plan_id;
  const plan = requireSold(deps.plans, { ...subscription, planId });
  const quantity = row.quantity_at === null ? (subscription.quantity ?? null) : row.quantity;
  const facts = { plan_id: planId, quantity };
  const marked = await changeSubscription(tx, id, {
    ...{ ...facts, state: 'active', activating_until: null, updated_at: deps.now() },
  });
  await setPlan(deps, tx, { tenant, plan });
  await record(deps, tx, { row: marked, action: 'marketplace.activate', data: facts, by });
}

type Recorded = { row: SubscriptionRow; action: AuditAction; data: Record<string, unknown>; by: ChangedBy };

function record(deps: ActivationDependencies, tx: Tx, { row, action, data, by }: Recorded): Promise<void> {
  return deps.audit.record(tx, {
    tenant: row.tenant_id,
    actor: by.actor,
    action,
    target: { kind: 'marketplace_subscription', id: row.id },
    outcome: 'ok',
    data,
    request_id: by.requestId,
  });
}

function tenantNameOf(wanted: string, isTest: boolean): string {
  const name = lineOf(wanted) || 'Azure subscription';
  return isTest ? `${name.slice(0, NAME_MAX_LENGTH - TEST_MARK.length)}${TEST_MARK}` : name;
}

/** One line that a list and an audit record can show. */
function lineOf(text: string): string {
  return storableText(text)
    .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
    .trim()
    .slice(0, NAME_MAX_LENGTH);
}
