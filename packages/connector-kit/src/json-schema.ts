import { isJsonObject } from '@airdeck/contracts/json-object';

/**
 * The JSON Schema (2020-12) subset definitions use, checked at boot so that a misspelt keyword or a broken pattern is found
 * before a form or a validator meets it. `secret`, `destination` and `account` are our own marks on top-level string properties;
 * `value_names` says what people read for the values of an `enum`.
 */
const keywords: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: isString,
  title: isString,
  description: isString,
  type: (value) => [value].flat().every((type) => types.has(type as string)),
  properties: isJsonObject,
  required: isStringList,
  additionalProperties: (value) => typeof value === 'boolean' || isJsonObject(value),
  items: isJsonObject,
  enum: (value) => Array.isArray(value) && value.length > 0,
  value_names: (value) => isJsonObject(value) && Object.values(value).every(isString),
  const: () => true,
  default: () => true,
  examples: Array.isArray,
  format: isString,
  pattern: isPattern,
  minLength: isCount,
  maxLength: isCount,
  minimum: isNumber,
  maximum: isNumber,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isBoolean,
  secret: isBoolean,
  destination: isBoolean,
  account: isBoolean,
};

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Every problem of a schema as `path: reason`; empty when it is good. */
export function schemaProblems(schema: unknown, path = '$'): string[] {
  if (!isJsonObject(schema)) return [`${path}: a schema must be an object`];
  const problems: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!Object.hasOwn(keywords, keyword)) problems.push(`${path}.${keyword}: unknown keyword`);
    else if (keywords[keyword]?.(value) !== true) problems.push(`${path}.${keyword}: value does not fit the keyword`);
  }
  for (const value of isJsonObject(schema.value_names) ? Object.keys(schema.value_names) : []) {
    const isThere = Array.isArray(schema.enum) && schema.enum.map(String).includes(value);
    if (!isThere) problems.push(`${path}.value_names: "${value}" is not a value of the enum`);
  }
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  for (const [name, property] of Object.entries(properties)) {
    problems.push(...schemaProblems(property, `${path}.properties.${name}`));
    problems.push(...markProblems(property, `${path}.properties.${name}`, path === '$'));
  }
  if (isJsonObject(schema.items)) problems.push(...schemaProblems(schema.items, `${path}.items`));
  if (isJsonObject(schema.additionalProperties)) {
    problems.push(...schemaProblems(schema.additionalProperties, `${path}.additionalProperties`));
  }
  for (const name of isStringList(schema.required) ? schema.required : []) {
    if (!Object.hasOwn(properties, name)) problems.push(`${path}.required: "${name}" is not a property`);
  }
  return problems;
}

function markProblems(property: unknown, path: string, topLevel: boolean): string[] {
  if (!isJsonObject(property)) return [];
  const { secret, destination, account } = property;
  if (secret !== true && destination !== true && account !== true) return [];
  const problems: string[] = [];
  if (!topLevel || property.type !== 'string') problems.push(`${path}: marks are for top-level strings only`);
  if (secret === true && 'default' in property) problems.push(`${path}: a secret has no default`);
  if (secret === true && account === true) problems.push(`${path}: a secret is not part of an account`);
  return problems;
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isString);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** A whole number from nought. */
export function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isPattern(value: unknown): boolean {
  try {
    return isString(value) && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
