import { expect, test } from 'vitest';
import { formatDuration } from './duration.ts';

test.each([
  [0, '0 s'],
  [0.24, '0.2 s'],
  [45, '45 s'],
  [59, '59 s'],
  [59.96, '59.9 s'],
  [60, '1 min'],
  [90, '1.5 min'],
  [3599, '59.9 min'],
  [3600, '1 h'],
  [93_600, '26 h'],
  [3_603_600, '1,001 h'],
])('%s seconds read as %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test('the decimal sign follows the locale', () => {
  expect(formatDuration(90, 'pt-BR')).toBe('1,5 min');
});

test('no figure is a dash, never zero', () => {
  for (const nothing of [null, Number.NaN, Number.POSITIVE_INFINITY, -1]) expect(formatDuration(nothing)).toBe('–');
});
