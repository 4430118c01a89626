import type { JsonObject } from '@airdeck/contracts/fields';
import { ipFamilies, ipProblem } from '@airdeck/domain/ip-address';
import { t } from '../../language/translate.ts';
import {
  type FieldKind,
  type FormField,
  formFields,
  isNothing,
  isSecretMask,
  objectOf,
  typeOf,
} from './form-schema.ts';

/** `path` is the field's, from the root of the value: `options.query`. */
export type SchemaProblem = { readonly path: string; readonly message: string };

/** A pattern of a definition is not ours; trying a careless one could keep the page from answering. */
const PATTERN_TEXT_MAX = 2000;
const PATTERN_STEPS_MAX = 4_000_000;
const KEPT_PATTERNS_MAX = 500;

/** What stands in the way of sending the value, in the order of the fields. The server judges again. */
export function schemaProblems(schema: JsonObject, value: JsonObject): SchemaProblem[] {
  return problemsIn(schema, value, '');
}

/**
 * Problems the server named below a part of the body (`config`), as the form of that part takes them. Of a word like "is
 * missing" a sentence is made, with the name of the field.
 */
export function problemsUnder(
  part: string,
  schema: JsonObject,
  details: readonly { path: string; message: string }[],
): SchemaProblem[] {
  return details.flatMap(({ path, message }) => {
    const whole = path.replace(/^body\./, '');
    if (!whole.startsWith(`${part}.`)) return [];
    const below = whole.slice(part.length + 1);
    const label = formFields(schema).find(({ name }) => below === name || below.startsWith(`${name}.`))?.label;
    return [{ path: below, message: sentence(message, label ?? t('This')) }];
  });
}

/** What to say beside a field: of lists the problem of any of their entries. */
export function problemOf({ path, kind }: FormField, problems: readonly SchemaProblem[]): string | undefined {
  const inside = kind === 'group' || kind === 'groups' ? () => false : (other: string) => other.startsWith(`${path}.`);
  return problems.find((problem) => problem.path === path || inside(problem.path))?.message;
}

