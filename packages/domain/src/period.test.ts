import { expect, test } from 'vitest';
import { windowOf } from './period.ts';

const now = new Date('2026-03-31T12:00:00.000Z');

test.each([
  ['LAST_7_DAYS', '2026-03-24T12:00:00.000Z'],
  ['LAST_30_DAYS', '2026-03-01T12:00:00.000Z'],
  ['LAST_60_DAYS', '2026-01-30T12:00:00.000Z'],
  ['LAST_90_DAYS', '2025-12-31T12:00:00.000Z'],
  ['LAST_180_DAYS', '2025-10-02T12:00:00.000Z'],
] as const)('%s starts at %s and ends now', (period, start) => {
  expect(windowOf(period, now)).toEqual({ start: new Date(start), end: now });
});

test('a custom period is the given window', () => {
  const custom = { start: new Date('2026-01-01T00:00:00Z'), end: new Date('2026-01-02T00:00:00Z') };
  expect(windowOf('CUSTOM', now, custom)).toEqual(custom);
});

test('a custom period without a window, backwards or with an invalid date is refused', () => {
  expect(() => windowOf('CUSTOM', now)).toThrow(RangeError);
  expect(() => windowOf('CUSTOM', now, { start: now, end: now })).toThrow(RangeError);
  expect(() => windowOf('CUSTOM', now, { start: new Date('nonsense'), end: now })).toThrow(RangeError);
});
