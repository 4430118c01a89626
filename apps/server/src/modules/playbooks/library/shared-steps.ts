/**
 * Steps that several playbooks take, alike in all of them. What they give is plain data in the grammar of playbooks, as
 * somebody would write it in the builder.
 *
 * Containment goes on when one vendor fails: an account is still locked when the firewall is down. What failed stands in
 * the ticket, in the message and in the outputs.
 */
import type { PlaybookAction, PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';

type Call = Extract<PlaybookAction, { kind: 'action' }>;
type Prompt = Extract<PlaybookAction, { kind: 'prompt' }>;
type Step = Pick<Call, 'id' | 'action' | 'input'> & Partial<Call>;

const RETRY = { max_attempts: 3, backoff_s: 2 };
const TWO_DAYS_S = 172_800;

/** The prompt of every playbook is called so. */
const DECISION = 'decide';

export function metadata(name: string, description: string): PlaybookDefinition['metadata'] {
  return { name, description, author: 'AIRdeck', updated_by: 'AIRdeck' };
}

/** Longer than any of their prompts is open. */
export const execOptions: PlaybookDefinition['exec_options'] = { max_concurrent_actions: 8, timeout_s: TWO_DAYS_S };

/** Asks a vendor for facts. The question is asked without them when the vendor does not answer. */
export function lookUp(step: Step): Call {
  return { connector_id: null, retry: { ...RETRY }, timeout_s: 60, on_error: 'continue', ...step, kind: 'action' };
}

/** Done once the answer was one of these. */
export function onAnswer(options: readonly string[], { when, ...step }: Step): Call {
  const chosen = `actions.${DECISION}.output.option in [${options.map((option) => `'${option}'`).join(', ')}]`;
  return {
    connector_id: null,
    depends_on: [DECISION],
    retry: { ...RETRY },
    timeout_s: 60,
    on_error: 'continue',
    ...step,
    when: when === undefined ? chosen : `${chosen} && ${when}`,
    kind: 'action',
  };
}

/** Asks before anything is done. Without an answer in time the default is taken. */
export function decision(
  prompt: Omit<Prompt, 'id' | 'kind' | 'approvers'> & Partial<Pick<Prompt, 'approvers'>>,
): Prompt {
  return { approvers: { role: 'Analyst' }, ...prompt, id: DECISION, kind: 'prompt' };
}

/** Somebody has to read about it: something was to be done, or nobody answered. */
export const WORTH_REPORTING = `actions.${DECISION}.status == 'success' && (actions.${DECISION}.output.option != 'ignore' || actions.${DECISION}.output.username == null)`;

const TICKET_WANTED = '(!has(inputs.open_ticket) || inputs.open_ticket)';
const CHANNEL_GIVEN = "has(inputs.channel) && inputs.channel != ''";

/** CEL: what tickets and pages of the same case are known by; without a case, each run has its own. */
export const REFERENCE = "has(inputs.case_reference) && inputs.case_reference != '' ? inputs.case_reference : run.id";

export const DECIDED = `{{ actions.${DECISION}.output.username == null ? 'Nobody answered in time, so the default was taken' : actions.${DECISION}.output.username + ' decided' }}: {{ actions.${DECISION}.output.option }}. {{ actions.${DECISION}.output.comment }}`;

/** `Firewall: blocked`, or why not. */
export function outcome(label: string, id: string, done: string): string {
  return `${label}: {{ actions.${id}.status == 'success' ? '${done}' : actions.${id}.status == 'error' ? 'FAILED, ' + actions.${id}.error.message : 'not done' }}`;
}

/** `Sessions: ended for 3 of 4`, of an action with `for_each`. */
export function outcomeOfEach(label: string, id: string, { done, list }: { done: string; list: string }): string {
  const count = `string(actions.${id}.output.filter(one, one != null).size())`;
  return `${label}: {{ actions.${id}.status == 'success' ? '${done} for ' + ${count} + ' of ' + string(size(${list})) : actions.${id}.status == 'error' ? 'FAILED, ' + actions.${id}.error.message : 'not done' }}`;
}

/** A fact of a look-up, or that it is not known. */
export function fact(id: string, path: string): string {
  const value = `actions.${id}.output.${path}`;
  return `{{ actions.${id}.status == 'success' && ${value} != null ? ${value} : 'unknown' }}`;
}

/** `ws-001 and 3 more`, for titles that must stay short. */
export function firstOf(list: string): string {
  return `{{ ${list}[0] }}{{ size(${list}) > 1 ? ' and ' + string(size(${list}) - 1) + ' more' : '' }}`;
}

/** `one account`, `12 accounts`. */
export function counted(list: string, one: string): string {
  return `{{ size(${list}) == 1 ? 'one ${one}' : string(size(${list})) + ' ${one}s' }}`;
}

/** The last line of a ticket: where to look for the rest. */
const ORIGIN =
  "From {{ has(inputs.case_reference) && inputs.case_reference != '' ? 'case ' + inputs.case_reference + ', ' : '' }}run {{ run.id }}.";

type Report = { dependsOn: readonly string[]; when?: string };
type Ticket = Report & { title: string; lines: readonly string[] };

export function jiraTicket({
  dependsOn,
  when = WORTH_REPORTING,
  title,
  lines,
  labels,
}: Ticket & { labels: string[] }): Call {
  return {
    id: 'ticket',
    kind: 'action',
    action: 'jira.create_issue',
    connector_id: null,
    depends_on: [...dependsOn],
    when: `${when} && ${TICKET_WANTED}`,
    input: { summary: title, description: [...lines, ORIGIN].join('\n'), labels: ['airdeck', ...labels] },
    timeout_s: 60,
    on_error: 'continue',
  };
}

export function servicenowTicket({
  dependsOn,
  when = WORTH_REPORTING,
  title,
  lines,
  urgency,
}: Ticket & { urgency: '1' | '2' | '3' }): Call {
  return {
    id: 'ticket',
    kind: 'action',
    action: 'servicenow.create_incident',
    connector_id: null,
    depends_on: [...dependsOn],
    when: `${when} && ${TICKET_WANTED}`,
    input: {
      short_description: title,
      description: [...lines, ORIGIN].join('\n'),
      urgency,
      impact: '2',
      category: 'security',
      correlation_id: `{{ ${REFERENCE} }}`,
    },
    retry: { ...RETRY },
    timeout_s: 60,
    on_error: 'continue',
  };
}

export const TICKET_NUMBER = {
  jira: "{{ actions.ticket.status == 'success' ? actions.ticket.output.key : null }}",
  servicenow: "{{ actions.ticket.status == 'success' ? actions.ticket.output.number : null }}",
} as const;

/** The last step: tells a channel how it ended. Plain text, because names and addresses come from outside. */
export function slackMessage({ dependsOn, when, lines }: Report & { lines: readonly string[] }): Call {
  return {
    id: 'notify',
    kind: 'action',
    action: 'slack.post_message',
    connector_id: null,
    depends_on: [...dependsOn],
    when: when === undefined ? CHANNEL_GIVEN : `${CHANNEL_GIVEN} && ${when}`,
    input: { channel: '{{ inputs.channel }}', text: lines.join('\n') },
    timeout_s: 30,
    on_error: 'continue',
  };
}

/** Blocks an address on the firewall the inputs name. Both are called `block_…` and at most one of them runs. */
export function blockOnFirewall(
  options: readonly string[],
  { address, minutes, when }: { address: string; minutes?: number; when?: string },
): Call[] {
  const given = when === undefined ? '' : ` && ${when}`;
  return [
    onAnswer(options, {
      id: 'block_fortigate',
      action: 'fortigate.block_address',
      when: `(!has(inputs.firewall) || inputs.firewall == 'fortigate')${given}`,
      input: { address: `{{ ${address} }}`, comment: `{{ ${REFERENCE} }}` },
    }),
    onAnswer(options, {
      id: 'block_panos',
      action: 'panos.block_address',
      when: `has(inputs.firewall) && inputs.firewall == 'panos'${given}`,
      input: { address: `{{ ${address} }}`, ...(minutes === undefined ? {} : { minutes }) },
    }),
  ];
}

export const BLOCKED = "actions.block_fortigate.status == 'success' || actions.block_panos.status == 'success'";
export const BLOCK_OUTCOME = `Firewall: {{ ${BLOCKED} ? 'blocked' : actions.block_fortigate.status == 'error' ? 'FAILED, ' + actions.block_fortigate.error.message : actions.block_panos.status == 'error' ? 'FAILED, ' + actions.block_panos.error.message : 'not done' }}`;

/** Ids of what was to be done and failed, for the outputs. */
export function failedOf(ids: readonly string[]): string {
  return `{{ [${ids.map((id) => `'${id}'`).join(', ')}].filter(id, actions[id].status == 'error') }}`;
}
