import { filledText, type PlainValues } from '../filled-text.ts';

/**
 * What the server says about a playbook beside the engine, by its reason. Other languages are made of reasons, so one that
 * exists keeps its meaning and its places.
 */
export const playbookTexts = {
  PLAYBOOK_CONNECTOR_UNKNOWN: 'This connector does not exist, or belongs to another integration.',
  PLAYBOOK_APPROVER_UNKNOWN: '{name} is not a member of this tenant who may answer.',
  PLAYBOOK_STARTS_AGAIN: 'It would start this playbook again: {way}.',
  PLAYBOOK_INPUTS_NOT_OBJECT: 'Must be "object": inputs have names.',
  PLAYBOOK_INPUTS_TOO_DEEP: 'Is nested too deeply.',
  PLAYBOOK_INPUTS_TOO_LARGE: 'Has more than {values} values, or more than {characters} characters.',
  PLAYBOOK_INPUTS_REFERENCE: 'References are not supported here.',
  PLAYBOOK_INPUTS_UNIQUE_ITEMS: 'Is not supported here: it compares every item with every other.',
  PLAYBOOK_INPUTS_NO_SCHEMA: 'Is not a JSON Schema that can be used ({problem}).',
  YAML_PROBLEM: 'Line {line}: {problem}',
  YAML_NESTED: 'Line {line}: The text is nested too deeply.',
  YAML_TOO_MANY_VALUES: 'Line {line}: More than {maximum} values.',
  YAML_TOO_DEEP: 'Line {line}: Nested deeper than {maximum} levels.',
  YAML_NUMBER: 'Line {line}: This number is not finite.',
  YAML_FIELD_NAME: 'Line {line}: The name of a field must be a plain text.',
  YAML_FIELD_FORBIDDEN: 'Line {line}: "{name}" cannot be the name of a field.',
  YAML_FIELD_TWICE: 'Line {line}: "{name}" is given twice.',
  YAML_NOTHING_OPEN: 'Line {line}: There is nothing open for "{token}" to close.',
  YAML_ANCHOR: 'Line {line}: Anchors (&name) are not supported.',
  YAML_ALIAS: 'Line {line}: Aliases (*name) are not supported.',
  YAML_TAG: 'Line {line}: Tags (!name) are not supported.',
  YAML_TOO_HEAVY: 'This text takes too long or too much memory to read.',
} as const satisfies Readonly<Record<string, string>>;

export type PlaybookReason = keyof typeof playbookTexts;

/** What the engine says, which knows no other package: a test of the server compares the two. */
export const definitionTexts: Readonly<Record<string, string>> = {
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
  PLAYBOOK_MUST_BE_TEXT: 'Must be text of 1 to {maximum} characters.',
  PLAYBOOK_MISSING_TEXT: 'Missing; must be text of 1 to {maximum} characters.',
  PLAYBOOK_MUST_BE_INTEGER: 'Must be a whole number from {minimum} to {maximum}.',
  PLAYBOOK_MISSING_INTEGER: 'Missing; must be a whole number from {minimum} to {maximum}.',
  PLAYBOOK_MUST_BE_NUMBER: 'Must be a number from {minimum} to {maximum}.',
  PLAYBOOK_MISSING_NUMBER: 'Missing; must be a number from {minimum} to {maximum}.',
  PLAYBOOK_MUST_BE_ONE_OF: 'Must be {allowed}.',
  PLAYBOOK_MISSING_ONE_OF: 'Missing; must be {allowed}.',
  PLAYBOOK_MUST_BE_OBJECT: 'Must be an object.',
  PLAYBOOK_MISSING_OBJECT: 'Missing; must be an object.',
  PLAYBOOK_MUST_BE_ANYTHING: 'Must be anything.',
  PLAYBOOK_MISSING_ANYTHING: 'Missing; must be anything.',
  PLAYBOOK_MUST_BE_ACTIONS: 'Must be a list of at least one action.',
  PLAYBOOK_MISSING_ACTIONS: 'Missing; must be a list of at least one action.',
  PLAYBOOK_MUST_BE_ACTION_ID: 'Must be a letter, then up to 63 letters, digits or _.',
  PLAYBOOK_MISSING_ACTION_ID: 'Missing; must be a letter, then up to 63 letters, digits or _.',
  PLAYBOOK_MUST_BE_ACTION_IDS: 'Must be a list of action ids.',
  PLAYBOOK_MISSING_ACTION_IDS: 'Missing; must be a list of action ids.',
  PLAYBOOK_MUST_BE_EXPRESSION: 'Must be an expression.',
  PLAYBOOK_MISSING_EXPRESSION: 'Missing; must be an expression.',
  PLAYBOOK_MUST_BE_OPTIONS: 'Must be 1 to {maximum} options with distinct value, and label.',
  PLAYBOOK_MISSING_OPTIONS: 'Missing; must be 1 to {maximum} options with distinct value, and label.',
};

/** The sentence of a reason, and what it is made of. */
export function playbookTold(reason: PlaybookReason, values: PlainValues = {}) {
  return { message: filledText(playbookTexts[reason], values), reason, values };
}
