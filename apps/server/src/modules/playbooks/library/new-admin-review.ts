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

const GITHUB_GIVEN = "has(inputs.github_user) && inputs.github_user != ''";
const GRANTED_BY = "has(inputs.granted_by) && inputs.granted_by != '' ? inputs.granted_by : 'somebody unknown'";
const contained = ['take_away', 'suspend', 'end_sessions', 'remove_from_github'];

export const newAdminReview: PlaybookDefinition = {
  metadata: metadata(
    'New administrator review',
    'Somebody became an administrator. Shows the account, its groups and who changed them; a system manager keeps it, takes the group away, or suspends the account too and removes it from the GitHub organization. Without an answer in a day nothing is changed, and a Jira issue stays open.',
  ),
  inputs: inputsOf(
    {
      user: { ...userInput, description: 'The new administrator.' },
      group: {
        type: 'string',
        title: 'Group in Okta',
        description: 'The group that makes an administrator, by name.',
        minLength: 1,
        maxLength: 255,
        examples: ['Administrators'],
      },
      granted_by: {
        type: 'string',
        title: 'Granted by',
        description: 'Who made the change, where the event says so.',
        maxLength: 100,
      },
      github_user: {
        type: 'string',
        title: 'GitHub user',
        description: 'Taken out of the organization when the account is suspended. Left alone when empty.',
        pattern: '^[A-Za-z0-9-]*$',
        maxLength: 100,
      },
    },
    ['user', 'group'],
  ),
  actions: [
    lookUp({ id: 'account', action: 'okta.get_user', input: { user: '{{ inputs.user }}' } }),
    lookUp({ id: 'groups', action: 'okta.list_user_groups', input: { user: '{{ inputs.user }}' } }),
    lookUp({
      id: 'history',
      action: 'okta.list_system_log',
      input: { words: '{{ inputs.user }}', limit: 50 },
    }),
    decision({
      depends_on: ['account', 'groups', 'history'],
      message: `Should {{ inputs.user }} (${fact('account', 'department')}, account made ${fact('account', 'created')}) be in {{ inputs.group }}? Granted by {{ ${GRANTED_BY} }}. Groups now: {{ actions.groups.status == 'success' ? actions.groups.output.groups.filter(one, one.name != null).map(one, one.name).join(', ') : 'unknown' }}. Entries about the account in the last day: {{ actions.history.status == 'success' ? string(size(actions.history.output.events)) : 'unknown' }}.`,
      options: [
        { value: 'suspend', label: 'Take it away, suspend the account', style: 'danger' },
        { value: 'remove', label: 'Take it away', style: 'primary' },
        { value: 'ignore', label: 'It is right', style: 'default' },
      ],
      // Analysts do not decide about administrators.
      approvers: { role: 'SystemManager' },
      expires_in_s: 86_400,
      default_option: 'ignore',
    }),
    onAnswer(['remove', 'suspend'], {
      id: 'take_away',
      action: 'okta.remove_user_from_group',
      input: { user: '{{ inputs.user }}', group: '{{ inputs.group }}' },
    }),
    onAnswer(['suspend'], { id: 'suspend', action: 'okta.suspend_user', input: { user: '{{ inputs.user }}' } }),
    onAnswer(['suspend'], { id: 'end_sessions', action: 'okta.clear_sessions', input: { user: '{{ inputs.user }}' } }),
    onAnswer(['suspend'], {
      id: 'remove_from_github',
      action: 'github.remove_org_member',
      when: GITHUB_GIVEN,
      input: { username: '{{ inputs.github_user }}' },
    }),
    jiraTicket({
      dependsOn: ['decide', ...contained],
      title: 'New administrator {{ inputs.user }}',
      lines: [
        'Group: {{ inputs.group }}',
        `Granted by: {{ ${GRANTED_BY} }}`,
        DECIDED,
        outcome('Group', 'take_away', 'taken away'),
        outcome('Account', 'suspend', 'suspended'),
        outcome('Sessions', 'end_sessions', 'ended'),
        outcome('GitHub', 'remove_from_github', 'removed from the organization'),
      ],
      labels: ['administrators'],
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [
        `New administrator {{ inputs.user }} in {{ inputs.group }}. ${DECIDED}`,
        `Ticket: ${fact('ticket', 'key')}`,
      ],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    decision: '{{ actions.decide.output.option }}',
    taken_away: "{{ actions.take_away.status == 'success' }}",
    suspended: "{{ actions.suspend.status == 'success' }}",
    failed: failedOf(contained),
    ticket: TICKET_NUMBER.jira,
  },
  exec_options: execOptions,
};
