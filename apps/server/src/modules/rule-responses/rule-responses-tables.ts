import type { JsonObject } from '@airdeck/contracts/fields';
import type { ColumnType, Generated } from 'kysely';

export type RuleResponsesTables = {
  rule_response: {
    tenant_id: string;
    rule_id: string;
    response_name: string;
    response_type: 'action' | 'playbook';
    definition_id: string;
    connector_id: string | null;
    /** Values may hold expressions over `case`, `group` and `event`. */
    inputs: ColumnType<JsonObject, string, string>;
    enabled: Generated<boolean>;
    created_by: string;
    /** Whose rights the response acts with; null for what the product itself set up. */
    owner_user_id: string | null;
    updated_at: Generated<Date>;
  };
};
