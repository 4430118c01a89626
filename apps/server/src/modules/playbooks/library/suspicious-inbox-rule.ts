import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { inputsOf, userInput } from './shared-inputs.ts';
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

const ALERT_GIVEN = "has(inputs.alert_id) && inputs.alert_id != ''";
/** CEL: address and country of the newest sign-in, as text. */
const LAST_SIGN_IN =
  "actions.sign_ins.status == 'success' && size(actions.sign_ins.output.sign_ins) > 0 ? actions.sign_ins.output.sign_ins.map(one, (one.ip_address == null ? 'an unknown address' : one.ip_address) + (one.country == null ? '' : ' in ' + one.country))[0] : 'nowhere known'";

const contained = ['end_sessions', 'mark_compromised', 'take_alert'];

export const suspiciousInboxRule: PlaybookDefinition = {
  metadata: metadata(
    'Suspicious inbox rule',
    'A mailbox rule forwards or hides mail, which often follows a stolen account. Gathers the account, its sign-ins and the alert of Microsoft 365. When an analyst calls it theft, all sessions end, the risk is confirmed in Entra ID and the alert is taken; when it is harmless, the alert is closed. The rule itself has to be removed in Exchange: the ServiceNow incident asks for it.',
  ),
  inputs: inputsOf(
    {
      user: { ...userInput, description: 'Whose mailbox it is.' },
      rule_name: {
        type: 'string',
        title: 'Name of the rule',
        minLength: 1,
        maxLength: 200,
        examples: ['.'],
      },
      alert_id: {
        type: 'string',
        title: 'Alert in Microsoft 365',
        description: 'Its id. No alert is changed when left empty.',
        pattern: '^[A-Za-z0-9_-]*$',
        maxLength: 200,
      },
    },
    ['user', 'rule_name'],
  ),
  actions: [
    lookUp({ id: 'account', action: 'microsoft_graph.get_user', input: { user: '{{ inputs.user }}' } }),
    lookUp({
      id: 'sign_ins',
      action: 'microsoft_graph.list_sign_ins',
      input: { user_principal_name: '{{ inputs.user }}', limit: 50 },
    }),
    lookUp({ id: 'risky', action: 'microsoft_graph.list_risky_users', input: { limit: 1000 } }),
    lookUp({
      id: 'alert',
      action: 'microsoft_graph.get_alert',
      when: ALERT_GIVEN,
      input: { alert_id: '{{ inputs.alert_id }}' },
    }),
    decision({
      depends_on: ['account', 'sign_ins', 'risky', 'alert'],
      message: `Was the account of {{ inputs.user }} (${fact('account', 'department')}) taken over? It has an inbox rule called "{{ inputs.rule_name }}". Sign-ins of the last day: {{ actions.sign_ins.status == 'success' ? string(size(actions.sign_ins.output.sign_ins)) : 'unknown' }}, the last from {{ ${LAST_SIGN_IN} }}. Entra ID calls the account at risk: {{ actions.risky.status == 'success' ? (actions.risky.output.users.exists(one, one.user_principal_name == inputs.user) ? 'yes' : 'no') : 'unknown' }}.`,
      options: [
        { value: 'contain', label: 'Taken over', style: 'danger' },
        { value: 'ignore', label: 'Harmless', style: 'default' },
      ],
      expires_in_s: 14_400,
      default_option: 'ignore',
    }),
    onAnswer(['contain'], {
      id: 'end_sessions',
      action: 'microsoft_graph.revoke_sign_in_sessions',
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['contain'], {
      id: 'mark_compromised',
      action: 'microsoft_graph.confirm_compromised',
      input: { user: '{{ inputs.user }}' },
    }),
    onAnswer(['contain'], {
      id: 'take_alert',
      action: 'microsoft_graph.update_alert',
      when: ALERT_GIVEN,
      input: {
        alert_id: '{{ inputs.alert_id }}',
        status: 'inProgress',
        classification: 'truePositive',
        determination: 'compromisedAccount',
      },
    }),
    onAnswer(['ignore'], {
      id: 'close_alert',
      action: 'microsoft_graph.update_alert',
      // Nobody having looked does not make it harmless.
      when: `actions.decide.output.username != null && ${ALERT_GIVEN}`,
      input: {
        alert_id: '{{ inputs.alert_id }}',
        status: 'resolved',
        classification: 'falsePositive',
        determination: 'notMalicious',
      },
    }),
    servicenowTicket({
      dependsOn: ['decide', ...contained],
      title: 'Inbox rule of {{ inputs.user }}',
      lines: [
        'Rule: {{ inputs.rule_name }}',
        `Last sign-in: {{ ${LAST_SIGN_IN} }}`,
        DECIDED,
        outcome('Sessions', 'end_sessions', 'ended'),
        outcome('Risk in Entra ID', 'mark_compromised', 'confirmed'),
        outcome('Alert', 'take_alert', 'taken'),
        'Left to do: remove the rule in Exchange, change the password, look for mail that was forwarded.',
      ],
      urgency: '2',
    }),
    slackMessage({
      dependsOn: ['decide', 'ticket'],
      lines: [`Suspicious inbox rule of {{ inputs.user }}. ${DECIDED}`, `Incident: ${fact('ticket', 'number')}`],
      when: WORTH_REPORTING,
    }),
  ],
  outputs: {
    decision: '{{ actions.decide.output.option }}',
    sessions_ended: "{{ actions.end_sessions.status == 'success' }}",
    failed: failedOf([...contained, 'close_alert']),
    ticket: TICKET_NUMBER.servicenow,
  },
  exec_options: execOptions,
};
