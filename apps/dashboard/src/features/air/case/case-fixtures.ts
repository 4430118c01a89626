import type { Case, CaseDetail, CaseList } from '@airdeck/contracts/cases/schema';
import type { Playbook } from '@airdeck/contracts/playbooks/schema';
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
  severity_history: [{ severity: 'high', at, username: 'system' }],
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
  sla: { respond_by: null, resolve_by: null, waiting_since: null, stood_s: 0, breached: false },
};

/** These cases as the list answers them. */
export function caseList(cases: Case[]): CaseList {
  return { cases, total: cases.length, facets: { status: [], severity: [], source: [], category: [] } };
}

/** A playbook that asks for nothing. */
export const blockPlaybook: Playbook = {
  ...{ id: '01920000-0000-7000-8000-000000000901', tenant: ownTenant, version: 1, created_at: at, updated_at: at },
  metadata: { name: 'Block', description: '', author: 'ana', updated_by: 'ana' },
  ...{ has_draft: false, triggers: ['manual'], inputs: {}, actions: [], outputs: {} },
  exec_options: { max_concurrent_actions: 4 },
  figures: { last_runs: [], runs_30d: 0, success_rate: null, median_duration_s: null },
};
