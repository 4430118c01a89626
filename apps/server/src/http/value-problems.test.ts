import { filledText } from '@airdeck/contracts/filled-text';
import { valueTexts } from '@airdeck/contracts/value-texts';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { inOurWords, valueProblem } from './value-problems.ts';

function problemsOf(schema: z.ZodType, value: unknown) {
  return (schema.safeParse(value, inOurWords).error?.issues ?? []).map(valueProblem);
}

function numbered(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]));
}

const text = z.string().trim().min(1).max(5);

test.each([
  ['nothing where something is needed', z.strictObject({ a: text }), {}, 'VALUE_MISSING', {}],
  ['no choice', z.enum(['a', 'b']), undefined, 'VALUE_MISSING', {}],
  ['an empty text', text, ' ', 'VALUE_EMPTY', {}],
  ['a text that is too long', text, 'abcdef', 'TEXT_TOO_LONG', { maximum: 5 }],
  ['a text that is too short', z.string().min(3), 'ab', 'TEXT_TOO_SHORT', { minimum: 3 }],
  ['a number instead of a text', text, 5, 'VALUE_NOT_TEXT', {}],
  ['a text instead of a number', z.number(), '5', 'VALUE_NOT_NUMBER', {}],
  ['a part of a number', z.int(), 1.5, 'VALUE_NOT_INTEGER', {}],
  ['a number below', z.number().min(1), 0, 'NUMBER_TOO_SMALL', { minimum: 1 }],
  ['a number at its open end', z.number().lt(4), 4, 'NUMBER_NOT_BELOW', { maximum: 4 }],
  ['an empty list', z.array(text).min(1), [], 'VALUE_EMPTY', {}],
  ['a list that is too long', z.array(text).max(1), ['a', 'b'], 'LIST_TOO_LONG', { maximum: 1 }],
  ['another value than those', z.enum(['a', 'b']), 'c', 'VALUE_NOT_AMONG', { allowed: 'a, b' }],
  ['no address', z.email(), 'ana', 'TEXT_NOT_EMAIL', {}],
  ['no time', z.iso.datetime(), 'today', 'TEXT_NOT_TIME', {}],
  ['a field nobody knows', z.strictObject({}), { b: 1 }, 'FIELDS_UNKNOWN', { names: '"b"' }],
  [
    ...(['a field with a name without end', z.strictObject({}), { ['x'.repeat(5_000)]: 1 }, 'FIELDS_UNKNOWN'] as const),
    { names: `"${'x'.repeat(100)}…"` },
  ],
  [
    ...(['ten fields nobody knows', z.strictObject({}), numbered(10), 'FIELDS_UNKNOWN'] as const),
    { names: '"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"' },
  ],
  [
    ...(['thousands of fields nobody knows', z.strictObject({}), numbered(5_000), 'FIELDS_UNKNOWN_MANY'] as const),
    { names: '"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9"', more: 4_990 },
  ],
] as const)('%s is told by its reason, which other languages are made of', (_what, schema, value, reason, values) => {
  expect(problemsOf(schema, value)).toEqual([{ message: filledText(valueTexts[reason], values), reason, values }]);
});

test('a date and a time of another form are refused in the words of the specification (§5)', () => {
  const said = (schema: z.ZodType, value: unknown) => problemsOf(schema, value).map(({ message }) => message);
  expect(said(z.iso.date(), '11/29/2026')).toEqual(['Invalid date format. Expected ISO date string.']);
  const time = 'Invalid UTC date format. Expected ISO date string.';
  expect(said(z.iso.datetime(), 'today')).toEqual([time]);
  // Without its zone it would be another moment on every machine.
  expect(said(z.iso.datetime({ offset: true }), '2026-11-29T08:00:00')).toEqual([time]);
});

test('a sentence the schema has for its own rule is kept, and is known by itself', () => {
  expect(problemsOf(z.string().regex(/^a$/, 'Not an id.'), 'b')).toEqual([{ message: 'Not an id.' }]);
  const pair = z.object({ a: z.number() }).refine(() => false, 'Say what to change.');
  expect(problemsOf(pair, { a: 1 })).toEqual([{ message: 'Say what to change.' }]);
});
