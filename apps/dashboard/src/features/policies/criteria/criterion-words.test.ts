import type { Criterion } from '@airdeck/contracts/policies/schema';
import { expect, test } from 'vitest';
import { countingSentences, lengthWords, thresholdWords } from './counting-words.ts';
import { inOneLine, wordTree } from './criterion-words.ts';

const line = (criterion: Criterion) => inOneLine([criterion]);

test.each<[Criterion, string]>([
  [{ field: 'message', operator: 'contains', value: ['Failed', 'Invalid'] }, 'message contains “Failed” or “Invalid”'],
  [{ field: 'Image', operator: 'contains', value: ['a', 'b'], match: 'all' }, 'Image contains “a” and “b”'],
  [{ field: '*', operator: 'equals', value: 'x', case_sensitive: true }, 'any field is “x” (same case)'],
  [{ field: 'user', operator: 'equals', value_field: 'TargetUser' }, 'user is the event’s “TargetUser”'],
  [{ field: 'user', operator: 'exists', value: false }, 'user is missing'],
  [{ field: 'user', operator: 'exists' }, 'user is there'],
  [{ field: 'bytes', operator: 'gte', value: 10 }, 'bytes is at least “10”'],
  [{ not: { field: 'user', operator: 'empty' } }, 'not (user is missing or empty)'],
])('%j is read as %s', (criterion, words) => {
  expect(line(criterion)).toBe(words);
});

test('groups are told apart, and one inside another of its kind is read as one', () => {
  const a: Criterion = { field: 'a', operator: 'exists' };
  const b: Criterion = { field: 'b', operator: 'exists' };
  expect(inOneLine([a, { any: [b, { all: [a, b] }] }])).toBe(
    'a is there and (b is there or (a is there and b is there))',
  );
  expect(inOneLine([{ all: [a, { all: [b] }] }])).toBe('a is there and b is there');
  expect(inOneLine([a, { not: { any: [a, b] } }])).toBe('a is there and not (a is there or b is there)');
  expect(inOneLine([{ not: { all: [a, b] } }])).toBe('not (a is there and b is there)');
  expect(wordTree([{ any: [a, b] }])).toMatchObject({ of: 'any' });
});

test('what happens is said with the group, the count and the quiet time', () => {
  expect(countingSentences({ group_by: [] })).toEqual([
    'An event that fits opens a case.',
    'While that case is open, every further match joins it.',
  ]);
  expect(
    countingSentences({
      group_by: ['src_ip', 'host'],
      threshold: { count: 10, within_s: 300, distinct_field: 'user' },
      suppress_for_s: 3600,
    }),
  ).toEqual([
    '10 different values of user, in events of the same src_ip and host that fit within 5 minutes, open a case.',
    'While that case is open, further matches of the same src_ip and host join it; another src_ip and host gets a case of its own.',
    'For 1 hour after a case was opened, the same src_ip and host opens no other, even when it was closed.',
  ]);
  expect(thresholdWords({ group_by: ['user'], threshold: { count: 3, within_s: 90 } })).toBe(
    '3 of the same user within 90 seconds',
  );
});

test('a length of time is exact', () => {
  expect([1, 60, 90, 7200, 86_400].map(lengthWords)).toEqual([
    '1 second',
    '1 minute',
    '90 seconds',
    '2 hours',
    '1 day',
  ]);
});

test('a sequence says how many steps, in which order and within what', () => {
  const step = { filter_criteria: [{ field: 'a', operator: 'exists' as const }] };
  const sequence = { steps: [step, step], within_s: 600 };
  expect(countingSentences({ group_by: ['user'], sequence })[0]).toBe(
    'Events of the same user that go through 2 steps, one after the other, within 10 minutes open a case.',
  );
  expect(countingSentences({ group_by: [], sequence: { ...sequence, any_order: true } })[0]).toBe(
    'Events that go through 2 steps, in any order, within 10 minutes open a case.',
  );
  expect(thresholdWords({ group_by: [], sequence })).toBe('2 steps within 10 minutes');
});
