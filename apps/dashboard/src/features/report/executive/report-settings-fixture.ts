import type { ExecutiveReportSettings } from '@airdeck/contracts/reports/executive-report';

/** Of a tenant where nobody settled anything yet, with what is given. */
export function reportSettings(given: Partial<ExecutiveReportSettings> = {}): ExecutiveReportSettings {
  return {
    ...{ enabled: false, locale: null, time_zone: null, contact_ids: [], user_ids: [] },
    ...{ effective: { locale: 'en-US', time_zone: 'UTC' }, recipients: [], next_report_at: null, updated_at: null },
    ...given,
  };
}
