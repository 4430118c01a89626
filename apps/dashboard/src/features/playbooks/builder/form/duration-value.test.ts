import { expect, test } from 'vitest';
import { durationParts, secondsOf } from './duration-value.ts';

test.each([
  [0, 0, 'seconds'],
  [59, 59, 'seconds'],
  [60, 1, 'minutes'],
  [90, 90, 'seconds'],
  [3600, 1, 'hours'],
  [86_400, 1, 'days'],
  [172_800, 2, 'days'],
  [0.5, 0.5, 'seconds'],
] as const)('%d seconds are %d %s', (seconds, amount, unit) => {
  expect(durationParts(seconds)).toEqual({ amount, unit });
  expect(secondsOf(amount, unit)).toBe(seconds);
});

test('a part of a larger unit is whole seconds', () => {
  expect(secondsOf(1.1, 'hours')).toBe(3_960);
});
