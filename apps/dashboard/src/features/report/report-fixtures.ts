import type { ReportSchedule, SearchReport } from '@airdeck/contracts/reports/schema';

export const reportId = (n: number) => `01920000-0000-7000-8000-0000000004${String(n).padStart(2, '0')}`;

export function report(n: number, given: Partial<SearchReport> = {}): SearchReport {
  const search = { integrations: [], query: 'outcome:failure', filters: [] };
  return {
    ...{ id: reportId(n), name: `Report ${n}`, query: search.query, search, format: 'csv', status: 'success' },
    time_range: { start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z' },
    ...{ created_at: '2026-11-21T06:00:00.000Z', created_by: 'ana@example.com', row_count: 1_204, size_bytes: 482_000 },
    ...{ rows_expected: 1_204, cut_by: null, failure: null, finished_at: '2026-11-21T06:00:09.000Z' },
    ...{ expires_at: '2026-12-21T06:00:09.000Z', schedule_id: null },
    ...given,
  };
}

export function schedule(n: number, given: Partial<ReportSchedule> = {}): ReportSchedule {
  return {
    ...{ id: reportId(50 + n), name: `Schedule ${n}`, format: 'csv', period: 'daily', at_minute: 360, enabled: true },
    covers_days: null,
    search: { integrations: ['sshd'], query: 'outcome:failure', filters: [] },
    ...{ time_zone: 'Europe/Lisbon', contact_ids: [], created_at: '2026-11-20T06:00:00.000Z' },
    ...{ created_by: 'ana@example.com', updated_at: '2026-11-20T06:00:00.000Z', last_run: null, recipients: [] },
    next_run_at: '2026-11-22T06:00:00.000Z',
    ...given,
  };
}
