import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
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
  };
  case_counter: { tenant_id: string; last_number: number };
  case_response: {
    tenant_id: string;
    case_id: string;
    run_id: string;
    response_name: string;
    response_type: 'action' | 'playbook';
    status: RunStatus;
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
  };
  case_event: {
    tenant_id: string;
    case_id: string;
    event_id: string;
    event_time: Date;
    event: ColumnType<StoredEvent, string, string>;
  };
};
