import { describe, expect, test } from 'vitest';
import { barAt, barsOf, moved } from './brush.ts';
import { histogramBars, perBar, windowOfBars } from './histogram-bars.ts';

const MINUTE = 60_000;
const answer = {
  bucket_ms: 5 * MINUTE,
  // Neither end is at the edge of a bucket.
  time_range: {
    start: '2026-11-21T10:02:00.000Z',
    end: '2026-11-21T10:21:00.000Z',
    clipped: false,
    search_length_days: 30,
  },
  histogram: [
    { t: '2026-11-21T10:00:00.000Z', count: 3 },
    { t: '2026-11-21T10:15:00.000Z', count: 9 },
  ],
};
const searched = { start: new Date(answer.time_range.start), end: new Date(answer.time_range.end) };

describe('bars', () => {
  test('are there for the whole range, also where nothing happened', () => {
    expect(histogramBars(answer).map(({ count }) => count)).toEqual([3, 0, 0, 9, 0]);
  });

  test('no width, no bars: nothing is divided by it', () => {
    expect(histogramBars({ ...answer, bucket_ms: 0 })).toEqual([]);
  });

  test('a search for 100 years in seconds does not fill the memory', () => {
    const range = { ...answer.time_range, start: '1926-01-01T00:00:00.000Z' };
    expect(histogramBars({ ...answer, bucket_ms: 1000, time_range: range }).length).toBeLessThanOrEqual(240);
  });

  test('the first and the last never reach beyond what was searched', () => {
    const bars = histogramBars(answer);
    const whole = windowOfBars(bars, { from: 0, to: 4 }, answer.bucket_ms, searched);
    expect(whole).toEqual(searched);
    const middle = windowOfBars(bars, { from: 1, to: 2 }, answer.bucket_ms, searched);
    expect([middle.start.toISOString(), middle.end.toISOString()]).toEqual([
      '2026-11-21T10:05:00.000Z',
      '2026-11-21T10:15:00.000Z',
    ]);
  });

  test('say what each of them counts', () => {
    expect([5 * MINUTE, 30_000, 3 * 3_600_000, 86_400_000, 7 * 86_400_000].map(perBar)).toEqual([
      'bars of 5 min',
      'bars of 30 s',
      'bars of 3 h',
      'bars of a day',
      'bars of 7 days',
    ]);
  });
});

describe('the brush', () => {
  const at = (anchor: number, to: number) => ({ anchor, at: to });

  test('moves with the arrows, grows with shift, and stays inside', () => {
    expect(moved(at(4, 4), 'ArrowLeft', { shift: false, bars: 5 })).toEqual(at(3, 3));
    expect(moved(at(4, 4), 'ArrowLeft', { shift: true, bars: 5 })).toEqual(at(4, 3));
    expect(moved(at(4, 4), 'ArrowRight', { shift: false, bars: 5 })).toEqual(at(4, 4));
    expect(moved(at(2, 2), 'Home', { shift: true, bars: 5 })).toEqual(at(2, 0));
    expect(moved(at(0, 0), 'a', { shift: false, bars: 5 })).toBeUndefined();
    expect(moved(at(0, 0), 'End', { shift: false, bars: 0 })).toBeUndefined();
  });

  test('drawn to the left is the same stretch', () => {
    expect(barsOf(at(7, 2))).toEqual({ from: 2, to: 7 });
  });

  test('outside of the chart it holds the bar at the edge', () => {
    expect([-20, 0, 199, 200, 900].map((x) => barAt(x, 200, 10))).toEqual([0, 0, 9, 9, 9]);
    expect(barAt(5, 0, 10)).toBe(0);
  });
});
