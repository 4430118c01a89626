import { expect, test } from 'vitest';
import { weeksBetween } from './case-facts.ts';
import { latestMonth, madeAt, monthOf, monthsAgo, rangeOfMonth } from './report-month.ts';

test('a month is from midnight to midnight of its zone, through moved clocks and turns of the year', () => {
  const iso = ({ start, end }: { start: Date; end: Date }) => [start.toISOString(), end.toISOString()];
  expect(iso(rangeOfMonth('2026-10', 'Europe/Lisbon'))).toEqual([
    '2026-09-30T23:00:00.000Z',
    '2026-11-01T00:00:00.000Z',
  ]);
  expect(iso(rangeOfMonth('2026-12', 'America/Sao_Paulo'))).toEqual([
    '2026-12-01T03:00:00.000Z',
    '2027-01-01T03:00:00.000Z',
  ]);
});

test('the schedule comes to a month at three in the night of its zone, not before', () => {
  const zone = 'Pacific/Auckland';
  expect(madeAt('2026-10', zone).toISOString()).toBe('2026-10-31T14:00:00.000Z');
  expect(latestMonth(new Date('2026-10-31T13:59:59Z'), zone)).toBe('2026-09');
  expect(latestMonth(new Date('2026-10-31T14:00:00Z'), zone)).toBe('2026-10');
  expect(monthOf(new Date('2026-10-31T13:59:59Z'), zone)).toBe('2026-11');
});

test('months are counted over years, and those to come are negative', () => {
  const now = new Date('2026-01-15T12:00:00Z');
  expect(['2025-12', '2024-01', '2026-02'].map((month) => monthsAgo(month, now, 'UTC'))).toEqual([1, 24, -1]);
});

test('weeks begin on Mondays and are cut off at the ends of the month', () => {
  expect(weeksBetween('2026-10-01', '2026-10-12').map(({ start, end }) => `${start} ${end}`)).toEqual([
    '2026-10-01 2026-10-04',
    '2026-10-05 2026-10-11',
    '2026-10-12 2026-10-12',
  ]);
});
