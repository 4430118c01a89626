import { expect, test } from 'vitest';
import { pageSchema, skipSchema, timeInputSchema, timeSchema } from './fields.ts';
import { limits } from './limits.ts';

const problems = (text: string) => timeInputSchema.safeParse(text).error?.issues.map(({ message }) => message) ?? [];

test.each(['2026-03-01T02:00:00+02:00', '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z'])(
  'a time of the years that are written with four digits is taken: %s',
  (text) => {
    expect(problems(text)).toEqual([]);
    expect(timeSchema.safeParse(new Date(text).toISOString()).success).toBe(true);
  },
);

test.each([
  '9999-12-31T23:59:59-12:00',
  '0000-01-01T00:00:00+00:01',
  '0001-01-01T00:00:00+00:01',
  // No year of the store's calendar, though its moment is one of the year 1.
  '0000-12-31T23:59:59-12:00',
])('a time that could not be answered or stored is refused before it is: %s', (text) => {
  expect(problems(text)).toEqual(['Times are of the years 1 to 9999.']);
});

test('what is no time is told that alone', () => {
  expect(problems('yesterday')).toHaveLength(1);
});

test('whatever page may be asked for may be skipped to, at any size', () => {
  expect(pageSchema.safeParse(limits.pageMax + 1).success).toBe(false);
  expect(skipSchema.safeParse((pageSchema.parse(limits.pageMax) - 1) * limits.listMax).success).toBe(true);
});
