import type { ErrorDetail } from '@airdeck/api-client/api-error';
import type { AutomationResponse, AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import type { FieldProblem } from '../../components/expression/field-problems.ts';
import type { WhatStarts } from '../../components/what-starts/what-fields.tsx';
import { t } from '../../language/translate.ts';

/** One thing a rule starts, as the form holds it. */
export type ResponseDraft = WhatStarts & {
  /** Of the card in the form, not of the response. */
  key: string;
  name: string;
  /** What the address asked for, where no playbook is called that. */
  unknownTitle?: string;
};

/** An automation as the form holds it; texts that are empty are not chosen yet. */
export type RuleDraft = {
  name: string;
  definitionId: string;
  responses: readonly ResponseDraft[];
  enabled: boolean;
};

let made = 0;

/** A card of its own; what it starts may be known already. */
export function newResponse(part: Partial<ResponseDraft> = {}): ResponseDraft {
  made += 1;
  return { key: `new-${made}`, name: '', type: 'playbook', definitionId: '', connectorId: null, inputs: {}, ...part };
}

export function draftOf(rule: AutomationRule): RuleDraft {
  return {
    name: rule.name,
    definitionId: rule.event_category_id,
    responses: rule.actions.responses.map((response) =>
      response.response_type === 'playbook'
        ? {
            key: response.name,
            name: response.name,
            type: 'playbook',
            definitionId: response.playbook_id,
            connectorId: null,
            inputs: response.inputs,
          }
        : {
            key: response.name,
            name: response.name,
            type: 'action',
            definitionId: response.action_name,
            connectorId: response.connector_id ?? null,
            inputs: response.inputs,
          },
    ),
    enabled: rule.enabled,
  };
}

/** As the contract has it. A response without a name is called after what it starts. */
export function responsesOf(
  { responses }: RuleDraft,
  nameOf: (response: ResponseDraft) => string,
): AutomationResponse[] {
  return responses.map((response) => {
    const name = response.name.trim() || nameOf(response);
    const { inputs, definitionId } = response;
    return response.type === 'playbook'
      ? { response_type: 'playbook', name, playbook_id: definitionId, inputs }
      : { response_type: 'action', name, action_name: definitionId, connector_id: response.connectorId, inputs };
  });
}

/** What is still to be chosen or told apart before anything can be saved. */
export function missingParts(draft: RuleDraft, nameOf: (response: ResponseDraft) => string): FieldProblem[] {
  const names = responsesOf(draft, nameOf).map(({ name }) => name);
  return [
    ...(draft.definitionId === '' ? [{ field: 'event_category_id', message: t('Choose the event definition.') }] : []),
    ...(draft.name.trim() === '' ? [{ field: 'name', message: t('Give it a name.') }] : []),
    ...(draft.responses.length === 0 ? [{ field: 'responses', message: t('Add what it starts.') }] : []),
    ...draft.responses.flatMap(({ definitionId, type }, index) => {
      if (definitionId === '')
        return [
          {
            field: `responses.${index}.definition_id`,
            message: type === 'action' ? t('Choose the action it starts.') : t('Choose the playbook it starts.'),
          },
        ];
      return names.indexOf(names[index] ?? '') < index
        ? [{ field: `responses.${index}.name`, message: t('Another one has this name already.') }]
        : [];
    }),
  ];
}

/** What the server said about parts of the body, as sentences at their fields. */
export function placedDetails(details: readonly ErrorDetail[]): FieldProblem[] {
  return details.map(({ path, message }) => ({
    field: path
      .replace(/^body\.(actions\.)?/, '')
      .replace(/^(responses\.\d+)\.(playbook_id|action_name)$/, '$1.definition_id'),
    message: sentence(message),
  }));
}

/** Those of one response, by the names its fields have. */
export function problemsOfResponse(problems: readonly FieldProblem[], index: number): FieldProblem[] {
  const prefix = `responses.${index}.`;
  return problems
    .filter(({ field }) => field.startsWith(prefix))
    .map(({ field, message }) => ({ field: field.slice(prefix.length), message }));
}

function sentence(message: string): string {
  const whole = /^\p{Ll}/u.test(message) ? `${t('This')} ${message}` : message;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

export function sameDraft(one: RuleDraft, other: RuleDraft): boolean {
  const withoutKeys = (draft: RuleDraft) =>
    JSON.stringify({ ...draft, responses: draft.responses.map(({ key: _key, ...rest }) => rest) });
  return withoutKeys(one) === withoutKeys(other);
}
