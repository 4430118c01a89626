/**
 * What is said about a definition, by its reason. Other languages are made of reasons and values, so one that exists keeps
 * its meaning and its places.
 */
const meanings = {
  PLAYBOOK_NOT_AN_OBJECT: 'Must be an object.',
  PLAYBOOK_KIND_UNKNOWN: 'Must be "action", "prompt", "delay" or "playbook".',
  PLAYBOOK_LIST_ONLY_OF_ACTIONS: 'Only actions can be done for each item.',
  PLAYBOOK_DEFAULT_NOT_AMONG_OPTIONS: '"{chosen}" is not among the options.',
  PLAYBOOK_FIELD_UNKNOWN: 'There is no field "{name}" here.',
  PLAYBOOK_ID_DUPLICATE: 'Another action is called "{id}" too.',
  PLAYBOOK_TOO_MANY_ACTIONS: '{count} actions; at most {maximum}.',
  PLAYBOOK_TOO_LARGE: '{size} bytes; at most {maximum}.',
  PLAYBOOK_NOT_JSON: 'Not JSON, or nested too deeply.',
  PLAYBOOK_TOO_DEEP: 'Values are nested too deeply.',
  PLAYBOOK_TOO_MANY_EXPRESSIONS: '{count} expressions; at most {maximum}.',
  PLAYBOOK_EXPRESSIONS_TOO_LONG: 'Expressions of {count} characters together; at most {maximum}.',
  PLAYBOOK_KEY_FORBIDDEN: '"{key}" cannot be the name of a field.',
  PLAYBOOK_ACTION_UNKNOWN: 'There is no action "{name}".',
  PLAYBOOK_CYCLE: 'These actions wait for each other: {actions}.',
  PLAYBOOK_EXPRESSION_INVALID: '"{expression}": {problem}',
  PLAYBOOK_INPUT_UNKNOWN: 'There is no input "{name}".',
  PLAYBOOK_NAME_UNKNOWN: 'There is no "{name}". Expressions read inputs, actions, run and trigger.',
  PLAYBOOK_STEP_FIELD_UNKNOWN: 'There is no "{name}". Of an action there are status, output and error.',
  PLAYBOOK_RUN_FIELD_UNKNOWN: 'There is no "{name}".',
  PLAYBOOK_NOT_UPSTREAM: '"{name}" is not among what this action depends on, so its result may not be there yet.',
  PLAYBOOK_ITEM_OUTSIDE_FOR_EACH: '"{name}" exists only in the input of an action with for_each.',
  PLAYBOOK_STARTS_ITSELF: 'A playbook cannot start itself.',
  PLAYBOOK_UNKNOWN: 'There is no playbook "{id}".',
} as const satisfies Readonly<Record<string, string>>;

/** What a field may hold. */
const expectations = {
  TEXT: 'text of 1 to {maximum} characters',
  INTEGER: 'a whole number from {minimum} to {maximum}',
  NUMBER: 'a number from {minimum} to {maximum}',
  ONE_OF: '{allowed}',
  OBJECT: 'an object',
  ANYTHING: 'anything',
  ACTIONS: 'a list of at least one action',
  ACTION_ID: 'a letter, then up to 63 letters, digits or _',
  ACTION_IDS: 'a list of action ids',
  EXPRESSION: 'an expression',
  OPTIONS: '1 to {maximum} options with distinct value, and label',
} as const satisfies Readonly<Record<string, string>>;

export type Expectation = keyof typeof expectations;
export type TextValues = Readonly<Record<string, string | number>>;

type ExpectationReason = `PLAYBOOK_${'MUST_BE' | 'MISSING'}_${Expectation}`;
export type DefinitionReason = keyof typeof meanings | ExpectationReason;

/** Every sentence with its places, by reason. */
export const definitionTexts: Readonly<Record<string, string>> = {
  ...meanings,
  ...Object.fromEntries(
    Object.entries(expectations).flatMap(([name, text]) => [
      [`PLAYBOOK_MUST_BE_${name}`, `Must be ${text}.`],
      [`PLAYBOOK_MISSING_${name}`, `Missing; must be ${text}.`],
    ]),
  ),
};

/** The sentence of a reason with its places filled in. */
export function definitionText(reason: DefinitionReason, values: TextValues): string {
  return (definitionTexts[reason] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
