import { expect, test } from 'vitest';
import { anyReader } from '../../ui/reader.ts';
import { bucketLength, bucketText, dayMarks, perBucket } from './alert-buckets.ts';

const HOUR = 3_600_000;

function history(count: number, stepMs: number) {
  const start = new Date(2026, 10, 14, 1, 5).getTime();
  return Array.from({ length: count }, (_, index) => ({
    t: new Date(start + index * stepMs).toISOString(),
    high: 0,
    medium: 0,
    low: 0,
  }));
}

test.each([
  [HOUR, 'per hour'],
  [6 * HOUR, 'per 6 h'],
  [24 * HOUR, 'per day'],
  // A day of 23 hours, when clocks go forward.
  [23 * HOUR, 'per day'],
  [60 * HOUR, 'per 2.5 days'],
  [5 * 60_000, 'per 5 min'],
  [0, ''],
])('bars of %d ms count alerts %j', (length, text) => {
  expect(perBucket(length)).toBe(text);
});

test('the length of a bucket is the step between two', () => {
  expect(bucketLength(history(28, 6 * HOUR))).toBe(6 * HOUR);
  expect(bucketLength(history(1, HOUR))).toBe(0);
});

test('a day of 25 hours is that long itself, and no other is', () => {
  const begins = ['2026-10-31T04:00Z', '2026-11-01T04:00Z', '2026-11-02T05:00Z', '2026-11-03T05:00Z'];
  const days = begins.map((t) => ({ t, high: 0, medium: 0, low: 0 }));
  expect(days.map((_, at) => bucketLength(days, at) / HOUR)).toEqual([24, 25, 24, 24]);
});

test('the axis is marked once a day, thinned evenly', () => {
  const week = history(28, 6 * HOUR);
  expect(dayMarks(week, 10, anyReader)).toEqual([0, 4, 8, 12, 16, 20, 24].map((index) => week[index]?.t));
  expect(dayMarks(week, 4, anyReader)).toEqual([0, 8, 16, 24].map((index) => week[index]?.t));
  expect(dayMarks([], 4, anyReader)).toEqual([]);
});

test('a bucket says when it begins and ends', () => {
  const [first] = history(2, 6 * HOUR);
  // The spaces around the dash and before AM are not those of a keyboard.
  expect(bucketText(first?.t ?? '', 6 * HOUR, anyReader).replaceAll(/\s/g, ' ')).toBe('Nov 14, 1:05 – 7:05 AM');
});
