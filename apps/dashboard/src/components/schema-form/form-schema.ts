import type { JsonObject } from '@airdeck/contracts/fields';

/** How a property is filled in. */
export type FieldKind =
  | 'boolean'
  | 'choice'
  | 'choices'
  | 'group'
  | 'groups'
  | 'ip'
  | 'json'
  | 'lines'
  | 'long-text'
  | 'number'
  | 'pairs'
  | 'secret'
  | 'text';

export type FormField = {
  readonly name: string;
  /** From the root of the value: `options.query`. */
  readonly path: string;
  readonly label: string;
  readonly help: string | undefined;
  readonly required: boolean;
  readonly kind: FieldKind;
  readonly schema: JsonObject;
};

/** What stands in a form for a secret that is saved, and is sent back to keep it. */
export type SecretMask = { readonly $secret: true; readonly set_at: string };

/** Texts longer than this get a field of several lines. */
const ONE_LINE_MAX = 500;

/** The fields of an object schema in its order. `under` is the path of the object itself. */
export function formFields(schema: JsonObject, under = ''): FormField[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(objectOf(schema.properties)).map(([name, property]) => {
    const own = objectOf(property);
    return {
      name,
      path: under === '' ? name : `${under}.${name}`,
      label: textOf(own.title) ?? wordsOf(name),
      help: textOf(own.description),
      required: required.includes(name),
      kind: kindOf(own),
      schema: own,
    };
  });
}

/** What a new form starts with: the defaults of the schema, and false where a required yes or no has none. */
export function defaultValues(schema: JsonObject): JsonObject {
  const entries = formFields(schema).flatMap(({ name, kind, required, schema: own }): [string, unknown][] => {
    if (own.default !== undefined) return [[name, own.default]];
    if (kind === 'boolean' && required) return [[name, false]];
    if (kind !== 'group') return [];
    const inner = defaultValues(own);
    return Object.keys(inner).length === 0 ? [] : [[name, inner]];
  });
  return Object.fromEntries(entries);
}

/** The object with one property set, or without it when there is nothing in it any more. */
export function withValue(value: JsonObject, name: string, next: unknown): JsonObject {
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
  return isNothing(next) ? rest : { ...value, [name]: next };
}

/** Whether a field is as good as not filled in. */
export function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return false;
}

export function isSecretMask(value: unknown): value is SecretMask {
  return typeof value === 'object' && value !== null && '$secret' in value && value.$secret === true;
}

/** Id of the control of a field in the document. */
export function fieldId(idPrefix: string, path: string): string {
  return `${idPrefix}-${path.replaceAll('.', '-')}`;
}

export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

export function typeOf(schema: JsonObject): string | undefined {
  const types = [schema.type].flat();
  const named = types.find((type) => type !== 'null');
  return typeof named === 'string' ? named : undefined;
}

function kindOf(schema: JsonObject): FieldKind {
  if (schema.secret === true) return 'secret';
  if (Array.isArray(schema.enum)) return 'choice';
  switch (typeOf(schema)) {
    case 'string':
      return textKindOf(schema);
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return listKindOf(objectOf(schema.items));
    case 'object':
      if (Object.keys(objectOf(schema.properties)).length > 0) return 'group';
      return typeOf(objectOf(schema.additionalProperties)) === 'string' ? 'pairs' : 'json';
    default:
      return 'json';
  }
}

function textKindOf({ format, pattern, maxLength }: JsonObject): FieldKind {
  if (typeof format === 'string' && /^ip(v[46])?(-port)?$/.test(format)) return 'ip';
  return typeof maxLength === 'number' && maxLength > ONE_LINE_MAX && pattern === undefined ? 'long-text' : 'text';
}

function listKindOf(items: JsonObject): FieldKind {
  if (Array.isArray(items.enum)) return 'choices';
  const type = typeOf(items);
  if (type === 'string' || type === 'integer' || type === 'number') return 'lines';
  return type === 'object' && Object.keys(objectOf(items.properties)).length > 0 ? 'groups' : 'json';
}

/** A name as words, where the schema gives no title: `api_token` is "Api token". */
function wordsOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
