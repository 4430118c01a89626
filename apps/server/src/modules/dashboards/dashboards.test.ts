import { describe, expect, it } from 'vitest';
import { dashboardWindow } from './dashboard-window.ts';

const HOUR_MS = 3_600_000;
const now = new Date('2026-11-21T12:00:00.000Z');

describe('the period of the home page', () => {
  it.each<[{ start_time?: string; end_time?: string }, string, string, number, number]>([
    [{}, '2026-11-14T12:00:00.000Z', '2026-11-21T12:00:00.000Z', 28, 6],
    [{ start_time: '2026-11-20T12:00:00Z' }, '2026-11-20T12:00:00.000Z', '2026-11-21T12:00:00.000Z', 24, 1],
    [{ end_time: '2026-11-01T00:00:00Z' }, '2026-10-25T00:00:00.000Z', '2026-11-01T00:00:00.000Z', 28, 6],
    [{ start_time: '2026-10-21T12:00:00Z' }, '2026-10-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z', 31, 24],
    [
      { start_time: '1926-11-21T12:00:00Z' },
      '1926-11-21T12:00:00.000Z',
      '2026-11-21T12:00:00.000Z',
      200,
      (36_525 * 24) / 200,
    ],
    [{ start_time: '2027-01-01T00:00:00Z' }, '2026-11-21T11:59:59.999Z', '2026-11-21T12:00:00.000Z', 1, 1],
    // What is over of the last day, or hour, has a bucket of its own; the others stay whole.
    [{ start_time: '2026-11-01T00:00:00Z' }, '2026-11-01T00:00:00.000Z', '2026-11-21T12:00:00.000Z', 21, 24],
    [{ start_time: '2026-11-20T00:00:01Z' }, '2026-11-20T00:00:01.000Z', '2026-11-21T12:00:00.000Z', 36, 1],
  ])('%j', (query, start, end, buckets, hours) => {
    const bucketMs = hours * HOUR_MS;
    expect(dashboardWindow(query, now)).toEqual({ start: new Date(start), end: new Date(end), buckets, bucketMs });
  });
});
