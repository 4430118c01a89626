import { expect, test } from 'vitest';
import { historyOf } from './alert-history-buckets.ts';

const DAY_MS = 86_400_000;
const end = new Date('2026-11-22T12:30:00.000Z');
const at = (timestamp: string, priority: 1 | 2 | 3 | null = 1) => ({ timestamp, priority });

test.each([
  [1, 1],
  [7, 6],
  [30, 24],
  [60, 48],
  [90, 72],
  [180, 120],
])('%d days are drawn in buckets of %d hours, and none of them is missing', (days, hours) => {
  const history = historyOf({ alerts: [], start: new Date(end.getTime() - days * DAY_MS), end, timeZone: 'UTC' });
  const [first, second] = history.map(({ t }) => Date.parse(t));
  expect(((second ?? 0) - (first ?? 0)) / 3_600_000).toBe(hours);
  expect(first).toBeLessThanOrEqual(end.getTime() - days * DAY_MS);
  expect((first ?? 0) + history.length * hours * 3_600_000).toBeGreaterThanOrEqual(end.getTime());
  expect(history.length).toBeLessThanOrEqual(41);
});

test('every alert counts once, by its priority; one without time or priority nowhere', () => {
  const history = historyOf({
    alerts: [
      at('2026-11-22T12:29:59.999Z', 1),
      at('2026-11-22T12:00:00.000Z', 2),
      at('2026-11-21T12:30:00.000Z', 3),
      at('2026-11-22T12:00:00.000Z', null),
      { timestamp: null, priority: 1 },
    ],
    start: new Date(end.getTime() - DAY_MS),
    end,
    timeZone: 'UTC',
  });
  expect(history.at(-1)).toMatchObject({ high: 1, medium: 1, low: 0 });
  expect(history[0]).toMatchObject({ high: 0, medium: 0, low: 1 });
  expect(history.reduce((sum, { high, medium, low }) => sum + high + medium + low, 0)).toBe(3);
});

test.each([30, 90])(
  'of %d days every bucket begins with a day of the reader, also after clocks were set back',
  (days) => {
    const [until, timeZone] = [new Date('2026-11-20T17:00:00.000Z'), 'America/New_York'];
    const alerts = [at('2026-11-10T04:59:59.999Z', 1), at('2026-11-10T05:00:00.000Z', 3)];
    const start = new Date(until.getTime() - days * DAY_MS);
    const history = historyOf({ alerts, start, end: until, timeZone });
    const clock = new Intl.DateTimeFormat('en-US', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
      hourCycle: 'h23',
    });
    for (const { t } of history) expect(clock.format(new Date(t))).toMatch(/, 00:00$/);
    expect(new Set(history.map(({ t }) => t)).size).toBe(history.length);
    if (days > 30) return;
    expect(history).toHaveLength(31);
    const near = history.filter(({ t }) => t.startsWith('2026-11-09') || t.startsWith('2026-11-10'));
    expect(near).toEqual([
      { t: '2026-11-09T05:00:00.000Z', high: 1, medium: 0, low: 0 },
      { t: '2026-11-10T05:00:00.000Z', high: 0, medium: 0, low: 1 },
    ]);
  },
);

test('days are those of the reader', () => {
  const start = new Date(end.getTime() - 30 * DAY_MS);
  const [first] = historyOf({ alerts: [], start, end, timeZone: 'Asia/Tokyo' });
  expect(first?.t).toBe('2026-10-22T15:00:00.000Z');
});
