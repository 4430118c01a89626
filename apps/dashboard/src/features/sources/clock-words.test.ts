import { expect, test } from 'vitest';
import { clockCounts, clockWords } from './clock-words.ts';

const clock = { ahead: 0, behind: 0, unbelievable: 0, offset_ms: null };

test('a clock is told with its usual difference and its side', () => {
  expect(clockWords({ ...clock, ahead: 3, offset_ms: 7_200_000 }, 'en-US')).toBe('Clock 2 h ahead');
  expect(clockWords({ ...clock, behind: 3, offset_ms: -172_800_000 }, 'en-US')).toBe('Clock 48 h behind');
  expect(clockWords({ ...clock, unbelievable: 3 }, 'en-US')).toBe('Times nobody can believe');
});

test('how many events say so stands with what they say', () => {
  expect(clockCounts({ ...clock, ahead: 1204, behind: 1, offset_ms: 1 })).toBe(
    'In 24 h: 1,204 events more than 5 minutes ahead of when they came, 1 event more than a day behind.',
  );
});
