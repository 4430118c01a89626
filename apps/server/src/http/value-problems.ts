/**
 * What a schema says about a value, in our words: each with its reason, so that it can be shown in other languages. A
 * sentence a schema was given for one of its rules is kept as it is.
 */
import { filledText, type PlainValues, type Told } from '@airdeck/contracts/filled-text';
import { type ValueReason, valueTexts } from '@airdeck/contracts/value-texts';
import type { z } from 'zod';

/** Which sentence of `valueTexts`, and what it fills in. */
export type ValueFound = { readonly reason: ValueReason; readonly values: PlainValues };

const [NAMES_SHOWN, NAME_SHOWN] = [10, 100];

/** How every value of a request is parsed: `schema.safeParse(value, inOurWords)`. */
export const inOurWords = {
  error: (issue: z.core.$ZodRawIssue) => textOf(foundIn(issue as z.core.$ZodIssue)),
  // A value that is missing is told from one of the wrong type by what was given.
  reportInput: true,
} as const;

/** An issue of a value that was parsed `inOurWords`. */
export function valueProblem(issue: z.core.$ZodIssue): Told {
  const found = foundIn(issue);
  return textOf(found) === issue.message ? { message: issue.message, ...found } : { message: issue.message };
}

/**
 * Whether the value is one no form of ours sends, whatever a person types into it: a field that does not exist, a value of
 * another type, one that is not among those to choose from. What is only missing, too long or of another form is not.
 */
export function isTampering(issue: z.core.$ZodIssue): boolean {
  switch (issue.code) {
    case 'unrecognized_keys':
      return true;
    case 'invalid_type':
    case 'invalid_value':
      return issue.input !== undefined;
    case 'invalid_union':
      // Without a branch it could have been meant for, or wrong in every one of them.
      return issue.input !== undefined && issue.errors.every((branch) => branch.some(isTampering));
    default:
      return false;
  }
}

function textOf({ reason, values }: ValueFound): string {
  return filledText(valueTexts[reason], values);
}

function found(reason: ValueReason, values: PlainValues = {}): ValueFound {
  return { reason, values };
}

function foundIn(issue: z.core.$ZodIssue): ValueFound {
  if (issue.input === undefined && mayBeMissing.has(issue.code)) return found('VALUE_MISSING');
  switch (issue.code) {
    case 'invalid_type':
      return typeProblem(String(issue.expected));
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'invalid_format':
      return found(formats[issue.format] ?? 'TEXT_FORM');
    case 'not_multiple_of':
      return found('NUMBER_NOT_MULTIPLE', { step: issue.divisor });
    case 'unrecognized_keys':
      return fieldsUnknown(issue.keys);
    case 'invalid_value':
      return notAmong(issue.values.map(String));
    default:
      return found('VALUE_INVALID');
  }
}

const mayBeMissing: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value', 'invalid_union']);

const types: Readonly<Record<string, ValueReason>> = {
  string: 'VALUE_NOT_TEXT',
  number: 'VALUE_NOT_NUMBER',
  int: 'VALUE_NOT_INTEGER',
  integer: 'VALUE_NOT_INTEGER',
  boolean: 'VALUE_NOT_BOOLEAN',
  array: 'VALUE_NOT_LIST',
  object: 'VALUE_NOT_OBJECT',
  record: 'VALUE_NOT_OBJECT',
};

/** A body can have thousands of them, as long as it is itself: enough are named for a person to see what went wrong. */
function fieldsUnknown(keys: readonly string[]): ValueFound {
  const shown = keys.slice(0, NAMES_SHOWN);
  const names = shown.map((key) => `"${key.length > NAME_SHOWN ? `${key.slice(0, NAME_SHOWN)}…` : key}"`).join(', ');
  const more = keys.length - shown.length;
  return more === 0 ? found('FIELDS_UNKNOWN', { names }) : found('FIELDS_UNKNOWN_MANY', { names, more });
}

/** Of a value of another type than this, as schemas call it. */
export function typeProblem(type: string): ValueFound {
  const reason = types[type];
  return reason === undefined ? found('VALUE_TYPE', { type }) : found(reason);
}

/** Of a value that is none of these. */
export function notAmong(values: readonly string[]): ValueFound {
  const allowed = values.join(', ');
  return found(values.length === 1 ? 'VALUE_NOT_EXACTLY' : 'VALUE_NOT_AMONG', { allowed });
}

const formats: Readonly<Record<string, ValueReason>> = {
  email: 'TEXT_NOT_EMAIL',
  url: 'TEXT_NOT_URL',
  datetime: 'TEXT_NOT_TIME',
  date: 'TEXT_NOT_DATE',
};

function tooSmall({ origin, minimum: least, inclusive }: z.core.$ZodIssueTooSmall): ValueFound {
  const minimum = Number(least);
  if (origin === 'string') return minimum === 1 ? found('VALUE_EMPTY') : found('TEXT_TOO_SHORT', { minimum });
  if (origin === 'array') return minimum === 1 ? found('VALUE_EMPTY') : found('LIST_TOO_SHORT', { minimum });
  return found(inclusive === false ? 'NUMBER_NOT_ABOVE' : 'NUMBER_TOO_SMALL', { minimum });
}

function tooBig({ origin, maximum: most, inclusive }: z.core.$ZodIssueTooBig): ValueFound {
  const maximum = Number(most);
  if (origin === 'string') return found('TEXT_TOO_LONG', { maximum });
  if (origin === 'array') return found('LIST_TOO_LONG', { maximum });
  return found(inclusive === false ? 'NUMBER_NOT_BELOW' : 'NUMBER_TOO_LARGE', { maximum });
}
