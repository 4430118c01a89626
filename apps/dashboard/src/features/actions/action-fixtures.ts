import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { ownTenant } from '../../session/fixtures.ts';

/** An action of a test; `fortigate.block_address` belongs to the integration `fortigate`. */
export function action(id: string, fields: Partial<ActionDefinition> = {}): ActionDefinition {
  return {
    action_id: id,
    definition_id: id.split('.')[0] ?? id,
    friendly_name: id,
    description: 'Does it.',
    vendor: 'Fortinet',
    product: 'FortiGate',
    input_schema: {
      type: 'object',
      required: ['address'],
      additionalProperties: false,
      properties: { address: { type: 'string', title: 'Address', minLength: 3 } },
    },
    output_schema: { type: 'object', properties: { changed: { type: 'boolean', description: 'Whether it was new.' } } },
    effect: 'changes',
    requires_connector: true,
    timeout_s: 60,
    ...fields,
  };
}

export function connector(number: number, fields: Partial<ConnectorSummary> = {}): ConnectorSummary {
  return {
    id: `01920000-0000-7000-8000-0000000005${String(number).padStart(2, '0')}`,
    tenant: ownTenant,
    definition_id: 'fortigate',
    name: `FortiGate ${number}`,
    default: number === 1,
    enabled: true,
    state: 'active',
    events_enabled: false,
    events_options: {},
    metrics_enabled: false,
    metrics_options: {},
    last_successful_connection: null,
    last_updated: '2026-11-20T00:00:00.000Z',
    test_connection_time: null,
    test_connection_status: null,
    test_connection_message: null,
    test_connection_metadata: null,
    events_24h: 0,
    actions: [],
    ...fields,
  };
}

type RunFields = { summary?: Partial<ActionActivity['summary']>; details?: Partial<ActionActivity['details']> };

export function actionRun(number: number, { summary = {}, details = {} }: RunFields = {}): ActionActivity {
  const action_name = summary.action_name ?? 'fortigate.block_address';
  return {
    summary: {
      status: 'success',
      workflow_instance_id: null,
      action_name,
      type: 'manual',
      time_created: '2026-11-20T10:00:00.000Z',
      time_updated: '2026-11-20T10:00:02.000Z',
      ...summary,
    },
    details: {
      action_output: null,
      error_info: null,
      action_name,
      action_input: { address: '192.0.2.7' },
      context: {
        action_uuid: `01920000-0000-7000-8000-0000000007${String(number).padStart(2, '0')}`,
        adhoc: true,
        attempt_count: 1,
        tenant_id: ownTenant,
        time_scheduled: null,
        workflow_action_id: null,
        workflow_instance_id: null,
        case_id: null,
      },
      ...details,
    },
  };
}
