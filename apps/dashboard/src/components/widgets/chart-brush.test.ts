import { expect, test } from 'vitest';
import { daysOf } from './chart-brush.tsx';

const HOUR_MS = 3_600_000;

/** Two days of six hours each bucket, from midnight in UTC. */
const history = Array.from({ length: 8 }, (_, index) => ({
  t: new Date(Date.parse('2026-03-03T00:00:00.000Z') + index * 6 * HOUR_MS).toISOString(),
  ...{ high: 0, medium: 0, low: 0 },
}));

test.each([
  ['inside one day', { begun: 0, at: 3 }, 'UTC', { from: '2026-03-03', to: '2026-03-03' }],
  ['over midnight', { begun: 2, at: 4 }, 'UTC', { from: '2026-03-03', to: '2026-03-04' }],
  ['from right to left', { begun: 4, at: 2 }, 'UTC', { from: '2026-03-03', to: '2026-03-04' }],
  [
    'in a zone where the first bucket began the day before',
    { begun: 0, at: 1 },
    'America/New_York',
    { from: '2026-03-02', to: '2026-03-03' },
  ],
])('marked buckets become their whole days: %s', (_, marked, zone, days) => {
  expect(daysOf(history, marked, zone)).toEqual(days);
});

test('nothing can be marked in no history', () => {
  expect(daysOf([], { begun: 0, at: 1 }, 'UTC')).toBeUndefined();
});
