/** The shape of a definition: which fields there are and what they may hold. Meaning is checked in `definition-validation.ts`. */
import { MAX_CONCURRENT_ACTIONS } from './definition.ts';
import { type DefinitionReason, definitionText, type Expectation, type TextValues } from './definition-texts.ts';
import { forbiddenKeys } from './definition-tree.ts';

export type DefinitionProblem = {
  readonly path: string;
  readonly code: DefinitionProblemCode;
  readonly message: string;
  /** Which of `definitionTexts` the message is, where it is one. */
  readonly reason?: string | undefined;
  /** What it fills in. */
  readonly values?: TextValues | undefined;
};

export type DefinitionProblemCode =
  | 'NOT_AN_OBJECT'
  | 'FIELD_INVALID'
  | 'FIELD_UNKNOWN'
  | 'ID_DUPLICATE'
  | 'TOO_MANY_ACTIONS'
  | 'TOO_LARGE'
  | 'TOO_DEEP'
  | 'TOO_MANY_EXPRESSIONS'
  | 'KEY_FORBIDDEN'
  | 'ACTION_UNKNOWN'
  | 'INPUT_INVALID'
  | 'DEPENDENCY_UNKNOWN'
  | 'CYCLE'
  | 'EXPRESSION_INVALID'
  | 'REFERENCE_UNKNOWN'
  | 'REFERENCE_NOT_UPSTREAM'
  | 'ITEM_OUTSIDE_FOR_EACH'
  | 'PLAYBOOK_UNKNOWN'
  | 'PLAYBOOK_RECURSIVE';

type Field = {
  readonly test: (value: unknown) => boolean;
  readonly expects: Expectation;
  readonly values?: TextValues;
  readonly required?: boolean;
};
export type Fields = Readonly<Record<string, Field>>;

const DAY_S = 86_400;
const MAX_TIMEOUT_S = 3_600;
const MAX_WAIT_S = 90 * DAY_S;
const MAX_OPTIONS = 20;
const MAX_EXPRESSION_LENGTH = 4_096;

export const idPattern = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

const text = (max: number): Field => ({
  test: (value) => typeof value === 'string' && value.length > 0 && value.length <= max,
  expects: 'TEXT',
  values: { maximum: max },
});
const integer = (min: number, max: number): Field => ({
  test: (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  expects: 'INTEGER',
  values: { minimum: min, maximum: max },
});
const number = (min: number, max: number): Field => ({
  test: (value) => typeof value === 'number' && value >= min && value <= max,
  expects: 'NUMBER',
  values: { minimum: min, maximum: max },
});
const oneOf = (...values: string[]): Field => ({
  test: (value) => typeof value === 'string' && values.includes(value),
  expects: 'ONE_OF',
  values: { allowed: values.map((value) => `"${value}"`).join(' or ') },
});
const anObject: Field = { test: isObject, expects: 'OBJECT' };
const anything: Field = { test: () => true, expects: 'ANYTHING' };
const nullable = (field: Field): Field => ({
  ...field,
  test: (value) => value === null || field.test(value),
});
const required = (field: Field): Field => ({ ...field, required: true });

export const definitionFields: Fields = {
  metadata: anObject,
  inputs: anObject,
  actions: required({
    test: (value) => Array.isArray(value) && value.length > 0,
    expects: 'ACTIONS',
  }),
  outputs: anObject,
  exec_options: anObject,
};

export const execOptionFields: Fields = {
  max_concurrent_actions: integer(1, MAX_CONCURRENT_ACTIONS),
  timeout_s: number(1, MAX_WAIT_S),
};

export const retryFields: Fields = { max_attempts: integer(1, 20), backoff_s: number(0.1, MAX_TIMEOUT_S) };

const nodeFields: Fields = {
  id: required({
    test: (value) => typeof value === 'string' && idPattern.test(value) && !forbiddenKeys.has(value),
    expects: 'ACTION_ID',
  }),
  kind: required(oneOf('action', 'prompt', 'delay', 'playbook')),
  depends_on: { test: isTextList, expects: 'ACTION_IDS' },
  when: nullable({ test: (value) => typeof value === 'string', expects: 'EXPRESSION' }),
  on_error: oneOf('fail', 'continue'),
};

export const fieldsByKind: Readonly<Record<string, Fields>> = {
  action: {
    ...nodeFields,
    action: required(text(200)),
    input: anything,
    for_each: nullable(text(MAX_EXPRESSION_LENGTH)),
    retry: nullable(anObject),
    timeout_s: nullable(number(1, MAX_TIMEOUT_S)),
  },
  prompt: {
    ...nodeFields,
    message: required(text(10_000)),
    options: required({ test: isOptionList, expects: 'OPTIONS', values: { maximum: MAX_OPTIONS } }),
    approvers: nullable(anObject),
    expires_in_s: nullable(number(1, MAX_WAIT_S)),
    default_option: nullable(text(200)),
  },
  delay: { ...nodeFields, seconds: required(number(0, MAX_WAIT_S)) },
  playbook: {
    ...nodeFields,
    playbook_id: required(text(200)),
    inputs: nullable(anObject),
    timeout_s: nullable(number(1, MAX_WAIT_S)),
  },
};

/** A problem by its reason. */
export function problemAt(
  path: string,
  code: DefinitionProblemCode,
  reason: DefinitionReason,
  values: TextValues = {},
): DefinitionProblem {
  return { path, code, message: definitionText(reason, values), reason, values };
}

/** Problems of one object against its fields. `extra` are fields the caller knows and the engine passes on. */
export function fieldProblems(
  value: unknown,
  path: string,
  fields: Fields,
  extra: readonly string[] = [],
): DefinitionProblem[] {
  if (!isObject(value)) return [problemAt(path, 'NOT_AN_OBJECT', 'PLAYBOOK_NOT_AN_OBJECT')];
  const problems: DefinitionProblem[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const given = value[name];
    const at = path === '' ? name : `${path}.${name}`;
    if (given === undefined && field.required)
      problems.push(problemAt(at, 'FIELD_INVALID', `PLAYBOOK_MISSING_${field.expects}`, field.values));
    if (given !== undefined && !field.test(given))
      problems.push(problemAt(at, 'FIELD_INVALID', `PLAYBOOK_MUST_BE_${field.expects}`, field.values));
  }
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(fields, name) || extra.includes(name)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    problems.push(problemAt(at, 'FIELD_UNKNOWN', 'PLAYBOOK_FIELD_UNKNOWN', { name }));
  }
  return problems;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isTextList(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((item) => typeof item === 'string') && new Set(value).size === value.length
  );
}

function isOptionList(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_OPTIONS) return false;
  const complete = value.every((item) => isObject(item) && isShortText(item.value) && isShortText(item.label));
  return complete && new Set(value.map((item) => item.value)).size === value.length;
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= 200;
}
