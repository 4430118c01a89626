import type { PolicyOriginKind, PolicyRule, policyChanges } from '@airdeck/contracts/policies/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export type PoliciesTables = {
  policy: {
    id: string;
    tenant_id: string;
    enabled: Generated<boolean>;
    rule: ColumnType<PolicyRule, string, string>;
    /** Counts up with every change of the policy. */
    version: Generated<number>;
    last_opened_at: Date | null;
    /** Cases it opened since that time. */
    pace_from: Date | null;
    pace_cases: Generated<number>;
    /** Matches recorded before count no more: another rule matched them. */
    counts_from: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
    origin: Generated<PolicyOriginKind>;
    created_by: Generated<string>;
    updated_by: Generated<string>;
    /** Of the request that made it, where that carried an Idempotency-Key. */
    request_hash: Generated<string | null>;
    /** The policy of another tenant this one is a copy of. */
    published_from: Generated<string | null>;
    /** The copy was changed here since. */
    overridden: Generated<boolean>;
    /** What lists filter and search by; the database takes it from the rule. */
    severity: GeneratedAlways<CaseSeverity>;
    sources: GeneratedAlways<string[]>;
    search_text: GeneratedAlways<string>;
    sigma_id: GeneratedAlways<string | null>;
  };
  /** What a policy was after each change; written once. */
  policy_version: {
    tenant_id: string;
    policy_id: string;
    version: number;
    change: (typeof policyChanges)[number];
    note: string;
    enabled: boolean;
    rule: ColumnType<PolicyRule, string, never>;
    changed_at: Date;
    changed_by: string;
  };
  /** The text a policy was imported from. */
  policy_source_text: {
    tenant_id: string;
    policy_id: string;
    format: 'sigma';
    file: string;
    text: string;
  };
  policy_set: {
    tenant_id: string;
    /** Counts up with every change of any policy of the tenant: what is compiled from an older one is stale. */
    version: Generated<number>;
  };
};
