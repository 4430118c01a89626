import { expect, test } from 'vitest';
import { dayIn, startOfDay, timeOnDay } from './zoned-day.ts';

const day = (text: string) => {
  const [year = 0, month = 0, date = 0] = text.split('-').map(Number);
  return { year, month, day: date };
};

test.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'America/New_York', '2026-11-21T05:00:00.000Z'],
  ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
  ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
  // The day clocks change: it begins before they do.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  // Clocks put forward over midnight: the day begins at one o'clock.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
  ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00:00.000Z'],
  // Put back at midnight to 23 o'clock, and at one o'clock to midnight.
  ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
])('%s begins in %s at %s', (text, zone, begin) => {
  expect(startOfDay(day(text), zone).toISOString()).toBe(begin);
});

test('days run on over months, backwards too', () => {
  expect(startOfDay({ year: 2026, month: 11, day: 0 }, 'UTC').toISOString()).toBe('2026-10-31T00:00:00.000Z');
  expect(startOfDay({ year: 2026, month: 1, day: -5 }, 'UTC').toISOString()).toBe('2025-12-26T00:00:00.000Z');
});

test('the day is that of the zone', () => {
  const late = new Date('2026-11-21T23:30:00.000Z');
  expect(dayIn(late, 'UTC')).toEqual(day('2026-11-21'));
  expect(dayIn(late, 'Europe/Berlin')).toEqual(day('2026-11-22'));
  expect(dayIn(late, undefined)).toEqual({
    year: late.getFullYear(),
    month: late.getMonth() + 1,
    day: late.getDate(),
  });
});

test.each([
  ['2026-11-21', 9 * 60 + 30, 'Europe/Berlin', '2026-11-21T08:30:00.000Z'],
  // Clocks go from 2:00 to 3:00: half past two is never shown.
  ['2026-03-29', 2 * 60 + 30, 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  // And from 3:00 back to 2:00: half past two is shown twice.
  ['2026-10-25', 2 * 60 + 30, 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  // A day that changes its offset after it began.
  ['2026-03-29', 12 * 60, 'Europe/Berlin', '2026-03-29T10:00:00.000Z'],
])('%s, %i minutes after midnight in %s', (text, minutes, zone, time) => {
  expect(timeOnDay(day(text), minutes, zone).toISOString()).toBe(time);
});
