import { expect, test } from 'vitest';
import { isDay } from './days.ts';

test.each([
  ['2026-11-09', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['11/09/2026', false],
  [20261109, false],
])('%j is a day: %j', (value, expected) => {
  expect(isDay(value)).toBe(expected);
});
