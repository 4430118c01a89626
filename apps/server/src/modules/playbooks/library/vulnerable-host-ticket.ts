import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { hostInput, inputsOf } from './shared-inputs.ts';
import {
  decision,
  execOptions,
  fact,
  failedOf,
  lookUp,
  metadata,
  onAnswer,
  outcome,
  slackMessage,
} from './shared-steps.ts';

/** The issue that is open for this weakness of this host, as a list of none or one. */
const OPEN_ISSUES =
  "actions.known.output.issues.filter(one, one.status != 'Done' && one.summary == inputs.weakness + ' on ' + inputs.host)";
const IS_KNOWN = `actions.known.status == 'success' && size(${OPEN_ISSUES}) > 0`;

export const vulnerableHostTicket: PlaybookDefinition = {
  metadata: metadata(
    'Vulnerable host ticket',
    'A scanner found a weakness on a host. Opens one Jira issue for it, or adds a comment to the one that is open already, so that a scan every night does not make a ticket every night. For a critical weakness an analyst is asked whether the host is isolated until it is mended.',
  ),
  inputs: inputsOf(
    {
      host: { ...hostInput, maxLength: 150 },
      weakness: {
        type: 'string',
        title: 'Weakness',
        description: 'Its CVE number.',
        pattern: '^CVE-[0-9]{4}-[0-9]{4,10}$',
        maxLength: 20,
        examples: ['CVE-2026-12345'],
      },
      severity: {
        type: 'string',
        title: 'Severity',
        enum: ['low', 'medium', 'high', 'critical'],
        examples: ['critical'],
      },
      details: {
        type: 'string',
        title: 'Details',
        description: 'What the scanner says: the package, its version, the version that mends it.',
        maxLength: 4000,
      },
    },
    ['host', 'weakness', 'severity'],
  ),
  actions: [
    lookUp({ id: 'sensor', action: 'crowdstrike.find_host', input: { host: '{{ inputs.host }}' } }),
    {
      id: 'known',
      kind: 'action',
      action: 'jira.search',
      connector_id: null,
      when: '!has(inputs.open_ticket) || inputs.open_ticket',
      input: { jql: 'labels = airdeck-weakness AND text ~ "{{ inputs.weakness }}" ORDER BY created DESC', limit: 100 },
      retry: { max_attempts: 3, backoff_s: 2 },
      timeout_s: 60,
      // Without knowing, a second ticket might be opened. Better to fail, to be tried again.
      on_error: 'fail',
    },
    {
      id: 'ticket',
      kind: 'action',
      action: 'jira.create_issue',
      connector_id: null,
      depends_on: ['known', 'sensor'],
      when: `actions.known.status == 'success' && !(${IS_KNOWN})`,
      input: {
        summary: '{{ inputs.weakness }} on {{ inputs.host }}',
        description: [
          'Severity: {{ inputs.severity }}',
          "{{ has(inputs.details) ? inputs.details : '' }}",
          "System: {{ actions.sensor.status == 'success' && size(actions.sensor.output.hosts) > 0 ? actions.sensor.output.hosts[0].os_version : 'no sensor of Falcon' }}",
        ].join('\n'),
        labels: ['airdeck', 'airdeck-weakness'],
      },
      timeout_s: 60,
      on_error: 'fail',
    },
    {
      id: 'comment',
      kind: 'action',
      action: 'jira.add_comment',
      connector_id: null,
      depends_on: ['known'],
      when: IS_KNOWN,
      input: {
        issue: `{{ ${OPEN_ISSUES}[0].key }}`,
        text: "Found again, severity {{ inputs.severity }}. {{ has(inputs.details) ? inputs.details : '' }}",
      },
      timeout_s: 60,
      on_error: 'continue',
    },
    decision({
      depends_on: ['sensor'],
      when: "inputs.severity == 'critical'",
      message: `Isolate {{ inputs.host }} until {{ inputs.weakness }} is mended? In Falcon: {{ actions.sensor.status == 'success' && size(actions.sensor.output.hosts) > 0 ? actions.sensor.output.hosts[0].platform + ', ' + actions.sensor.output.hosts[0].status : 'unknown' }}.`,
      options: [
        { value: 'isolate', label: 'Isolate', style: 'danger' },
        { value: 'ignore', label: 'Leave it online', style: 'default' },
      ],
      expires_in_s: 28_800,
      default_option: 'ignore',
    }),
    onAnswer(['isolate'], { id: 'isolate', action: 'crowdstrike.contain_host', input: { host: '{{ inputs.host }}' } }),
    slackMessage({
      dependsOn: ['ticket', 'comment', 'decide', 'isolate', 'sensor'],
      lines: [
        '{{ inputs.weakness }} ({{ inputs.severity }}) on {{ inputs.host }}.',
        `{{ actions.comment.status == 'success' ? 'Commented on ' + ${OPEN_ISSUES}[0].key : '' }}{{ actions.ticket.status == 'success' ? 'Opened ' + actions.ticket.output.key : '' }}`,
        outcome('Host', 'isolate', 'isolated'),
      ],
    }),
  ],
  outputs: {
    ticket: `{{ actions.ticket.status == 'success' ? actions.ticket.output.key : ${IS_KNOWN} ? ${OPEN_ISSUES}[0].key : null }}`,
    is_new: "{{ actions.ticket.status == 'success' }}",
    isolated: "{{ actions.isolate.status == 'success' }}",
    status_in_falcon: fact('isolate', 'status'),
    failed: failedOf(['comment', 'isolate', 'notify']),
  },
  exec_options: execOptions,
};
