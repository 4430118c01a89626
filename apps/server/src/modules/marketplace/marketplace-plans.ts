import type { PlanTable } from '@airdeck/contracts/marketplace/schema';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { SubscriptionState } from '@airdeck/contracts/tenants/schema';

export function findPlan(plans: PlanTable, planId: string): SkuInfo | undefined {
  return Object.hasOwn(plans, planId) ? plans[planId] : undefined;
}

/**
 * What the tenant of a purchase has. Before its activation, while it is suspended and after its end it keeps what it
 * stored and people keep reading their cases; search and managed detection are not part of the plan for that time.
 */
export function planInState(plan: SkuInfo, state: SubscriptionState): SkuInfo {
  return state === 'active' ? plan : { ...plan, is_mdr_enabled: false, is_search_enabled: false };
}
