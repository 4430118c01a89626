import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type SuppressedGroup = { policyId: string; groupKey: string };

/** What cases ask of detection about one group of a policy, in transactions of the tenant. */
export interface GroupSuppressions {
  /**
   * Holds the group until the transaction ends. Before the case is locked: detection takes group and case in this order,
   * and taking them the other way round would end in a deadlock.
   */
  lock(tx: Tx, scope: TenantScope, group: SuppressedGroup): Promise<void>;
  /** No event of the group up to this time, by the event's own time, opens a case. */
  suppress(tx: Tx, scope: TenantScope, group: SuppressedGroup & { until: Date }): Promise<void>;
  /** Takes back what `suppress` did with this `until`: events after `at` count again. */
  end(tx: Tx, scope: TenantScope, group: SuppressedGroup & { until: Date; at: Date }): Promise<void>;
}
