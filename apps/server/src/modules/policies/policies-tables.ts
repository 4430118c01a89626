import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { ColumnType, Generated } from 'kysely';

export type PoliciesTables = {
  policy: {
    id: string;
    tenant_id: string;
    enabled: Generated<boolean>;
    rule: ColumnType<PolicyRule, string, string>;
    /** Counts up with every change of the policy. */
    version: Generated<number>;
    last_opened_at: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  policy_set: {
    tenant_id: string;
    /** Counts up with every change of any policy of the tenant: what is compiled from an older one is stale. */
    version: Generated<number>;
  };
};
