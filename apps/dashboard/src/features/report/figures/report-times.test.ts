import { expect, test } from 'vitest';
import { timesOf } from './report-times.ts';

const at = { now: new Date('2026-11-29T12:00:00.000Z'), timeZone: 'UTC' };

test('an address with nothing but an end is of the thirty days before it, not of a start behind it', () => {
  expect(timesOf({ end_time: '2026-03-31T00:00:00.000Z' }, at)).toEqual({
    start_time: '2026-03-01T00:00:00.000Z',
    end_time: '2026-03-31T00:00:00.000Z',
    time_zone: 'UTC',
  });
  expect(timesOf({ end_time: '2027-03-31T00:00:00.000Z' }, at).start_time).toBe(timesOf({}, at).start_time);
});
