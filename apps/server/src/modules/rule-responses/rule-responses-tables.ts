import type { JsonObject } from '@airdeck/contracts/fields';
import type { ResponseOutcome, ResponseTrigger } from '@airdeck/contracts/rule-responses/schema';
import type { ColumnType, Generated } from 'kysely';

export type RuleResponsesTables = {
  rule_response: {
    tenant_id: string;
    /** The policy. It may be gone: the response stays, to say so. */
    rule_id: string;
    response_name: string;
    response_type: 'action' | 'playbook';
    /** What it answers. */
    trigger: Generated<ResponseTrigger>;
    definition_id: string;
    /** It may be gone too; then nothing is run on another one. */
    connector_id: string | null;
    /** Values may hold expressions over `case`, `group` and `event`. */
    inputs: ColumnType<JsonObject, string, string>;
    /** A bare expression over the same that must hold. */
    conditions: string | null;
    /** Responses of a policy start in this order. */
    position: Generated<number>;
    enabled: Generated<boolean>;
    created_by: string;
    updated_by: string;
    /** Whose rights the response acts with; null for what the product itself set up. */
    owner_user_id: string | null;
    updated_at: Generated<Date>;
    revision: Generated<number>;
    /** Of the policy when the response was saved; read only once the policy is gone. */
    rule_name: string;
  };
  /** What a response did for a case it was asked to answer. */
  rule_response_outcome: {
    tenant_id: string;
    rule_id: string;
    response_name: string;
    case_id: string;
    at: Date;
    outcome: ResponseOutcome;
    run_id: string | null;
    problem: string | null;
  };
};