function sentence(message: string, label: string): string {
  const whole = /^\p{Ll}/u.test(message) ? `${label} ${message}` : message;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

function problemsIn(schema: JsonObject, value: JsonObject, under: string): SchemaProblem[] {
  return formFields(schema, under).flatMap((field) => {
    const own = value[field.name];
    if (isNothing(own)) return missing(field);
    if (field.kind === 'group') return problemsIn(field.schema, objectOf(own), field.path);
    if (field.kind === 'groups') return groupsProblems(field, own);
    const message = problemOfValue(field, own);
    return message === undefined ? [] : [{ path: field.path, message }];
  });
}

const missingWords: Partial<Record<FieldKind, string>> = {
  choice: t('Choose one.'),
  choices: t('Choose at least one.'),
  groups: t('Add at least one.'),
  lines: t('Enter at least one.'),
  number: t('Enter a number.'),
  secret: t('Enter it.'),
};

function missing({ path, kind, required, schema }: FormField): SchemaProblem[] {
  if (!required) return [];
  // The parts that are missing say so themselves.
  if (kind === 'group') return problemsIn(schema, {}, path);
  const mayBeEmpty = (kind === 'lines' || kind === 'choices' || kind === 'groups') && !(Number(schema.minItems) > 0);
  return mayBeEmpty ? [] : [{ path, message: missingWords[kind] ?? t('Fill this in.') }];
}

function groupsProblems({ path, schema }: FormField, value: unknown): SchemaProblem[] {
  const items = Array.isArray(value) ? value : [];
  const count = countProblem(schema, items.length);
  const inner = items.flatMap((item, index) => problemsIn(objectOf(schema.items), objectOf(item), `${path}.${index}`));
  return count === undefined ? inner : [{ path, message: count }, ...inner];
}

function problemOfValue({ kind, schema }: FormField, value: unknown): string | undefined {
  switch (kind) {
    case 'secret':
      return isSecretMask(value) ? undefined : textProblem(schema, value);
    case 'text':
    case 'long-text':
      return textProblem(schema, value);
    case 'ip':
      return addressProblem(schema, value) ?? textProblem(schema, value);
    case 'number':
      return numberProblem(schema, value);
    case 'choice':
      return Array.isArray(schema.enum) && schema.enum.includes(value) ? undefined : t('Choose one of the list.');
    case 'choices':
    case 'lines':
      return listProblem(schema, value);
    case 'json':
      return jsonProblem(schema, value);
    case 'pairs':
      return pairsProblem(schema, value);
    default:
      return undefined;
  }
}

function textProblem(schema: JsonObject, value: unknown): string | undefined {
  if (typeof value !== 'string') return t('Enter a text.');
  // As the server counts: an emoji is one character.
  const { length } = [...value];
  const { minLength, maxLength, pattern } = schema;
  if (typeof minLength === 'number' && length < minLength) return t('At least {minLength} characters.', { minLength });
  if (typeof maxLength === 'number' && length > maxLength)
    return t('At most {maxLength} characters; these are {length}.', { maxLength, length });
  if (typeof pattern === 'string' && isJudgedHere(pattern, length) && compiled(pattern)?.test(value) === false) {
    return pattern === '^https?://'
      ? t('Begin with https:// or http://.')
      : t('This does not have the form that is asked for.');
  }
  return schema.destination === true ? destinationProblem(value) : undefined;
}

/**
 * Trying takes about the length to the power of what is repeated, begun anew at every place; and without end where something
 * that repeats is itself repeated. What is not judged here the server judges, in linear time.
 */
function isJudgedHere(pattern: string, length: number): boolean {
  // An escape or a class is one character, whatever stands in it.
  const bare = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/\)[*+{]/.test(bare)) return false;
  const repeated = bare.match(/[*+?{]/g)?.length ?? 0;
  return length <= PATTERN_TEXT_MAX && length ** (repeated + 1) <= PATTERN_STEPS_MAX;
}

const compiledPatterns = new Map<string, RegExp | undefined>();

/** Undefined for what only the server can read: its patterns are of another make. */
function compiled(pattern: string): RegExp | undefined {
  if (compiledPatterns.has(pattern)) return compiledPatterns.get(pattern);
  if (compiledPatterns.size >= KEPT_PATTERNS_MAX) compiledPatterns.clear();
  const made = regExpOf(pattern);
  compiledPatterns.set(pattern, made);
  return made;
}

function regExpOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

function destinationProblem(value: string): string | undefined {
  if (!URL.canParse(value)) return t('Enter a whole address, such as https://host.example.net.');
  const url = new URL(value);
  if (url.username !== '' || url.password !== '')
    return t('Leave out user name and password; they have fields of their own.');
  return url.hostname === '' ? t('Enter an address with a host.') : undefined;
}

/** `format` is `ip`, `ipv4` or `ipv6`; with `-port` behind it a port may follow. */
function addressProblem({ format }: JsonObject, value: unknown): string | undefined {
  const [family = 'ip', port] = String(format).split('-');
  const families = ipFamilies.filter((each) => family === 'ip' || family === each);
  const text = String(value);
  const fitting = families.find((each) => ipProblem(text, each) === undefined);
  const [one, ...others] = families;
  if (fitting === undefined) return one !== undefined && others.length === 0 ? ipProblem(text, one) : WHOLE_ADDRESS;
  const hasPort = fitting === 'ipv4' ? text.includes(':') : text.startsWith('[');
  return hasPort && port === undefined ? t('Enter the address alone, without a port.') : undefined;
}

const WHOLE_ADDRESS = t('Enter a whole address, such as 192.0.2.10 or 2001:db8::10.');

function numberProblem(schema: JsonObject, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return t('Enter a number.');
  if (typeOf(schema) === 'integer' && !Number.isInteger(value)) return t('Enter a whole number.');
  const { minimum, maximum } = schema;
  if (typeof minimum === 'number' && value < minimum) return t('At least {minimum}.', { minimum });
  return typeof maximum === 'number' && value > maximum ? t('At most {maximum}.', { maximum }) : undefined;
}

function countProblem({ minItems, maxItems }: JsonObject, count: number): string | undefined {
  if (typeof minItems === 'number' && count < minItems) return t('At least {minItems}.', { minItems });
  return typeof maxItems === 'number' && count > maxItems
    ? t('At most {maxItems}; these are {count}.', { maxItems, count })
    : undefined;
}

function listProblem(schema: JsonObject, value: unknown): string | undefined {
  if (!Array.isArray(value)) return t('Enter a list.');
  const filled = value.filter((item) => item !== '');
  const count = countProblem(schema, filled.length);
  if (count !== undefined) return count;
  if (schema.uniqueItems === true && new Set(filled).size < filled.length) return t('Each only once.');
  const items = objectOf(schema.items);
  const check = typeOf(items) === 'string' ? textProblem : numberProblem;
  for (const [index, item] of value.entries()) {
    const message = item === '' ? undefined : check(items, item);
    if (message !== undefined) return t('Line {value}: {message}', { value: index + 1, message });
  }
  return undefined;
}

/** A text stands for JSON that could not be read. */
function jsonProblem(schema: JsonObject, value: unknown): string | undefined {
  const type = typeOf(schema);
  if (typeof value === 'string' && (type !== undefined || /^\s*[[{"]/.test(value)))
    return t('This is not complete JSON.');
  if (type === 'object' && (typeof value !== 'object' || Array.isArray(value)))
    return t('Enter an object: {shape}.', { shape: '{ … }' });
  return type === 'array' && !Array.isArray(value) ? t('Enter a list: [ … ].') : undefined;
}

/** A text stands for lines that are not all name and value yet. */
function pairsProblem({ additionalProperties }: JsonObject, value: unknown): string | undefined {
  if (typeof value !== 'object') return t('Write each line as name: value.');
  const own = objectOf(additionalProperties);
  for (const [name, item] of Object.entries(objectOf(value))) {
    const message = textProblem(own, item);
    if (message !== undefined) return `${name}: ${message}`;
  }
  return undefined;
}
