import { expect, test } from 'vitest';
import { z } from 'zod';
import { timeRangeFields, withStartBeforeEnd } from './time-range.ts';

const schema = withStartBeforeEnd(z.strictObject(timeRangeFields));
const refused = (range: object) => schema.safeParse(range).error?.issues.map(({ path }) => path.join('.')) ?? [];

test.each([
  ['turned round', { start_time: '2026-03-02T00:00:00Z', end_time: '2026-03-01T00:00:00Z' }],
  ['of nothing', { start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-01T01:00:00+01:00' }],
])('a time %s is refused where it begins, whatever its zones', (_name, range) => {
  expect(refused(range)).toEqual(['start_time']);
});

test.each([
  {},
  { start_time: '2026-03-01T00:00:00Z' },
  { end_time: '2026-03-01T00:00:00Z' },
  { start_time: '2026-03-01T02:00:00+02:00', end_time: '2026-03-01T01:00:00Z' },
])('a time that holds something is taken, open sides too: %j', (range) => {
  expect(refused(range)).toEqual([]);
});

test('what is no time is said once, and not to lie after the end', () => {
  expect(refused({ start_time: 'yesterday', end_time: '2026-03-01T00:00:00Z' })).toEqual(['start_time']);
  expect(refused({ start_time: '2026-03-01T00:00:00Z', end_time: 'today' })).toEqual(['end_time']);
});
