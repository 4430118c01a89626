import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { PolicyOrigin } from '@airdeck/contracts/policies/origin-schema';
import type { CaseSeverity, CaseStatus, CloseReason, RunStatus } from '@airdeck/contracts/statuses';
import type { ColumnType, Generated } from 'kysely';

export type CasesTables = {
  /** `case` is a reserved word of SQL. */
  case_record: {
    id: string;
    tenant_id: string;
    /** The n of `CASE-n`. */
    number: number;
    alert_type: 'policy' | 'manual';
    policy_id: string | null;
    /** Of the policy at the time, where that was written elsewhere: its licence may ask that the author is named. */
    policy_origin: ColumnType<PolicyOrigin | null, string | null | undefined, string | null>;
    /** Group of the policy; one open case per policy and group. */
    group_key: string | null;
    name: string;
    description: string;
    category: string;
    severity: CaseSeverity;
    /** Index in `caseSeverities`, for sorting. */
    severity_rank: number;
    status: CaseStatus;
    log_sources: string[];
    meta: ColumnType<JsonObject, string, string>;
    /** Time of the first matching event. */
    opened_at: Date;
    time_opened: Date;
    time_acknowledged: Date | null;
    acknowledged_by: string | null;
    time_closed: Date | null;
    closed_by: string | null;
    closed_by_person: boolean | null;
    close_reason: CloseReason | null;
    /** First successful automated response. */
    automated_response_at: Date | null;
    assignee: string | null;
    tags: Generated<string[]>;
    event_count: Generated<number>;
    time_updated: Date;
    /** Lower-case text of everything `q` looks in; kept by the repository. */
    search_text: string;
    /** Until when somebody should have acknowledged it; null without such a target. `case-clock.ts` explains the clock. */
    respond_by: Date | null;
    resolve_by: Date | null;
    /** Since when it waits on the customer. */
    waiting_since: Date | null;
    /** Seconds the clock stood still, besides the wait that goes on. */
    clock_stood_s: Generated<number>;
    /** When the clock has to be looked at next; null when there is nothing to tell any more. */
    clock_next_at: Date | null;
    /** How many contacts were written to because nobody responded. */
    escalations: Generated<number>;
    /** Of the request that opened it, where an Idempotency-Key made its id. */
    request_hash: Generated<string | null>;
  };
  /** A tenant's own targets: all severities, or none. */
  case_sla_target: {
    tenant_id: string;
    severity: CaseSeverity;
    respond_minutes: number | null;
    resolve_minutes: number | null;
  };
  case_sla_change: { tenant_id: string; updated_at: Date; updated_by: string };
  /** What was told about a case's clock: each thing once. */
  case_sla_notice: { tenant_id: string; case_id: string; kind: string; at: Date };
  case_suppression: {
    id: string;
    tenant_id: string;
    policy_id: string;
    group_key: string;
    /** The false positive. */
    case_id: string;
    until: Date;
    created_at: Date;
    created_by: string;
  };
  /** Group values of each case, under their names, by which related cases are found. A trigger of `case_record` keeps it. */
  case_group_value: { tenant_id: string; case_id: string; value_hash: Buffer; time_opened: Date };
  case_counter: { tenant_id: string; last_number: number };
  case_response: {
    tenant_id: string;
    case_id: string;
    run_id: string;
    response_name: string;
    response_type: 'action' | 'playbook';
    status: RunStatus;
    by_hand: boolean;
    started_at: Generated<Date>;
  };
  case_activity: {
    id: string;
    tenant_id: string;
    case_id: string;
    at: Date;
    username: string;
    kind: CaseActivityKind;
    text: string;
    data: ColumnType<JsonObject, string, string>;
    /** Made of the Idempotency-Key of the update it was the first entry of; `id` is in the order of the story. */
    request_id: Generated<string | null>;
    request_hash: Generated<string | null>;
  };
  case_event: {
    tenant_id: string;
    case_id: string;
    event_id: string;
    event_time: Date;
    event: ColumnType<StoredEvent, string, string>;
  };
};
