import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { inputsOf } from './shared-inputs.ts';
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

const contained = ['deactivate', 'lock'];
/** CEL: calls with the key in the last day, as text. */
const CALLS = "actions.usage.status == 'success' ? string(size(actions.usage.output.events)) : 'unknown'";
const REPOSITORY_GIVEN = "has(inputs.repository) && inputs.repository != ''";

export const exposedCloudKey: PlaybookDefinition = {
  metadata: metadata(
    'Exposed cloud key',
    'An AWS access key was found where it should not be. Shows whose key it is, which other keys there are and what was done with it in the last day. An analyst deactivates the key (it can be activated again) or denies the whole user everything; without an answer in an hour the key is deactivated. An issue in the repository asks its owners to take the key out, and a Jira issue records it.',
  ),
  inputs: inputsOf(
    {
      iam_user: {
        type: 'string',
        title: 'IAM user',
        description: 'Whose key it is; the name, not the ARN.',
        pattern: '^[A-Za-z0-9+=,.@_-]+$',
        maxLength: 64,
        examples: ['deploy-bot'],
      },
      access_key_id: {
        type: 'string',
        title: 'Access key id',
        pattern: '^[A-Z0-9]{16,128}$',
        maxLength: 128,
        examples: ['AKIAI44QH8DHBEXAMPLE'],
      },
      repository: {
        type: 'string',
        title: 'GitHub repository',
        description: 'Where the key was found. No issue is opened there when left empty.',
        maxLength: 200,
        examples: ['app'],
      },
    },
    ['iam_user', 'access_key_id'],
  ),
  actions: [
    lookUp({ id: 'owner', action: 'aws.get_user', input: { user: '{{ inputs.iam_user }}' } }),
    lookUp({ id: 'keys', action: 'aws.list_access_keys', input: { user: '{{ inputs.iam_user }}' } }),
    lookUp({
      id: 'usage',
      action: 'aws.lookup_events',
      input: { attribute: 'AccessKeyId', value: '{{ inputs.access_key_id }}', limit: 50 },
    }),
    decision({
      depends_on: ['owner', 'keys', 'usage'],
      message: `Deactivate the access key {{ inputs.access_key_id }} of {{ inputs.iam_user }}? The user has {{ actions.keys.status == 'success' ? string(actions.keys.output.keys.filter(one, one.status == 'Active').size()) : 'an unknown number of' }} active keys. Calls with this key in the last day: {{ ${CALLS} }}. Whatever uses the key stops working.`,
      options: [
        { value: 'deactivate', label: 'Deactivate the key', style: 'danger' },
        { value: 'lock', label: 'Deactivate it and lock the user', style: 'danger' },
        { value: 'ignore', label: 'Leave it', style: 'default' },
      ],
      expires_in_s: 3600,
      default_option: 'deactivate',
    }),
    onAnswer(['deactivate', 'lock'], {
      id: 'deactivate',
      action: 'aws.deactivate_access_key',
      input: { user: '{{ inputs.iam_user }}', access_key_id: '{{ inputs.access_key_id }}' },
    }),
    onAnswer(['lock'], { id: 'lock', action: 'aws.disable_user', input: { user: '{{ inputs.iam_user }}' } }),
    {
      id: 'tell_owners',
      kind: 'action',
      action: 'github.create_issue',
      connector_id: null,
      depends_on: ['decide'],
      when: `actions.decide.output.option != 'ignore' && ${REPOSITORY_GIVEN}`,
      input: {
        repository: '{{ inputs.repository }}',
        title: 'Take an access key out of this repository',
        // Not the key's id: the repository may be public.
        body: 'An access key was found in this repository and has been deactivated. Remove it from the files and from the history, and keep the new one in a secret store.',
        labels: ['security'],
      },
      timeout_s: 30,
      on_error: 'continue',
    },
    jiraTicket({
      dependsOn: ['decide', 'tell_owners', ...contained],
      title: 'Exposed access key of {{ inputs.iam_user }}',
      lines: [
        'Key: {{ inputs.access_key_id }}',
        `Calls with it in the last day: {{ ${CALLS} }}`,
        DECIDED,
        outcome('Key', 'deactivate', 'deactivated'),
        outcome('User', 'lock', 'denied everything'),
        outcome('Owners of the repository', 'tell_owners', 'told in an issue'),
        'Left to do: give the user a new key, check what was done with the old one.',
      ],
      labels: ['cloud-key'],
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [`Exposed access key of {{ inputs.iam_user }}. ${DECIDED}`, `Ticket: ${fact('ticket', 'key')}`],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    calls_with_key: "{{ actions.usage.status == 'success' ? dyn(size(actions.usage.output.events)) : null }}",
    deactivated: "{{ actions.deactivate.status == 'success' }}",
    locked: "{{ actions.lock.status == 'success' }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.jira,
  },
  exec_options: execOptions,
};
