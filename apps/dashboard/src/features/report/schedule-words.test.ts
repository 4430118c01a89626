import { expect, test } from 'vitest';
import { clockOf, minuteOf, whenWords } from './schedule-words.ts';

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
});
