import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { addressInput, firewallInput, hostInput, inputsOf, userInput } from './shared-inputs.ts';
import {
  BLOCK_OUTCOME,
  BLOCKED,
  blockOnFirewall,
  counted,
  DECIDED,
  decision,
  execOptions,
  fact,
  failedOf,
  firstOf,
  lookUp,
  metadata,
  onAnswer,
  outcome,
  outcomeOfEach,
  REFERENCE,
  servicenowTicket,
  slackMessage,
  TICKET_NUMBER,
  WORTH_REPORTING,
} from './shared-steps.ts';

const HOSTS = 'inputs.hosts';
const ADDRESS_GIVEN = "has(inputs.ip) && inputs.ip != ''";
const USER_GIVEN = "has(inputs.user) && inputs.user != ''";
const contained = ['isolate', 'disable', 'end_sessions', 'block_fortigate', 'block_panos'];

export const ransomwareContainment: PlaybookDefinition = {
  metadata: metadata(
    'Ransomware containment',
    'Minutes count: whoever is on call is paged at once, and the question is open for five minutes only. Then the hosts are cut off from the network although nobody answered. Falcon isolates the hosts, Entra ID locks the account, the firewall blocks the control server; a ServiceNow incident of high urgency records it. Lift the isolation in Falcon when it was a false alarm.',
  ),
  inputs: inputsOf(
    {
      hosts: {
        type: 'array',
        title: 'Hosts',
        description: 'All hosts that show signs of it.',
        items: hostInput,
        minItems: 1,
        maxItems: 50,
        examples: [['ws-001.larkspur.example', 'ws-002.larkspur.example']],
      },
      user: {
        ...userInput,
        description: 'The account it runs as. Nobody is locked when left empty.',
        pattern: '^[^\\s"\'\\\\<>]*$',
      },
      ip: {
        ...addressInput,
        title: 'Control server',
        description: 'Where the hosts report to. Nothing is blocked when left empty.',
        pattern: '^[0-9A-Fa-f:.]*$',
        minLength: 0,
      },
      firewall: firewallInput,
    },
    ['hosts'],
  ),
  actions: [
    {
      id: 'page',
      kind: 'action',
      action: 'pagerduty.trigger',
      connector_id: null,
      input: {
        summary: `Signs of ransomware on ${firstOf(HOSTS)}`,
        source: `{{ ${HOSTS}[0] }}`,
        severity: 'critical',
        dedup_key: `{{ ${REFERENCE} }}`,
        custom_details: { hosts: `{{ ${HOSTS} }}` },
      },
      retry: { max_attempts: 5, backoff_s: 2 },
      timeout_s: 30,
      on_error: 'continue',
    },
    lookUp({ id: 'sensors', action: 'crowdstrike.find_host', for_each: HOSTS, input: { host: '{{ item }}' } }),
    lookUp({
      id: 'account',
      action: 'microsoft_graph.get_user',
      when: USER_GIVEN,
      input: { user: '{{ inputs.user }}' },
    }),
    decision({
      depends_on: ['sensors', 'account'],
      message: `Cut {{ ${HOSTS}.join(', ') }} off from the network? It happens by itself in five minutes. Account: ${fact('account', 'user_principal_name')}, ${fact('account', 'department')}.`,
      options: [
        { value: 'isolate', label: 'Isolate now', style: 'danger' },
        { value: 'ignore', label: 'False alarm', style: 'default' },
      ],
      expires_in_s: 300,
      default_option: 'isolate',
    }),
    onAnswer(['isolate'], {
      id: 'isolate',
      action: 'crowdstrike.contain_host',
      for_each: HOSTS,
      input: { host: '{{ item }}' },
      retry: { max_attempts: 5, backoff_s: 2 },
    }),
    onAnswer(['isolate'], {
      id: 'disable',
      action: 'microsoft_graph.disable_user',
      when: USER_GIVEN,
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['isolate'], {
      id: 'end_sessions',
      action: 'microsoft_graph.revoke_sign_in_sessions',
      when: USER_GIVEN,
      input: { user: '{{ inputs.user }}' },
    }),
    ...blockOnFirewall(['isolate'], { address: 'inputs.ip', when: ADDRESS_GIVEN }),
    servicenowTicket({
      dependsOn: ['decide', 'page', ...contained],
      title: `Ransomware on ${counted(HOSTS, 'host')}`,
      lines: [
        `Hosts: {{ ${HOSTS}.join(', ') }}`,
        DECIDED,
        outcome('On-call', 'page', 'paged'),
        outcomeOfEach('Isolation', 'isolate', { done: 'begun', list: HOSTS }),
        outcome('Account', 'disable', 'locked'),
        outcome('Sessions', 'end_sessions', 'ended'),
        BLOCK_OUTCOME,
        'Left to do: keep memory and disks for the investigation, look for the first host, check the backups.',
      ],
      urgency: '1',
    }),
    {
      id: 'stand_down',
      kind: 'action',
      action: 'pagerduty.resolve',
      connector_id: null,
      depends_on: ['decide', 'page'],
      when: "actions.decide.output.option == 'ignore' && actions.page.status == 'success'",
      input: { dedup_key: `{{ ${REFERENCE} }}` },
      retry: { max_attempts: 3, backoff_s: 2 },
      timeout_s: 30,
      on_error: 'continue',
    },
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [
        `Ransomware on {{ ${HOSTS}.join(', ') }}. ${DECIDED}`,
        outcomeOfEach('Isolation', 'isolate', { done: 'begun', list: HOSTS }),
        `Incident: ${fact('ticket', 'number')}`,
      ],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    isolated:
      "{{ actions.isolate.status == 'success' ? actions.isolate.output.filter(one, one != null).map(one, one.hostname) : [] }}",
    locked: "{{ actions.disable.status == 'success' }}",
    blocked: `{{ ${BLOCKED} }}`,
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.servicenow,
  },
  exec_options: execOptions,
};
