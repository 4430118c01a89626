import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { addressInput, firewallInput, inputsOf, userInput } from './shared-inputs.ts';
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
  jiraTicket,
  lookUp,
  metadata,
  onAnswer,
  outcomeOfEach,
  slackMessage,
  TICKET_NUMBER,
  WORTH_REPORTING,
} from './shared-steps.ts';

const ACCOUNTS = 'inputs.users';
const contained = ['block_fortigate', 'block_panos', 'end_sessions', 'expire_passwords'];

export const passwordSpray: PlaybookDefinition = {
  metadata: metadata(
    'Password spray',
    'One address tried many accounts. Asks AbuseIPDB and VirusTotal about the address and Okta about the accounts and about sign-ins that worked from there. When an analyst says so, the address is blocked on the firewall, and for every account the sessions end and the password expires. A Jira issue records it.',
  ),
  inputs: inputsOf(
    {
      ip: { ...addressInput, description: 'Where the attempts came from.' },
      users: {
        type: 'array',
        title: 'Accounts',
        description: 'The accounts to protect: those that were tried, or only those that were signed in to.',
        items: userInput,
        minItems: 1,
        maxItems: 50,
        examples: [['ada.dahlmann@larkspur.example', 'bo.estrup@larkspur.example']],
      },
      firewall: firewallInput,
    },
    ['ip', 'users'],
  ),
  actions: [
    lookUp({ id: 'reputation', action: 'abuseipdb.check_ip', input: { ip: '{{ inputs.ip }}' } }),
    lookUp({ id: 'report', action: 'virustotal.ip_report', input: { ip: '{{ inputs.ip }}' } }),
    lookUp({
      id: 'sign_ins',
      action: 'okta.list_system_log',
      input: {
        filter:
          'eventType eq "user.session.start" and outcome.result eq "SUCCESS" and client.ipAddress eq "{{ inputs.ip }}"',
        limit: 100,
      },
    }),
    lookUp({ id: 'accounts', action: 'okta.get_user', for_each: ACCOUNTS, input: { user: '{{ item }}' } }),
    decision({
      depends_on: ['reputation', 'report', 'sign_ins', 'accounts'],
      message: `Stop the password spray from {{ inputs.ip }} against ${counted(ACCOUNTS, 'account')}? Abuse score ${fact('reputation', 'score')} of 100, called malicious by ${fact('report', 'malicious')} engines. Sign-ins from there that worked, in the last day: {{ actions.sign_ins.status == 'success' ? string(size(actions.sign_ins.output.events)) : 'unknown' }}.`,
      options: [
        { value: 'contain', label: 'Block it, protect the accounts', style: 'danger' },
        { value: 'block', label: 'Only block the address', style: 'primary' },
        { value: 'ignore', label: 'Leave it', style: 'default' },
      ],
      expires_in_s: 14_400,
      default_option: 'ignore',
    }),
    ...blockOnFirewall(['contain', 'block'], { address: 'inputs.ip', minutes: 10_080 }),
    onAnswer(['contain'], {
      id: 'end_sessions',
      action: 'okta.clear_sessions',
      for_each: ACCOUNTS,
      input: { user: '{{ item }}' },
    }),
    onAnswer(['contain'], {
      id: 'expire_passwords',
      action: 'okta.expire_password',
      for_each: ACCOUNTS,
      input: { user: '{{ item }}' },
    }),
    jiraTicket({
      dependsOn: ['decide', ...contained],
      title: 'Password spray from {{ inputs.ip }}',
      lines: [
        `Accounts: {{ ${ACCOUNTS}.join(', ') }}`,
        `Abuse score: ${fact('reputation', 'score')} of 100. Network: ${fact('report', 'as_owner')}. Engines that call it malicious: ${fact('report', 'malicious')}.`,
        DECIDED,
        BLOCK_OUTCOME,
        outcomeOfEach('Sessions', 'end_sessions', { done: 'ended', list: ACCOUNTS }),
        outcomeOfEach('Passwords', 'expire_passwords', { done: 'expired', list: ACCOUNTS }),
      ],
      labels: ['password-spray'],
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [
        `Password spray from {{ inputs.ip }} against ${counted(ACCOUNTS, 'account')}. ${DECIDED}`,
        `Ticket: ${fact('ticket', 'key')}`,
      ],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    abuse_score: "{{ actions.reputation.status == 'success' ? actions.reputation.output.score : null }}",
    blocked: `{{ ${BLOCKED} }}`,
    accounts_protected:
      "{{ actions.expire_passwords.status == 'success' ? actions.expire_passwords.output.filter(one, one != null).size() : 0 }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.jira,
  },
  exec_options: execOptions,
};
