import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { Playbook, PlaybookAction, PlaybookVersion } from '@airdeck/contracts/playbooks/schema';
import { ownTenant } from '../../session/fixtures.ts';

export function playbookId(number: number): string {
  return `01920000-0000-7000-8000-0000000009${String(number).padStart(2, '0')}`;
}

export function runId(number: number): string {
  return `01920000-0000-7000-8000-0000000008${String(number).padStart(2, '0')}`;
}

const steps: PlaybookAction[] = [
  { id: 'lookup', kind: 'action', action: 'virustotal.get_ip_report', input: { ip: '{{ inputs.ip }}' } },
  {
    id: 'approve',
    kind: 'prompt',
    message: 'Block the address?',
    options: [
      { value: 'block', label: 'Block' },
      { value: 'ignore', label: 'Ignore' },
    ],
    depends_on: ['lookup'],
  },
];

/** A playbook of a test: published, run twice, the newest run failed. */
export function playbook(number: number, fields: Partial<Playbook> = {}): Playbook {
  return {
    id: playbookId(number),
    tenant: ownTenant,
    version: 2,
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-20T00:00:00.000Z',
    has_draft: false,
    triggers: ['manual', 'policy'],
    metadata: {
      name: `Playbook ${number}`,
      description: 'Looks an address up and blocks it.',
      author: 'ana.souza@northwind.example',
      updated_by: 'ana.souza@northwind.example',
    },
    inputs: {
      type: 'object',
      required: ['ip'],
      additionalProperties: false,
      properties: { ip: { type: 'string', title: 'Address', description: 'Whose traffic to stop.', minLength: 3 } },
    },
    actions: steps,
    outputs: {},
    exec_options: { max_concurrent_actions: 4 },
    figures: {
      last_runs: [
        { id: runId(1), status: 'error', time_created: '2026-11-20T10:00:00.000Z', duration_s: 3 },
        { id: runId(2), status: 'success', time_created: '2026-11-20T09:00:00.000Z', duration_s: 2 },
      ],
      runs_30d: 2,
      success_rate: 0.5,
      median_duration_s: 2.5,
    },
    ...fields,
  };
}

export function version(number: number, fields: Partial<PlaybookVersion> = {}): PlaybookVersion {
  const { metadata, inputs, actions, outputs, exec_options } = playbook(1);
  return {
    version: number,
    note: `Note ${number}`,
    published_at: '2026-11-20T00:00:00.000Z',
    published_by: 'ana.souza@northwind.example',
    definition: { metadata, inputs, actions, outputs, exec_options: { ...exec_options, timeout_s: number * 60 } },
    ...fields,
  };
}

export function step(id: string, fields: Partial<RunActionSummary> = {}): RunActionSummary {
  return {
    status: 'success',
    action_uuid: '01920000-0000-7000-8000-000000000a01',
    workflow_action_id: id,
    action_name: 'virustotal.get_ip_report',
    kind: 'action',
    items: null,
    child_run_id: null,
    prompt_id: null,
    skip_reason: null,
    time_started: '2026-11-20T10:00:00.000Z',
    time_finished: '2026-11-20T10:00:01.000Z',
    ...fields,
  };
}

type RunFields = { summary?: Partial<PlaybookRun['summary']>; playbook?: Partial<PlaybookRun['playbook']> };

/** A run of a test that succeeded. */
export function playbookRun(number: number, { summary = {}, playbook: own = {} }: RunFields = {}): PlaybookRun {
  const { metadata, inputs, actions, outputs, exec_options } = playbook(1);
  const trigger_info = {
    trigger_type: 'manual' as const,
    username: 'ana.souza@northwind.example',
    user_tenant_id: ownTenant,
    user_tenant_name: 'Northwind Traders',
    case_id: null,
  };
  return {
    playbook: {
      soar_object_type: 'WorkflowInstance',
      tenant_id: ownTenant,
      workflow_instance_id: runId(number),
      definition: { metadata, inputs, actions, outputs, exec_options },
      trigger_info,
      inputs: { ip: '192.0.2.7' },
      outputs: null,
      ...own,
    },
    summary: {
      trigger_info,
      actions_summary: [step('lookup'), step('approve', { kind: 'prompt', action_uuid: null })],
      workflow_uuid: runId(number),
      workflow_name: 'Playbook 1',
      status: 'success',
      tenant: ownTenant,
      time_created: '2026-11-20T10:00:00.000Z',
      time_updated: '2026-11-20T10:00:02.000Z',
      time_finished: '2026-11-20T10:00:02.000Z',
      error_info: null,
      retry_of: null,
      parent_run_id: null,
      playbook_id: playbookId(1),
      ...summary,
    },
  };
}
