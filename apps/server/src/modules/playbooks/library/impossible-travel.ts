import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { addressInput, inputsOf, userInput } from './shared-inputs.ts';
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

/** CEL: how many of the last day's sign-ins, as text. */
const countOf = (condition: string) =>
  `actions.sign_ins.status == 'success' ? string(actions.sign_ins.output.sign_ins.filter(one, ${condition}).size()) : 'unknown'`;
const SIGN_INS = countOf('true');
const FROM_THERE = countOf('one.ip_address == inputs.ip');
const FROM_ELSEWHERE = countOf(
  "actions.reputation.status == 'success' && one.country != actions.reputation.output.country_code",
);

const contained = ['end_sessions', 'disable', 'mark_compromised'];

export const impossibleTravel: PlaybookDefinition = {
  metadata: metadata(
    'Impossible travel',
    'Somebody signed in from two places too far from each other. Gathers the account, its last sign-ins and what is known of the new address; an analyst decides between ending all sessions, locking the account too, or leaving it. Without an answer in two hours the sessions end, which costs a person no more than signing in again. Uses Entra ID; a ServiceNow incident records it.',
  ),
  inputs: inputsOf(
    {
      user: userInput,
      ip: { ...addressInput, description: 'Address of the unlikely sign-in.' },
    },
    ['user', 'ip'],
  ),
  actions: [
    lookUp({ id: 'account', action: 'microsoft_graph.get_user', input: { user: '{{ inputs.user }}' } }),
    lookUp({
      id: 'sign_ins',
      action: 'microsoft_graph.list_sign_ins',
      input: { user_principal_name: '{{ inputs.user }}', limit: 50 },
    }),
    lookUp({ id: 'reputation', action: 'abuseipdb.check_ip', input: { ip: '{{ inputs.ip }}' } }),
    lookUp({ id: 'report', action: 'virustotal.ip_report', input: { ip: '{{ inputs.ip }}' } }),
    decision({
      depends_on: ['account', 'sign_ins', 'reputation', 'report'],
      message: `Did {{ inputs.user }} (${fact('account', 'department')}) sign in from {{ inputs.ip }}? The address is in ${fact('reputation', 'country_code')}, its abuse score is ${fact('reputation', 'score')} of 100. Sign-ins of the last day: {{ ${SIGN_INS} }}, from this address: {{ ${FROM_THERE} }}, from other countries: {{ ${FROM_ELSEWHERE} }}.`,
      options: [
        { value: 'lock', label: 'Lock the account', style: 'danger' },
        { value: 'sign_out', label: 'Only end the sessions', style: 'primary' },
        { value: 'ignore', label: 'It was them', style: 'default' },
      ],
      expires_in_s: 7200,
      default_option: 'sign_out',
    }),
    onAnswer(['lock', 'sign_out'], {
      id: 'end_sessions',
      action: 'microsoft_graph.revoke_sign_in_sessions',
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['lock'], {
      id: 'disable',
      action: 'microsoft_graph.disable_user',
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['lock'], {
      id: 'mark_compromised',
      action: 'microsoft_graph.confirm_compromised',
      input: { user: '{{ inputs.user }}' },
    }),
    servicenowTicket({
      dependsOn: ['decide', ...contained],
      title: 'Impossible travel of {{ inputs.user }}',
      lines: [
        `Sign-in from {{ inputs.ip }}, ${fact('reputation', 'country_code')}, ${fact('reputation', 'isp')}.`,
        DECIDED,
        outcome('Sessions', 'end_sessions', 'ended'),
        outcome('Account', 'disable', 'locked'),
        outcome('Risk in Entra ID', 'mark_compromised', 'confirmed'),
      ],
      urgency: '2',
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [
        `Impossible travel of {{ inputs.user }}, {{ inputs.ip }}. ${DECIDED}`,
        `Incident: ${fact('ticket', 'number')}`,
      ],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    decision: '{{ actions.decide.output.option }}',
    sessions_ended: "{{ actions.end_sessions.status == 'success' }}",
    locked: "{{ actions.disable.status == 'success' }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.servicenow,
  },
  exec_options: execOptions,
};
