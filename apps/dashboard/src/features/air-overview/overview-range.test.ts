import { describe, expect, test } from 'vitest';
import { overviewSearch } from './overview-range.ts';
import { rangeTimes } from './range-times.ts';

const now = new Date('2026-03-05T23:30:00Z');
const iso = (search: Parameters<typeof rangeTimes>[0], zone: string) => {
  const { start, end } = rangeTimes(search, now, zone);
  return [start.toISOString(), end.toISOString()];
};

describe('what is looked at', () => {
  test('begins and ends with days of the reader', () => {
    expect(iso({ range: 'today' }, 'UTC')).toEqual(['2026-03-05T00:00:00.000Z', '2026-03-06T00:00:00.000Z']);
    expect(iso({ range: 'today' }, 'Europe/Berlin')).toEqual(['2026-03-05T23:00:00.000Z', '2026-03-06T23:00:00.000Z']);
  });

  test.each([
    ['7d', 7],
    ['30d', 30],
    ['60d', 60],
    ['90d', 90],
    ['180d', 180],
  ] as const)('today is one of the days of %s, or it would be drawn as one bar more', (range, days) => {
    const { start, end } = rangeTimes({ range, from: undefined, to: undefined }, now, 'UTC');
    expect((end.getTime() - start.getTime()) / 86_400_000).toBe(days);
  });

  test('a month is a month of the calendar, the last one ends where this one begins', () => {
    expect(iso({ range: 'this-month' }, 'UTC')).toEqual(['2026-03-01T00:00:00.000Z', '2026-03-06T00:00:00.000Z']);
    expect(iso({ range: 'last-month' }, 'UTC')).toEqual(['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z']);
  });

  test('chosen days are both included, and the future is left out', () => {
    expect(iso({ from: '2026-01-01', to: '2026-01-31' }, 'UTC')).toEqual([
      '2026-01-01T00:00:00.000Z',
      '2026-02-01T00:00:00.000Z',
    ]);
    expect(iso({ from: '2026-03-01', to: '2026-12-31' }, 'UTC')[1]).toBe('2026-03-06T00:00:00.000Z');
  });

  test.each([
    { from: '2026-02-30', to: '2026-03-01' },
    { from: '2026-03-02', to: '2026-03-01' },
    { from: 'x' },
    { range: '5d' },
  ])('an address with %j is read as without', (search) => {
    expect(Object.values(overviewSearch(search)).every((value) => value === undefined)).toBe(true);
  });
});
