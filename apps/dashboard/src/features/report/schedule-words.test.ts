import { expect, test } from 'vitest';
import { clockOf, coversWords, minuteOf, reachesWith, whenWords } from './schedule-words.ts';

test.each([
  [0, '00:00'],
  [390, '06:30'],
  [1_439, '23:59'],
])('minute %i of the day is written %s and read back', (minute, clock) => {
  expect(clockOf(minute)).toBe(clock);
  expect(minuteOf(clock)).toBe(minute);
});

test.each(['', '24:00', '6:30', '12:60', 'noon'])('%j is no time of day', (text) => {
  expect(minuteOf(text)).toBeUndefined();
});

test('a schedule is told in words', () => {
  expect(whenWords({ period: 'weekly', at_minute: 390 })).toBe('Every Monday at 06:30');
  expect(coversWords({ period: 'daily', covers_days: null })).toBe('the day before');
  expect(coversWords({ period: 'daily', covers_days: 30 })).toBe('the 30 days before it is made');
  // What was chosen over the API stays a choice.
  expect(reachesWith(14)).toEqual([7, 14, 30, 90]);
});
