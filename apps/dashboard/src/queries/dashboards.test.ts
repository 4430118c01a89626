import { expect, test } from 'vitest';
import type { TenantApi } from '../lib/tenant-api.ts';
import { dashboardQueries, spanWindow, windowBefore } from './dashboards.ts';

const now = new Date(2026, 10, 21, 15, 30);

test('a moving period ends now', () => {
  const { start, end } = spanWindow({ span: { period: 'LAST_7_DAYS' }, timeZone: undefined }, now);
  expect(end).toEqual(now);
  expect(end.getTime() - start.getTime()).toBe(7 * 86_400_000);
});

const days = (from: string, to: string) => ({ period: 'CUSTOM', range: { from, to } }) as const;

test.each([
  [undefined, new Date(2026, 10, 3), new Date(2026, 10, 10)],
  ['America/Sao_Paulo', new Date('2026-11-03T03:00:00Z'), new Date('2026-11-10T03:00:00Z')],
  ['Asia/Tokyo', new Date('2026-11-02T15:00:00Z'), new Date('2026-11-09T15:00:00Z')],
])('a custom period holds both its days whole, in the zone of the profile: %s', (timeZone, start, end) => {
  expect(spanWindow({ span: days('2026-11-03', '2026-11-09'), timeZone }, now)).toEqual({ start, end });
});

test('figures of the same days in another zone are another answer', () => {
  const tenant = { api: {}, tenantId: 't1' } as TenantApi;
  const keyIn = (timeZone: string) =>
    dashboardQueries.get(tenant, { span: days('2026-11-03', '2026-11-09'), timeZone }).queryKey;
  expect(keyIn('Asia/Tokyo')).not.toEqual(keyIn('UTC'));
});

test('a custom period that lasts into the future ends now', () => {
  expect(spanWindow({ span: days('2026-11-21', '2026-11-30'), timeZone: undefined }, now)).toEqual({
    start: new Date(2026, 10, 21),
    end: now,
  });
});

test('days that have not begun where the reader is stay whole', () => {
  const still = new Date('2026-11-21T20:00:00Z');
  const read = { span: days('2026-11-22', '2026-11-22'), timeZone: 'America/Sao_Paulo' };
  expect(spanWindow(read, still)).toEqual({
    start: new Date('2026-11-22T03:00:00Z'),
    end: new Date('2026-11-23T03:00:00Z'),
  });
});

test('the window before is as long and ends where the other starts', () => {
  const window = { start: new Date('2026-11-10T00:00:00Z'), end: new Date('2026-11-13T00:00:00Z') };
  expect(windowBefore(window)).toEqual({ start: new Date('2026-11-07T00:00:00Z'), end: window.start });
});
