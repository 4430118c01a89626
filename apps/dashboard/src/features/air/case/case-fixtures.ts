import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { ownTenant } from '../../../session/fixtures.ts';

const id = '01920000-0000-7000-8000-000000000301';
const at = '2026-11-21T10:00:00.000Z';

/** A case that somebody has acknowledged. */
export const acknowledgedCase: CaseDetail = {
  id,
  tenant: ownTenant,
  reference: 'CASE-7',
  alert_id: id,
  alert_name: 'Password guessing',
  alert_description: '',
  alert_type: 'policy',
  alert_severity: 'high',
  alert_status: 'acknowledged',
  alert_responses: [],
  acknowledged_by_username: 'tom@example.com',
  closed_by_username: null,
  close_reason: null,
  log_sources: [],
  meta_data_fields: {},
  opened_at: at,
  time_opened: at,
  time_acknowledged: at,
  time_closed: null,
  time_updated: at,
  assignee: null,
  policy_id: null,
  event_count: 5,
  tags: [],
  activity: [
    { id: '01920000-0000-7000-8000-000000000401', at, username: 'tom@example.com', kind: 'opened', text: '', data: {} },
  ],
  events: [],
  related_cases: [],
  policy_origin: null,
  entities: [],
  sla: { respond_by: null, resolve_by: null, waiting_since: null, breached: false },
};
