import type { Case, CaseActivity, CaseEvent, CaseSla } from '@airdeck/contracts/cases/schema';
import type { CaseSeverity, CaseStatus, CloseReason, RunStatus } from '@airdeck/contracts/statuses';
import { isBreached } from './case-clock.ts';
import type { ActivityRow, EventRow } from './cases-repository.ts';

/** A case as SQL's to_jsonb hands it over, so that list and detail read it alike: times are texts. */
export type CaseJson = {
  id: string;
  tenant_id: string;
  number: number;
  alert_type: 'policy' | 'manual';
  policy_id: string | null;
  name: string;
  description: string;
  severity: CaseSeverity;
  status: CaseStatus;
  log_sources: string[];
  meta: Record<string, unknown>;
  opened_at: string;
  time_opened: string;
  time_acknowledged: string | null;
  acknowledged_by: string | null;
  time_closed: string | null;
  closed_by: string | null;
  close_reason: CloseReason | null;
  assignee: string | null;
  tags: string[];
  event_count: number;
  time_updated: string;
  respond_by: string | null;
  resolve_by: string | null;
  waiting_since: string | null;
  clock_stood_s: number;
  /** Who opened it by hand. */
  opened_by: string | null;
  /** What the first change was from; null where none was. */
  severity_opened: CaseSeverity | null;
  /** The newest, oldest of them first; null for none. */
  severity_changes: { at: string; username: string; to: CaseSeverity }[] | null;
  responses: { run_id: string; response_name: string; response_type: 'action' | 'playbook'; status: RunStatus }[];
};

export function referenceOf(number: number): string {
  return `CASE-${number}`;
}

export function caseOnTheWire(row: CaseJson, now: Date): Case {
  return {
    id: row.id,
    tenant: row.tenant_id,
    reference: referenceOf(row.number),
    // One alert per case: the policy's firing that opened it.
    alert_id: row.id,
    alert_name: row.name,
    alert_description: row.description,
    alert_type: row.alert_type,
    alert_severity: row.severity,
    severity_history: severityHistory(row),
    alert_status: row.status,
    alert_responses: row.responses.map(({ run_id, ...response }) => ({ ...response, workflow_instance_id: run_id })),
    acknowledged_by_username: row.acknowledged_by,
    closed_by_username: row.closed_by,
    close_reason: row.close_reason,
    log_sources: row.log_sources,
    meta_data_fields: row.meta,
    opened_at: time(row.opened_at),
    time_opened: time(row.time_opened),
    time_acknowledged: row.time_acknowledged === null ? null : time(row.time_acknowledged),
    time_closed: row.time_closed === null ? null : time(row.time_closed),
    time_updated: time(row.time_updated),
    assignee: row.assignee,
    policy_id: row.policy_id,
    event_count: row.event_count,
    tags: row.tags,
    sla: slaOnTheWire(row, now),
  };
}

function severityHistory(row: CaseJson): Case['severity_history'] {
  return [
    { severity: row.severity_opened ?? row.severity, at: time(row.time_opened), username: row.opened_by ?? 'system' },
    ...(row.severity_changes ?? []).map(({ to, at, username }) => ({ severity: to, at: time(at), username })),
  ];
}

function slaOnTheWire(row: CaseJson, now: Date): CaseSla {
  const clock = {
    respond_by: dateOf(row.respond_by),
    resolve_by: dateOf(row.resolve_by),
    waiting_since: dateOf(row.waiting_since),
    time_acknowledged: dateOf(row.time_acknowledged),
    time_closed: dateOf(row.time_closed),
  };
  return {
    respond_by: clock.respond_by?.toISOString() ?? null,
    resolve_by: clock.resolve_by?.toISOString() ?? null,
    waiting_since: clock.waiting_since?.toISOString() ?? null,
    stood_s: row.clock_stood_s,
    breached: isBreached(clock, now),
  };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

export function activityOnTheWire({ id, at, username, kind, text, data }: ActivityRow): CaseActivity {
  return { id, at: at.toISOString(), username, kind, text, data };
}

export function eventOnTheWire({ event_id: id, event_time, event }: EventRow): CaseEvent {
  return {
    id,
    time: event_time.toISOString(),
    integration: event.integration,
    event_type: event.event_type,
    severity: event.severity,
    message: event.message,
    host: event.host,
    user: event.user,
    src_ip: event.src_ip,
    raw: event.raw,
    fields: event.fields,
  };
}

const UTC_WITH_FRACTION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}\+00:00$/;
const MILLISECONDS_END = 23;

/** Nearly always the database's text is ours but for its end; a list has a hundred of them. */
function time(text: string): string {
  return UTC_WITH_FRACTION.test(text) ? `${text.slice(0, MILLISECONDS_END)}Z` : new Date(text).toISOString();
}
