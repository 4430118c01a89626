import type { AutomationResponse, NotificationState } from '@airdeck/contracts/automation-rules/schema';
import type { ResponseOutcome } from '@airdeck/contracts/rule-responses/schema';
import type { ColumnType, Generated } from 'kysely';

export type AutomationRulesTables = {
  automation_rule: {
    id: string;
    tenant_id: string;
    name: string;
    /** The Graylog; it may be gone. */
    connector_id: string;
    /** The event definition, by Graylog's own id. */
    definition_id: string;
    /** Of the event definition when it was last seen. */
    definition_title: string;
    responses: ColumnType<AutomationResponse[], string, string>;
    enabled: boolean;
    /** Where its alerts come in. */
    source_id: string | null;
    /** In Graylog, once it was made there. */
    notification_id: Generated<string | null>;
    notification_state: NotificationState;
    notification_reason: Generated<string | null>;
    checked_at: Generated<Date | null>;
    /** Somebody wants it gone; the row goes when its notification has. */
    deleting: Generated<boolean>;
    /** The notification is written also where it looks right. */
    rewrite: Generated<boolean>;
    /** Counts what was asked of the work on its notification, so that work on an older wish settles nothing. */
    work_version: Generated<number>;
    created_by: string;
    updated_by: string;
    /** Whose rights it acts with. */
    owner_user_id: string;
    created_at: Date;
    updated_at: Date;
    revision: Generated<number>;
    last_triggered_at: Generated<Date | null>;
    triggered_count: Generated<number>;
    /** Of the request that made it, where that carried an Idempotency-Key. */
    request_hash: string | null;
  };
  /** What a response did for an alert; an alert that has such rows starts nothing again. */
  automation_rule_alert: {
    tenant_id: string;
    rule_id: string;
    alert_id: string;
    response_name: string;
    response_type: AutomationResponse['response_type'];
    alert_title: string;
    at: Date;
    outcome: ResponseOutcome;
    run_id: string | null;
    problem: string | null;
  };
  /** The event source that the notifications of one Graylog send to. */
  automation_alert_source: {
    tenant_id: string;
    connector_id: string;
    source_id: string;
    /** A new one makes a new token. */
    token_version: number;
  };
};
