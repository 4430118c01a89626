import { describe, expect, test } from 'vitest';
import { displayDate, displayTime } from './display-time.ts';

const now = new Date('2026-03-01T15:00:00Z');
const utc = { now, timeZone: 'UTC' };

describe('displayTime', () => {
  test.each([
    ['2026-03-01T09:05:00Z', 'Today at 9:05 AM'],
    ['2026-03-01T00:00:00Z', 'Today at 12:00 AM'],
    ['2026-03-01T12:30:00Z', 'Today at 12:30 PM'],
    ['2026-02-28T23:59:00Z', 'Yesterday at 11:59 PM'],
    ['2026-02-27T23:59:00Z', 'Feb 27, 2026 11:59 PM'],
    ['2025-12-31T13:00:00Z', 'Dec 31, 2025 1:00 PM'],
    ['2026-03-02T08:00:00Z', 'Mar 2, 2026 8:00 AM'],
  ])('%s reads as %s', (time, text) => {
    expect(displayTime(new Date(time), utc)).toBe(text);
  });

  test('days are those of the reader, not of UTC', () => {
    const time = new Date('2026-03-01T01:00:00Z');
    expect(displayTime(time, { now, timeZone: 'America/Sao_Paulo' })).toBe('Yesterday at 10:00 PM');
    expect(displayTime(time, { now, timeZone: 'Asia/Tokyo' })).toBe('Yesterday at 10:00 AM');
  });

  test('yesterday holds across a clock change of 23 hours', () => {
    const morning = new Date('2026-03-08T16:00:00Z');
    const before = new Date('2026-03-07T17:00:00Z');
    expect(displayTime(before, { now: morning, timeZone: 'America/New_York' })).toBe('Yesterday at 12:00 PM');
  });

  test('words and month names follow the locale', () => {
    expect(displayTime(new Date('2026-03-01T09:05:00Z'), { ...utc, locale: 'pt-BR' })).toBe('Hoje às 9:05 AM');
    expect(displayTime(new Date('2026-02-01T09:05:00Z'), { ...utc, locale: 'pt-BR' })).toBe('fev 1, 2026 9:05 AM');
    expect(displayTime(new Date('2026-02-01T09:05:00Z'), { ...utc, locale: 'en-CA' })).toBe('Feb 1, 2026 9:05 AM');
  });

  test('an invalid date is refused, not shown as NaN', () => {
    expect(() => displayTime(new Date('nonsense'), utc)).toThrow(RangeError);
  });
});

test.each([
  ['en-US', '02/09/2026'],
  ['pt-BR', '09/02/2026'],
  ['en-CA', '2026-02-09'],
] as const)('dates of %s are typed as %s', (locale, text) => {
  expect(displayDate(new Date('2026-02-09T12:00:00Z'), { locale, timeZone: 'UTC' })).toBe(text);
});
