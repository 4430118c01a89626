import { describe, expect, it } from 'vitest';
import { believableTime, readTime, yearlessTime } from './event-time.ts';

const utc = (iso: string) => Date.parse(iso);

describe('reading times', () => {
  it.each<[unknown, string | undefined]>([
    [1_795_255_200, '2026-11-21T10:00:00Z'],
    ['1795255200', '2026-11-21T10:00:00Z'],
    [1_795_255_200_000, '2026-11-21T10:00:00Z'],
    ['1795255200000000', '2026-11-21T10:00:00Z'],
    ['1795255200000000000', '2026-11-21T10:00:00Z'],
    [1_795_255_200.5, '2026-11-21T10:00:00.500Z'],
    ['2026-11-21T10:00:00.000Z', '2026-11-21T10:00:00Z'],
    ['2026-11-21 10:00:00', '2026-11-21T10:00:00Z'],
    ['2026/11/21 10:00:00', '2026-11-21T10:00:00Z'],
    ['2026-11-21T10:00:00,25+01:30', '2026-11-21T08:30:00.250Z'],
    ['2026-11-21T24:00:00Z', '2026-11-22T00:00:00Z'],
    ['2026-11-21T23:59:60Z', '2026-11-22T00:00:00Z'],
    ['2026-02-31T10:00:00Z', undefined],
    ['2026-13-01T10:00:00Z', undefined],
    ['2026-11-21T25:00:00Z', undefined],
    ['yesterday', undefined],
    [5, undefined],
    [Number.NaN, undefined],
    [null, undefined],
  ])('%j → %s', (value, expected) => {
    expect(readTime(value)).toBe(expected === undefined ? undefined : utc(expected));
  });

  it.each(['1970-01-01T00:00:00Z', '2099-01-01T00:00:00Z', '2026-11-23T00:00:00Z'])('does not believe %s', (iso) => {
    expect(believableTime(utc(iso), utc('2026-11-21T12:00:00Z'))).toBeUndefined();
  });
});

describe('times without a year', () => {
  const time = (month: string, day: number, receivedAt: string) =>
    yearlessTime({ month, day, hour: 16, minute: 45, second: 20 }, utc(receivedAt));

  it.each([
    ['Feb', 22, '2026-11-21T12:00:00Z', '2026-02-22T16:45:20Z'],
    ['Nov', 22, '2026-11-21T18:00:00Z', '2026-11-22T16:45:20Z'],
    ['Nov', 24, '2026-11-21T12:00:00Z', '2025-11-24T16:45:20Z'],
    ['Dec', 31, '2027-01-01T00:00:05Z', '2026-12-31T16:45:20Z'],
    ['Jan', 1, '2026-12-31T23:59:00Z', '2027-01-01T16:45:20Z'],
    ['Feb', 29, '2026-11-21T12:00:00Z', '2024-02-29T16:45:20Z'],
  ])('%s %i received %s', (month, day, receivedAt, expected) => {
    expect(time(month, day, receivedAt)).toBe(utc(expected));
  });

  it('refuses what is in no calendar', () => {
    expect(time('Foo', 1, '2026-11-21T12:00:00Z')).toBeUndefined();
    expect(time('Feb', 30, '2026-11-21T12:00:00Z')).toBeUndefined();
  });
});
