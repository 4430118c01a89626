import { expect, test } from 'vitest';
import { relativeTime } from './relative-time-text.ts';

const now = new Date('2026-03-01T12:00:00Z');

test.each([
  [0, 'just now'],
  [-3, 'just now'],
  [42, '42 s ago'],
  [59.6, '1 min ago'],
  [3599, '59 min ago'],
  [3600, '1 h ago'],
  [86_399, '23 h ago'],
  [86_400, undefined],
  [-90, 'in 1 min'],
])('%s seconds ago reads %s', (seconds, text) => {
  expect(relativeTime(new Date(now.getTime() - seconds * 1000), now)).toBe(text);
});
