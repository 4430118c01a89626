import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { inputsOf, userInput } from './shared-inputs.ts';
import {
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

/** The host of the link: what stands before an @ is there to deceive. */
const LINK_HOST =
  "[inputs.url.split('/')[2].split('?')[0].split('@')].map(part, part[size(part) - 1].split(':')[0].lowerAscii())[0]";
const FILE_GIVEN = "has(inputs.attachment_hash) && inputs.attachment_hash != ''";

const contained = ['block_domain', 'block_file', 'end_sessions'];

export const phishingTriage: PlaybookDefinition = {
  metadata: metadata(
    'Phishing triage',
    'For a reported mail: asks VirusTotal about its link, its domain and its attachment, and Entra ID about who got it. When an analyst calls it phishing, the domain and the file become indicators in Falcon, and if the link was opened all sessions of the person end. A Jira issue records it.',
  ),
  inputs: inputsOf(
    {
      user: { ...userInput, title: 'Recipient', description: 'Who got the mail.' },
      url: {
        type: 'string',
        title: 'Link',
        description: 'The link in the mail, as it is written there.',
        pattern: '^https?://',
        minLength: 8,
        maxLength: 1400,
        examples: ['https://phish.login-check.example/office'],
      },
      attachment_hash: {
        type: 'string',
        title: 'Hash of the attachment',
        description: 'SHA-256 or MD5.',
        pattern: '^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{32})?$',
        maxLength: 64,
        examples: ['275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f'],
      },
      was_opened: {
        type: 'boolean',
        title: 'Link was opened',
        description: 'The recipient opened the link or typed a password there.',
        default: false,
      },
    },
    ['user', 'url'],
  ),
  actions: [
    lookUp({ id: 'link', action: 'virustotal.url_report', input: { url: '{{ inputs.url }}' } }),
    lookUp({ id: 'domain', action: 'virustotal.domain_report', input: { domain: `{{ ${LINK_HOST} }}` } }),
    lookUp({
      id: 'attachment',
      action: 'virustotal.file_report',
      when: FILE_GIVEN,
      input: { hash: '{{ inputs.attachment_hash }}' },
    }),
    lookUp({ id: 'recipient', action: 'microsoft_graph.get_user', input: { user: '{{ inputs.user }}' } }),
    decision({
      depends_on: ['link', 'domain', 'attachment', 'recipient'],
      message: `Is the mail to {{ inputs.user }} phishing? Engines that call it malicious: link ${fact('link', 'malicious')}, domain {{ ${LINK_HOST} }} ${fact('domain', 'malicious')}, attachment ${fact('attachment', 'malicious')}. Department of the recipient: ${fact('recipient', 'department')}.`,
      options: [
        { value: 'contain', label: 'Phishing', style: 'danger' },
        { value: 'ignore', label: 'Harmless', style: 'default' },
      ],
      expires_in_s: 14_400,
      default_option: 'ignore',
    }),
    onAnswer(['contain'], {
      id: 'block_domain',
      action: 'crowdstrike.create_ioc',
      input: {
        value: `{{ ${LINK_HOST} }}`,
        action: 'detect',
        severity: 'high',
        description: 'Phishing, {{ run.id }}',
      },
    }),
    onAnswer(['contain'], {
      id: 'block_file',
      action: 'crowdstrike.create_ioc',
      when: FILE_GIVEN,
      input: {
        value: '{{ inputs.attachment_hash }}',
        action: 'prevent',
        severity: 'high',
        description: 'Phishing, {{ run.id }}',
      },
    }),
    onAnswer(['contain'], {
      id: 'end_sessions',
      action: 'microsoft_graph.revoke_sign_in_sessions',
      when: 'has(inputs.was_opened) && inputs.was_opened',
      input: { user: '{{ inputs.user }}' },
    }),
    jiraTicket({
      dependsOn: ['decide', ...contained],
      title: 'Phishing mail to {{ inputs.user }}',
      lines: [
        'Link: {{ inputs.url }}',
        `Engines that call it malicious: link ${fact('link', 'malicious')}, domain ${fact('domain', 'malicious')}, attachment ${fact('attachment', 'malicious')}.`,
        DECIDED,
        outcome('Domain', 'block_domain', 'known to Falcon'),
        outcome('Attachment', 'block_file', 'blocked by Falcon'),
        outcome('Sessions of the recipient', 'end_sessions', 'ended'),
        'Left to do: remove the mail from other mailboxes, tell the recipient.',
      ],
      labels: ['phishing'],
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [`Phishing mail to {{ inputs.user }}. ${DECIDED}`, `Ticket: ${fact('ticket', 'key')}`],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    verdict: '{{ actions.decide.output.option }}',
    engines_against_link: "{{ actions.link.status == 'success' ? actions.link.output.malicious : null }}",
    contained: "{{ actions.block_domain.status == 'success' }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.jira,
  },
  exec_options: execOptions,
};
