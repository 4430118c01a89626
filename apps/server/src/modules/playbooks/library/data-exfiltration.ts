import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { addressInput, firewallInput, hostInput, inputsOf, userInput } from './shared-inputs.ts';
import {
  BLOCK_OUTCOME,
  BLOCKED,
  blockOnFirewall,
  DECIDED,
  decision,
  execOptions,
  fact,
  failedOf,
  lookUp,
  metadata,
  onAnswer,
  outcome,
  REFERENCE,
  servicenowTicket,
  slackMessage,
  TICKET_NUMBER,
  WORTH_REPORTING,
} from './shared-steps.ts';

const SIZE = "has(inputs.megabytes) ? string(inputs.megabytes) + ' MB' : 'an unknown amount'";
const contained = ['block_fortigate', 'block_panos', 'isolate', 'disable', 'end_sessions'];

export const dataExfiltration: PlaybookDefinition = {
  metadata: metadata(
    'Data exfiltration',
    'Much data left for one address. Asks who owns the address and what is known of the host and the account; an analyst blocks the address, or isolates the host and locks the account as well, which pages whoever is on call. Without an answer in an hour the address is blocked. A ServiceNow incident records it.',
  ),
  inputs: inputsOf(
    {
      host: { ...hostInput, description: 'Where the data came from.' },
      ip: { ...addressInput, title: 'Destination', description: 'Where the data went.' },
      user: userInput,
      megabytes: {
        type: 'number',
        title: 'Megabytes',
        description: 'How much was sent.',
        minimum: 0,
        examples: [5120],
      },
      firewall: firewallInput,
    },
    ['host', 'ip', 'user'],
  ),
  actions: [
    lookUp({ id: 'report', action: 'virustotal.ip_report', input: { ip: '{{ inputs.ip }}' } }),
    lookUp({ id: 'reputation', action: 'abuseipdb.check_ip', input: { ip: '{{ inputs.ip }}' } }),
    lookUp({ id: 'sensor', action: 'crowdstrike.find_host', input: { host: '{{ inputs.host }}' } }),
    lookUp({ id: 'account', action: 'microsoft_graph.get_user', input: { user: '{{ inputs.user }}' } }),
    decision({
      depends_on: ['report', 'reputation', 'sensor', 'account'],
      message: `{{ inputs.host }} sent {{ ${SIZE} }} to {{ inputs.ip }} as {{ inputs.user }} (${fact('account', 'department')}). The address belongs to ${fact('report', 'as_owner')} in ${fact('report', 'country')}, its abuse score is ${fact('reputation', 'score')} of 100. Stop it?`,
      options: [
        { value: 'contain', label: 'Block, isolate and lock', style: 'danger' },
        { value: 'block', label: 'Only block the address', style: 'primary' },
        { value: 'ignore', label: 'It is allowed', style: 'default' },
      ],
      expires_in_s: 3600,
      default_option: 'block',
    }),
    ...blockOnFirewall(['contain', 'block'], { address: 'inputs.ip' }),
    onAnswer(['contain'], {
      id: 'isolate',
      action: 'crowdstrike.contain_host',
      input: { host: '{{ inputs.host }}' },
    }),
    onAnswer(['contain'], {
      id: 'disable',
      action: 'microsoft_graph.disable_user',
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['contain'], {
      id: 'end_sessions',
      action: 'microsoft_graph.revoke_sign_in_sessions',
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['contain'], {
      id: 'page',
      action: 'pagerduty.trigger',
      input: {
        summary: `{{ inputs.host }} sent {{ ${SIZE} }} to {{ inputs.ip }}`,
        source: '{{ inputs.host }}',
        severity: 'critical',
        dedup_key: `{{ ${REFERENCE} }}`,
        custom_details: { user: '{{ inputs.user }}' },
      },
    }),
    servicenowTicket({
      dependsOn: ['decide', 'page', ...contained],
      title: 'Data sent to {{ inputs.ip }}',
      lines: [
        `{{ inputs.host }} sent {{ ${SIZE} }} as {{ inputs.user }}.`,
        `The address belongs to ${fact('report', 'as_owner')} in ${fact('report', 'country')}; abuse score ${fact('reputation', 'score')} of 100.`,
        DECIDED,
        BLOCK_OUTCOME,
        outcome('Host', 'isolate', 'isolated'),
        outcome('Account', 'disable', 'locked'),
        outcome('Sessions', 'end_sessions', 'ended'),
        outcome('On-call', 'page', 'paged'),
        'Left to do: find out what was sent, and who has to be told by law.',
      ],
      urgency: '1',
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [
        `{{ inputs.host }} sent {{ ${SIZE} }} to {{ inputs.ip }}. ${DECIDED}`,
        BLOCK_OUTCOME,
        `Incident: ${fact('ticket', 'number')}`,
      ],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    decision: '{{ actions.decide.output.option }}',
    blocked: `{{ ${BLOCKED} }}`,
    isolated: "{{ actions.isolate.status == 'success' }}",
    locked: "{{ actions.disable.status == 'success' }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.servicenow,
  },
  exec_options: execOptions,
};
