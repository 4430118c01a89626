import type { ErrorDetail } from '@airdeck/api-client/api-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { ResponseTrigger, RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { isUuid } from '@airdeck/domain/uuid';
import type { FieldProblem } from '../../components/expression/field-problems.ts';
import { t } from '../../language/translate.ts';
import type { NewRuleResponse } from '../../queries/rule-responses.ts';
import type { NewAutomationSearch } from './automation-search.ts';

/** An automation as the form holds it; texts that are empty are not chosen yet. */
export type AutomationDraft = {
  ruleId: string;
  name: string;
  type: 'action' | 'playbook';
  trigger: ResponseTrigger;
  definitionId: string;
  connectorId: string | null;
  inputs: JsonObject;
  conditions: string;
  enabled: boolean;
};

export function newDraft({ rule_id, automation_id, automation_type }: NewAutomationSearch): AutomationDraft {
  return {
    ruleId: rule_id ?? '',
    name: '',
    type: automation_type ?? typeOf(automation_id),
    trigger: 'case_opened',
    definitionId: automation_id ?? '',
    connectorId: null,
    inputs: {},
    conditions: '',
    enabled: true,
  };
}

/** Of an address that does not say it: playbooks have ids, actions are called by names. */
function typeOf(id: string | undefined): AutomationDraft['type'] {
  return id === undefined || isUuid(id) ? 'playbook' : 'action';
}

export function draftOf(response: RuleResponse): AutomationDraft {
  return {
    ruleId: response.rule_id,
    name: response.response_name,
    type: response.response_type,
    trigger: response.trigger,
    definitionId: response.definition_id,
    connectorId: response.connector_id,
    inputs: response.inputs,
    conditions: response.conditions ?? '',
    enabled: response.enabled,
  };
}

export function bodyOf(draft: AutomationDraft): NewRuleResponse {
  const conditions = draft.conditions.trim();
  return {
    rule_id: draft.ruleId,
    response_name: draft.name.trim(),
    response_type: draft.type,
    trigger: draft.trigger,
    definition_id: draft.definitionId,
    connector_id: draft.connectorId,
    inputs: draft.inputs,
    conditions: conditions === '' ? null : conditions,
    enabled: draft.enabled,
  };
}

/** What is still to be chosen before anything can be saved or tried. */
export function missingParts(draft: AutomationDraft): FieldProblem[] {
  return [
    ...(draft.ruleId === '' ? [{ field: 'rule_id', message: t('Choose the policy it answers.') }] : []),
    ...(draft.definitionId === ''
      ? [
          {
            field: 'definition_id',
            message: draft.type === 'action' ? t('Choose the action it starts.') : t('Choose the playbook it starts.'),
          },
        ]
      : []),
    ...(draft.name.trim() === '' ? [{ field: 'response_name', message: t('Give it a name.') }] : []),
  ];
}

/** What the server said about parts of the body, as sentences at their fields. */
export function placedDetails(details: readonly ErrorDetail[]): FieldProblem[] {
  return details.map(({ path, message }) => ({
    field: path.replace(/^body\.(response\.)?/, ''),
    message: sentence(message),
  }));
}

function sentence(message: string): string {
  const whole = /^\p{Ll}/u.test(message) ? `${t('This')} ${message}` : message;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

export function sameDraft(one: AutomationDraft, other: AutomationDraft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
