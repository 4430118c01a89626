import { expect, test } from 'vitest';
import { hourBars } from './hour-bars.ts';

const at = (time: string) => Date.parse(time);
const hour = (t: string, matched: number, cases = 0) => ({ t, matched, cases });

test('hours without matches are there, and what lies outside is left out', () => {
  const bars = hourBars(
    [hour('2026-11-21T01:00:00Z', 3, 1), hour('2026-11-21T09:00:00Z', 7)],
    { start: at('2026-11-21T00:30:00Z'), end: at('2026-11-21T04:00:00Z') },
    100,
  );
  expect(bars.map(({ matched }) => matched)).toEqual([0, 3, 0, 0]);
  expect(bars[1]).toMatchObject({ start: at('2026-11-21T01:00:00Z'), hours: 1, cases: 1 });
});

test('a long time has bars of several hours that lose nothing', () => {
  const start = at('2026-11-01T00:00:00Z');
  const all = Array.from({ length: 240 }, (_, index) => hour(new Date(start + index * 3_600_000).toISOString(), 1, 1));
  const bars = hourBars(all, { start, end: start + 240 * 3_600_000 }, 100);
  expect(bars.length).toBeLessThanOrEqual(100);
  expect(bars.reduce((sum, { matched }) => sum + matched, 0)).toBe(240);
});
