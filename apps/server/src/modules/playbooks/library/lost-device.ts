import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { hostInput, inputsOf, userInput } from './shared-inputs.ts';
import {
  DECIDED,
  decision,
  execOptions,
  fact,
  failedOf,
  lookUp,
  metadata,
  onAnswer,
  outcome,
  servicenowTicket,
  slackMessage,
  TICKET_NUMBER,
  WORTH_REPORTING,
} from './shared-steps.ts';

const contained = ['isolate', 'end_sessions', 'end_microsoft_sessions', 'expire_password'];

export const lostDevice: PlaybookDefinition = {
  metadata: metadata(
    'Lost device',
    'A laptop was lost or stolen. Shows when Falcon last saw it and whose it is; an analyst isolates it, ends the sessions of its owner everywhere, has Okta forget its devices, and for a stolen one expires the password. Without an answer in four hours it counts as lost. A ServiceNow incident asks for the replacement.',
  ),
  inputs: inputsOf(
    {
      user: { ...userInput, description: 'Whose device it is.' },
      host: { ...hostInput, title: 'Device' },
      uses_microsoft: {
        type: 'boolean',
        title: 'End sessions in Microsoft 365 too',
        default: true,
      },
    },
    ['user', 'host'],
  ),
  actions: [
    lookUp({ id: 'device', action: 'crowdstrike.find_host', input: { host: '{{ inputs.host }}' } }),
    lookUp({ id: 'owner', action: 'okta.get_user', input: { user: '{{ inputs.user }}' } }),
    lookUp({ id: 'groups', action: 'okta.list_user_groups', input: { user: '{{ inputs.user }}' } }),
    decision({
      depends_on: ['device', 'owner', 'groups'],
      message: `Lock out the device {{ inputs.host }} of {{ inputs.user }} (${fact('owner', 'department')})? Last seen: {{ actions.device.status == 'success' && size(actions.device.output.hosts) > 0 ? actions.device.output.hosts[0].last_seen : 'unknown to Falcon' }}. Groups of the owner: {{ actions.groups.status == 'success' ? actions.groups.output.groups.filter(one, one.name != null).map(one, one.name).join(', ') : 'unknown' }}.`,
      options: [
        { value: 'stolen', label: 'Stolen', style: 'danger' },
        { value: 'lost', label: 'Lost', style: 'primary' },
        { value: 'ignore', label: 'Found again', style: 'default' },
      ],
      expires_in_s: 14_400,
      default_option: 'lost',
    }),
    onAnswer(['stolen', 'lost'], {
      id: 'isolate',
      action: 'crowdstrike.contain_host',
      input: { host: '{{ inputs.host }}' },
    }),
    onAnswer(['stolen', 'lost'], {
      id: 'end_sessions',
      action: 'okta.clear_sessions',
      input: { user: '{{ inputs.user }}', oauth_tokens: true, forget_devices: true },
    }),
    onAnswer(['stolen', 'lost'], {
      id: 'end_microsoft_sessions',
      action: 'microsoft_graph.revoke_sign_in_sessions',
      when: '(!has(inputs.uses_microsoft) || inputs.uses_microsoft)',
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['stolen'], {
      id: 'expire_password',
      action: 'okta.expire_password',
      input: { user: '{{ inputs.user }}' },
    }),
    servicenowTicket({
      dependsOn: ['decide', ...contained],
      title: 'Device {{ inputs.host.substring(0, size(inputs.host) < 60 ? size(inputs.host) : 60) }} is gone',
      lines: [
        'Device: {{ inputs.host }}',
        'Owner: {{ inputs.user }}',
        DECIDED,
        outcome('Device', 'isolate', 'isolated'),
        outcome('Sessions in Okta', 'end_sessions', 'ended, devices forgotten'),
        outcome('Sessions in Microsoft 365', 'end_microsoft_sessions', 'ended'),
        outcome('Password', 'expire_password', 'expired'),
        'Left to do: a replacement, a report to the police if it was stolen, wiping it when it appears.',
      ],
      urgency: '2',
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [
        `Device {{ inputs.host }} of {{ inputs.user }}. ${DECIDED}`,
        outcome('Device', 'isolate', 'isolated'),
        `Incident: ${fact('ticket', 'number')}`,
      ],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    decision: '{{ actions.decide.output.option }}',
    isolated: "{{ actions.isolate.status == 'success' }}",
    sessions_ended: "{{ actions.end_sessions.status == 'success' }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.servicenow,
  },
  exec_options: execOptions,
};
