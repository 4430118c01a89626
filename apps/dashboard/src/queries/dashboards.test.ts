import { expect, test } from 'vitest';
import { spanWindow, windowBefore } from './dashboards.ts';

const now = new Date(2026, 10, 21, 15, 30);

test('a moving period ends now', () => {
  const { start, end } = spanWindow({ period: 'LAST_7_DAYS' }, now);
  expect(end).toEqual(now);
  expect(end.getTime() - start.getTime()).toBe(7 * 86_400_000);
});

test('a custom period holds both its days whole, in the zone of the reader', () => {
  expect(spanWindow({ period: 'CUSTOM', range: { from: '2026-11-03', to: '2026-11-09' } }, now)).toEqual({
    start: new Date(2026, 10, 3),
    end: new Date(2026, 10, 10),
  });
});

test('a custom period that lasts into the future ends now', () => {
  expect(spanWindow({ period: 'CUSTOM', range: { from: '2026-11-21', to: '2026-11-30' } }, now)).toEqual({
    start: new Date(2026, 10, 21),
    end: now,
  });
});

test('the window before is as long and ends where the other starts', () => {
  const window = { start: new Date('2026-11-10T00:00:00Z'), end: new Date('2026-11-13T00:00:00Z') };
  expect(windowBefore(window)).toEqual({ start: new Date('2026-11-07T00:00:00Z'), end: window.start });
});
