import { filledText, type Placeholders, type Told } from './filled-text.ts';

/**
 * Sentences by which the server refuses, and what keeps automations and policies from working, by their reason: those with
 * something filled in. Other languages are made of reasons, so one that exists keeps its meaning and its places.
 */
export const refusalTexts = {
  ANSWER_OTHER_CHOSEN: '{who} has chosen "{option}". A second person can only confirm that.',
  API_KEYS_TOO_MANY: 'You have {maximum} API keys. Revoke one you no longer use.',
  AUTOMATIONS_TOO_MANY: 'There are already {maximum} automations. Delete one first.',
  AUTOMATION_ACTION_UNKNOWN: 'The action of “{name}” does not exist.',
  AUTOMATION_ACTION_GONE: 'Its action no longer exists.',
  AUTOMATION_CHANGED: '{who} changed this automation in the meantime. Nothing was saved.',
  AUTOMATION_CONNECTOR_GONE: 'Its connector was deleted.',
  AUTOMATION_CONNECTOR_MISSING: 'No working {product} connector is configured.',
  AUTOMATION_CONNECTOR_OFF: 'Its connector {name} is switched off.',
  AUTOMATION_CONNECTOR_UNKNOWN: 'The connector of “{name}” does not exist.',
  AUTOMATION_INPUTS_UNFIT: 'Its inputs do not fit: {problems}.',
  AUTOMATION_NAME_TAKEN: 'This policy has an automation “{name}” already.',
  AUTOMATION_OWNER_MAY_NOT: '{who}, who saved it last, may not run actions.',
  AUTOMATION_PLAYBOOK_DRAFT: 'Its playbook is only a draft.',
  AUTOMATION_PLAYBOOK_GONE: 'Its playbook was deleted.',
  AUTOMATION_PLAYBOOK_UNUSABLE: 'Its playbook was deleted, or is only a draft.',
  AUTOMATION_POLICY_GONE: 'Its policy was deleted.',
  AUTOMATION_POLICY_OFF: 'Its policy is switched off.',
  AUTOMATION_RULES_TOO_MANY: 'There are already {maximum} automation rules. Delete one first.',
  AUTOMATION_RULE_CHANGED: '{who} changed this rule in the meantime. Nothing was saved.',
  AUTOMATION_RULE_NOTIFICATION_LEFT:
    'The rule starts nothing any more, but its notification is still in Graylog: {problem}',
  CASE_ASSIGNEE_MAY_NOT: '{who} is no active member of this tenant who may work on cases.',
  CASE_INPUTS_NOT_FILLED: 'The inputs could not be filled in ({problem}).',
  CASE_NEWER_OPEN: '{reference} is open for the same policy and group: go on there.',
  CONNECTORS_TOO_MANY: 'A tenant has {maximum} connectors at most.',
  CONNECTOR_EVENTS_NOT_OFFERED: '{name} offers no events',
  CONNECTOR_METRICS_NOT_OFFERED: '{name} offers no metrics',
  CONNECTOR_NAME_TAKEN: 'There is already a connector named "{name}".',
  CONNECTOR_SECRET_MOVED: 'was saved for {host} and is not sent anywhere else. Enter it again.',
  CONTACTS_TOO_MANY: 'A tenant has at most {maximum} contacts.',
  CONTRACT_FILES_TOO_MANY: 'A contract has at most {maximum} files.',
  CUSTOMER_NAME_TAKEN: 'You already manage a tenant named {name}.',
  ESCALATION_FULL: 'The escalation has at most {maximum} places.',
  IDEMPOTENCY_KEY_FORM: 'Between 1 and {maximum} characters, once.',
  INTEGRATIONS_TOO_MANY: 'A tenant has {maximum} integrations of its own at most.',
  INTEGRATION_HEADER_RESERVED: 'The header "{name}" belongs to the connection.',
  INTEGRATION_NAME_TAKEN: 'There is already an imported integration named "{name}".',
  INTEGRATION_USED: '{name} is still used by {uses}.',
  LAST_ADMIN_OF: 'You are the only Admin of {tenants}. Make somebody else Admin there first.',
  ONBOARDINGS_TOO_MANY: 'There are {maximum} onboardings in progress. Finish or give up one of them first.',
  PLAN_NOT_OFFERED: 'The plan "{plan}" is not offered here, so nothing was activated. Contact the publisher.',
  PLAYBOOKS_TOO_MANY: 'A tenant has {maximum} playbooks at most.',
  PLAYBOOK_DRAFT_CHANGED:
    '{who} saved changes to this playbook in the meantime ({at}). Load it again before you change it.',
  PLAYBOOK_DRAFT_GONE:
    'This draft is gone: {who} published version {version} ({at}). Load it again before you change it.',
  POLICIES_TOO_MANY: 'A tenant has {maximum} policies at most.',
  POLICY_CHANGED: '{who} changed this policy in the meantime ({at}). Load it again before you change it.',
  POLICY_CRITERIA_MISSING: 'Give at least one criterion.',
  POLICY_CRITERIA_TOO_DEEP: 'Criteria nest at most {maximum} deep.',
  POLICY_CRITERIA_TOO_MANY: 'At most {maximum} criteria in one policy.',
  POLICY_GROUPED_TWICE: '{name} is named twice.',
  POLICY_NAME_TAKEN: 'Another policy is called "{name}". Give this one another name.',
  POLICY_OPERATOR_OF_VALUES: '{operator} compares with values only.',
  POLICY_OPERATOR_UNKNOWN: 'There is no operator {operator}.',
  POLICY_STEP_FIELDS: 'Name as many fields as the policy groups by ({count}), in its order.',
  POLICY_THRESHOLD_AND_SEQUENCE: 'A policy waits for a number of events or for the steps of a sequence, not for both.',
  POLICY_TRIAL_TOO_LONG: 'At most {maximum} lines at once.',
  REACHABILITY_TOO_OFTEN: 'At most {maximum} checks a minute. Try again shortly.',
  REPORTS_UNFINISHED: '{count} reports are being made. Wait for one of them, or cancel it.',
  REPORT_MONTH_NOT_BEGUN: '{month} has not begun yet.',
  REPORT_MONTH_TOO_OLD: 'A month of the last {maximum}; {month} is too long ago.',
  RUN_OF_PLAYBOOK: 'This action belongs to a run of "{name}". Cancel that run or start it again.',
  SAVED_SEARCHES_TOO_MANY: 'You have {maximum} saved searches. Delete one first.',
  SCHEDULES_TOO_MANY: 'A tenant has at most {maximum} schedules.',
  SOURCES_TOO_MANY: 'There are {maximum} event sources. Delete one first.',
  SSO_CONNECTIONS_TOO_MANY: 'A tenant has {maximum} connections at most.',
  USER_BREAK_GLASS:
    '{who} is the only break-glass account of this tenant, whose people sign in through single sign-on. Name another one first.',
  USER_INVITED: '{who} was invited and becomes active by accepting.',
  USER_NOT_ACCEPTED: '{who} has not accepted the invitation yet.',
  USER_OF_OTHER_TENANT: '{who} belongs to another tenant, which manages this account. You can change the role here.',
  USER_OF_PROVIDER: '{who} works here for the provider that manages this tenant. Change the role there.',
  USER_WITHOUT_PASSWORD: '{who} signs in without a password of this product.',
} as const satisfies Readonly<Record<string, string>>;

type RefusalReason = keyof typeof refusalTexts;

type Values<Text extends string> = [Placeholders<Text>] extends [never]
  ? []
  : [values: Readonly<Record<Placeholders<Text>, string | number>>];

/** The sentence of a reason, and what it is made of. */
export function refusal<const Reason extends RefusalReason>(
  reason: Reason,
  ...[values]: Values<(typeof refusalTexts)[Reason]>
): Told & { readonly reason: Reason } {
  return { message: filledText(refusalTexts[reason], values ?? {}), reason, values: values ?? {} };
}
