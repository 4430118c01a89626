/** What each action of the marketplace does to a tenant, inside the transaction that notes the operation. */
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { PlanTable } from '@airdeck/contracts/marketplace/schema';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';
import type { MarketplaceOperation, MarketplaceSubscription } from './marketplace-answers.ts';
import { findPlan, planInState } from './marketplace-plans.ts';
import { changeSubscription, type SubscriptionRow } from './marketplace-repository.ts';
import {
  datesOf,
  hasTerm,
  setContract,
  setPlan,
  startAutomation,
  stopAutomation,
  type Term,
  type TermsDependencies,
} from './tenant-terms.ts';

export type EffectDependencies = TermsDependencies & {
  plans: PlanTable;
  tenants: Pick<TenantsService, 'get'>;
};

type RowChange = Partial<
  Pick<
    SubscriptionRow,
    'plan_id' | 'quantity' | 'state' | 'automation_stopped' | 'plan_at' | 'quantity_at' | 'state_at' | 'term_at'
  >
>;

export type Effect = {
  outcome: 'applied' | 'outdated' | 'refused' | 'ignored';
  /** For the audit record. */
  data: Record<string, unknown>;
  change?: RowChange;
};

type Given = {
  row: SubscriptionRow;
  operation: MarketplaceOperation;
  term: MarketplaceSubscription['term'] | undefined;
  by: ChangedBy;
};
type GivenState = Pick<Given, 'row' | 'by'>;
type Take = (deps: EffectDependencies, tx: Tx, given: Given) => Promise<Effect>;

type Action = {
  audited: AuditAction;
  /** The column that says when this was decided last. */
  decides: 'plan_at' | 'quantity_at' | 'state_at' | 'term_at';
  waits: boolean;
  take: Take;
};

export const effects = {
  ChangePlan: { audited: 'marketplace.change_plan', decides: 'plan_at', waits: true, take: changePlan },
  ChangeQuantity: { audited: 'marketplace.change_quantity', decides: 'quantity_at', waits: true, take: changeQuantity },
  Suspend: { audited: 'marketplace.suspend', decides: 'state_at', waits: false, take: stop('suspended') },
  Reinstate: { audited: 'marketplace.reinstate', decides: 'state_at', waits: true, take: reinstate },
  Unsubscribe: { audited: 'marketplace.unsubscribe', decides: 'state_at', waits: false, take: stop('ended') },
  Renew: { audited: 'marketplace.renew', decides: 'term_at', waits: false, take: renew },
} as const satisfies Record<string, Action>;

export function isKnownAction(action: string): action is keyof typeof effects {
  return Object.hasOwn(effects, action);
}

type Resyncing = {
  row: SubscriptionRow;
  subscription: MarketplaceSubscription;
  /** When the marketplace was asked. */
  askedAt: Date;
  by: ChangedBy;
};
type Resynced = { change?: RowChange; data: Record<string, unknown> };

/**
 * Brings plan, seats, term and state in line with what the marketplace says of the subscription; no change where they are.
 * One that is `opened` becomes `active` by its activation only.
 */
export async function resync(deps: EffectDependencies, tx: Tx, given: Resyncing): Promise<Resynced> {
  const { row, subscription, by } = given;
  const tenant = row.tenant_id;
  const quantity = subscription.quantity ?? null;
  const plan = findPlan(deps.plans, subscription.planId);
  const isOtherPlan = subscription.planId !== row.plan_id && plan !== undefined;
  const isOtherQuantity = quantity !== row.quantity;
  const term = await otherTerm(deps, tx, given);
  if (isOtherPlan) await setPlan(deps, tx, { tenant, plan: planInState(plan, row.state) });
  if (isOtherQuantity) await setContract(deps, tx, { tenant, by, seats: quantity });
  if (term !== undefined) await setContract(deps, tx, { tenant, by, term });
  const terms = {
    ...(isOtherPlan ? { plan_id: subscription.planId } : {}),
    ...(isOtherQuantity ? { quantity } : {}),
  };
  const state = await resyncState(deps, tx, { ...given, row: { ...row, ...terms } });
  const data = { ...terms, ...(term === undefined ? {} : datesOf(term, deps.now())), ...state.data };
  const isChanged = isOtherPlan || isOtherQuantity || term !== undefined || state.change !== undefined;
  return isChanged ? { change: { ...terms, ...state.change }, data } : { data };
}

