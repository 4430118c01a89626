/** Inputs of a playbook as rows people can fill in, and the JSON schema they stand for. */
import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf, typeOf } from '../../../../components/schema-form/form-schema.ts';
import { t } from '../../../../language/translate.ts';
import { isObject, withFields } from '../document/json.ts';

export const inputTypes = ['text', 'number', 'boolean', 'ip', 'list', 'choice'] as const;
export type InputType = (typeof inputTypes)[number];

export const inputTypeWords: Readonly<Record<InputType | 'other', string>> = {
  text: t('Text'),
  number: t('Number'),
  boolean: t('Yes or no'),
  ip: t('IP address'),
  list: t('List of texts'),
  choice: t('One of a list'),
  other: t('As written in YAML'),
};

export type InputRow = {
  readonly name: string;
  readonly type: InputType | 'other';
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  /** Of a choice. */
  readonly choices: readonly string[];
  /** As it stands; what the rows do not know stays in it. */
  readonly schema: JsonObject;
};

export function inputRows(inputs: JsonObject): InputRow[] {
  const required = Array.isArray(inputs.required) ? inputs.required : [];
  return Object.entries(objectOf(inputs.properties)).map(([name, given]) => {
    const schema = objectOf(given);
    return {
      name,
      type: inputTypeOf(schema),
      title: typeof schema.title === 'string' ? schema.title : '',
      description: typeof schema.description === 'string' ? schema.description : '',
      required: required.includes(name),
      choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
      schema,
    };
  });
}

/** The schema of the rows; what else the object schema says stays. */
export function inputsOf(rows: readonly InputRow[], before: JsonObject): JsonObject {
  const required = rows.filter((row) => row.required).map(({ name }) => name);
  return withFields(
    { type: 'object', additionalProperties: false, ...before },
    {
      properties: Object.fromEntries(rows.map((row) => [row.name, propertyOf(row)])),
      required: required.length === 0 ? undefined : required,
    },
  );
}

const schemas: Readonly<Record<Exclude<InputType, 'choice'>, JsonObject>> = {
  text: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  ip: { type: 'string', format: 'ip' },
  list: { type: 'array', items: { type: 'string' } },
};

function propertyOf({ type, title, description, choices, schema }: InputRow): JsonObject {
  const words = { title: title === '' ? undefined : title, description: description === '' ? undefined : description };
  if (type === 'other') return withFields(schema, words);
  const own = type === 'choice' ? { type: 'string', enum: choices } : schemas[type];
  // Of the same type, what else was said (a default, a limit) stays; of another it would not fit.
  if (inputTypeOf(schema) === type) return withFields(schema, { ...(type === 'choice' ? own : {}), ...words });
  return withFields(own, words);
}

function inputTypeOf(schema: JsonObject): InputType | 'other' {
  const type = typeOf(schema);
  if (Array.isArray(schema.enum)) return type === 'string' ? 'choice' : 'other';
  if (type === 'string') return typeof schema.format === 'string' && schema.format === 'ip' ? 'ip' : 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  const items = isObject(schema.items) ? schema.items : {};
  return type === 'array' && typeOf(items) === 'string' && !Array.isArray(items.enum) ? 'list' : 'other';
}

const NAME = /^[a-z][a-z0-9_]{0,62}$/;

export function inputNameProblem(name: string, taken: readonly string[]): string | undefined {
  if (!NAME.test(name)) return t('Begin with a lower-case letter; then letters, digits and _.');
  return taken.includes(name) ? t('Another one has this name.') : undefined;
}
