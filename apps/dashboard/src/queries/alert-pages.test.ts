import { expect, test } from 'vitest';
import { nextPlace } from './alert-pages.ts';
import { type GraylogAlert, readAlerts } from './graylog-answers.ts';

function page(times: readonly string[], total: number) {
  const events = times.map((timestamp, index) => ({ id: `${timestamp} ${index}`, timestamp }));
  return readAlerts({ alerts: { events, total_events: total } }) satisfies { alerts: readonly GraylogAlert[] };
}

const NOON = '2026-11-20T12:00:00.000Z';
const LATER = '2026-11-20T13:00:00.000Z';
const first = { until: undefined, limit: 2 };

test('the next page begins at the oldest alert, as others may have the same time', () => {
  expect(nextPlace(page([LATER, NOON], 9), first)).toEqual({ until: NOON, limit: 2 });
});

test('a page that is not full, or holds all there are, is the last', () => {
  expect(nextPlace(page([LATER], 9), first)).toBeUndefined();
  expect(nextPlace(page([LATER, NOON], 2), first)).toBeUndefined();
});

test('a page of one moment is asked for more of it instead of the same again for ever', () => {
  const stuck = { until: NOON, limit: 2 };
  expect(nextPlace(page([NOON, NOON], 9), stuck)).toEqual({ until: NOON, limit: 10 });
  const most = Array.from({ length: 5000 }, () => NOON);
  expect(nextPlace(page(most, 9000), { until: NOON, limit: 5000 })).toBeUndefined();
});