async function resyncState(deps: EffectDependencies, tx: Tx, given: Resyncing): Promise<Resynced> {
  const { row, subscription, askedAt, by } = given;
  const { saasSubscriptionStatus: status } = subscription;
  if (status === 'Unsubscribed') return await stop('ended')(deps, tx, { row, by });
  if (status === 'Suspended' && row.state !== 'suspended') return await stop('suspended')(deps, tx, { row, by });
  if (status !== 'Subscribed' || row.state !== 'suspended') return { data: {} };
  const { outcome, change, data } = await reinstate(deps, tx, { row, by });
  // A notice of the suspension that is over may still come. The other way round nothing is decided: one of a suspension's
  // end may be older than this, and wait for its answer.
  return outcome === 'applied' ? { change: { ...change, state_at: askedAt }, data } : { data: { ...data, outcome } };
}

/** Only where both its days are said: without them it would begin anew every time. */
async function otherTerm(
  deps: EffectDependencies,
  tx: Tx,
  { row, subscription: { term, saasSubscriptionStatus: status } }: Resyncing,
): Promise<Term | undefined> {
  if (status !== 'Subscribed' || term?.startDate == null || term.endDate === null) return undefined;
  return (await hasTerm(deps, tx, { tenant: row.tenant_id, term })) ? undefined : term;
}

async function changePlan(deps: EffectDependencies, tx: Tx, { row, operation }: Given): Promise<Effect> {
  const { planId } = operation;
  const data = { from: row.plan_id, to: planId };
  const plan = planId === null || planId === undefined ? undefined : findPlan(deps.plans, planId);
  if (plan === undefined || !planId) return { outcome: 'refused', data };
  await setPlan(deps, tx, { tenant: row.tenant_id, plan: planInState(plan, row.state) });
  return { outcome: 'applied', data, change: { plan_id: planId } };
}

async function changeQuantity(deps: EffectDependencies, tx: Tx, { row, operation, by }: Given): Promise<Effect> {
  const quantity = operation.quantity ?? null;
  const data = { from: row.quantity, to: quantity };
  if (quantity === null) return { outcome: 'refused', data };
  await setContract(deps, tx, { tenant: row.tenant_id, by, seats: quantity });
  return { outcome: 'applied', data, change: { quantity } };
}

function stop(state: 'suspended' | 'ended') {
  return async (deps: EffectDependencies, tx: Tx, { row, by }: GivenState): Promise<Effect> => {
    const tenant = row.tenant_id;
    // From what the tenant has, not from the table: its plan may not be offered any more.
    const { sku_info: plan } = await deps.tenants.get(tx, trustedTenantScope(tenant));
    await setPlan(deps, tx, { tenant, plan: planInState(plan, state) });
    const wasOn = await stopAutomation(deps, tx, { tenant, by });
    const change = { state, automation_stopped: row.automation_stopped || wasOn };
    return { outcome: 'applied', data: { from: row.state, to: state }, change };
  };
}

async function reinstate(deps: EffectDependencies, tx: Tx, { row, by }: GivenState): Promise<Effect> {
  const data = { from: row.state, to: 'active' };
  if (row.state !== 'suspended') return { outcome: 'applied', data: { ...data, to: row.state }, change: {} };
  const plan = findPlan(deps.plans, row.plan_id);
  if (plan === undefined) return { outcome: 'refused', data: { ...data, plan: row.plan_id } };
  await setPlan(deps, tx, { tenant: row.tenant_id, plan });
  // Before automation starts: nobody can start it while this says otherwise.
  await changeSubscription(tx, row.id, { state: 'active', updated_at: deps.now() });
  if (row.automation_stopped) await startAutomation(deps, tx, { tenant: row.tenant_id, by });
  return { outcome: 'applied', data, change: { state: 'active', automation_stopped: false } };
}

async function renew(deps: EffectDependencies, tx: Tx, { row, term, by }: Given): Promise<Effect> {
  if (term === undefined || term === null) return { outcome: 'ignored', data: { reason: 'no term' } };
  const { start_date, end_date } = await setContract(deps, tx, { tenant: row.tenant_id, by, term });
  return { outcome: 'applied', data: { start_date, end_date }, change: {} };
}
