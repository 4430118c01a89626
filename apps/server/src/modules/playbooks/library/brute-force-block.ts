import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { addressInput, firewallInput, inputsOf, userInput } from './shared-inputs.ts';
import {
  BLOCK_OUTCOME,
  BLOCKED,
  blockOnFirewall,
  DECIDED,
  decision,
  execOptions,
  fact,
  failedOf,
  jiraTicket,
  lookUp,
  metadata,
  onAnswer,
  outcome,
  slackMessage,
  TICKET_NUMBER,
  WORTH_REPORTING,
} from './shared-steps.ts';

/** Both services call the address hostile, which the question then says. */
const CERTAIN_SCORE = 90;
const CERTAIN = `actions.reputation.status == 'success' && actions.report.status == 'success' && actions.reputation.output.score >= ${CERTAIN_SCORE} && actions.report.output.malicious >= 3`;
const GOT_IN = 'has(inputs.got_in) && inputs.got_in';
const contained = ['block_fortigate', 'block_panos', 'end_sessions', 'expire_password'];

export const bruteForceBlock: PlaybookDefinition = {
  metadata: metadata(
    'Brute force block',
    'One address guesses the password of one account. Asks AbuseIPDB and VirusTotal about the address and Okta about the account, then an analyst has the address blocked for a week. If a guess worked, the sessions of the account end and its password expires. A Jira issue records it.',
  ),
  inputs: inputsOf(
    {
      ip: { ...addressInput, description: 'Where the guesses came from.' },
      user: userInput,
      got_in: {
        type: 'boolean',
        title: 'A guess worked',
        description: 'There was a sign-in that succeeded from this address.',
        default: false,
      },
      firewall: firewallInput,
    },
    ['ip', 'user'],
  ),
  actions: [
    lookUp({ id: 'reputation', action: 'abuseipdb.check_ip', input: { ip: '{{ inputs.ip }}' } }),
    lookUp({ id: 'report', action: 'virustotal.ip_report', input: { ip: '{{ inputs.ip }}' } }),
    lookUp({ id: 'account', action: 'okta.get_user', input: { user: '{{ inputs.user }}' } }),
    decision({
      depends_on: ['reputation', 'report', 'account'],
      message: `Block {{ inputs.ip }}, which guesses the password of {{ inputs.user }} (in Okta: ${fact('account', 'status')})? Abuse score ${fact('reputation', 'score')} of 100, network ${fact('report', 'as_owner')}, called malicious by ${fact('report', 'malicious')} engines{{ ${CERTAIN} ? ': both agree that it is hostile' : '' }}.`,
      options: [
        { value: 'block', label: 'Block', style: 'danger' },
        { value: 'ignore', label: 'Leave it', style: 'default' },
      ],
      expires_in_s: 86_400,
      default_option: 'ignore',
    }),
    ...blockOnFirewall(['block'], { address: 'inputs.ip', minutes: 10_080 }),
    onAnswer(['block'], {
      id: 'end_sessions',
      action: 'okta.clear_sessions',
      when: GOT_IN,
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['block'], {
      id: 'expire_password',
      action: 'okta.expire_password',
      when: GOT_IN,
      input: { user: '{{ inputs.user }}' },
    }),
    jiraTicket({
      dependsOn: ['decide', ...contained],
      title: 'Brute force from {{ inputs.ip }} against {{ inputs.user }}',
      lines: [
        `Abuse score: ${fact('reputation', 'score')} of 100. Network: ${fact('report', 'as_owner')}. Engines that call it malicious: ${fact('report', 'malicious')}.`,
        DECIDED,
        BLOCK_OUTCOME,
        outcome('Sessions', 'end_sessions', 'ended'),
        outcome('Password', 'expire_password', 'expired'),
      ],
      labels: ['brute-force'],
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [
        `Brute force from {{ inputs.ip }} against {{ inputs.user }}. ${DECIDED}`,
        BLOCK_OUTCOME,
        `Ticket: ${fact('ticket', 'key')}`,
      ],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    abuse_score: "{{ actions.reputation.status == 'success' ? actions.reputation.output.score : null }}",
    blocked: `{{ ${BLOCKED} }}`,
    account_protected: "{{ actions.expire_password.status == 'success' }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.jira,
  },
  exec_options: execOptions,
};
