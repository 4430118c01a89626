import type { ReportSchedule, SearchReport } from '@airdeck/contracts/reports/schema';
import type { ReportRow } from './reports-repository.ts';
import type { LastRun, Recipient, ScheduleRow } from './schedules-repository.ts';

export function reportOnWire(row: ReportRow): SearchReport {
  return {
    id: row.id,
    name: row.name,
    query: row.search.query,
    search: row.search,
    time_range: { start: row.range_start.toISOString(), end: row.range_end.toISOString() },
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    status: row.status,
    format: row.format,
    row_count: row.row_count,
    size_bytes: row.size_bytes,
    rows_expected: row.rows_expected,
    cut_by: row.cut_by,
    failure: row.failure,
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    schedule_id: row.schedule_id,
  };
}

export function scheduleOnWire(
  row: ScheduleRow,
  known: { runs: ReadonlyMap<string, LastRun>; contacts: readonly Recipient[] },
): ReportSchedule {
  const run = known.runs.get(row.id);
  const recipients = known.contacts.filter(({ id }) => row.contact_ids.includes(id));
  return {
    id: row.id,
    name: row.name,
    search: row.search,
    format: row.format,
    period: row.period,
    covers_days: row.covers_days,
    at_minute: row.at_minute,
    time_zone: row.time_zone,
    contact_ids: recipients.map(({ id }) => id),
    enabled: row.enabled,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    updated_at: row.updated_at.toISOString(),
    next_run_at: row.next_slot_at?.toISOString() ?? null,
    last_run: run === undefined ? null : { report_id: run.id, at: run.created_at.toISOString(), status: run.status },
    recipients: recipients.map(({ id, name }) => ({ id, name })),
  };
}
