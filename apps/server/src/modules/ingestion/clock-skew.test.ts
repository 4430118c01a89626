import { describe, expect, it } from 'vitest';
import { clockSkewOf } from './clock-skew.ts';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (...offsets: number[]) => offsets.map((offset) => ({ time: NOW + offset, time_source: 'event' as const }));

describe('the clock of a sender', () => {
  it('is not suspected for what a queue holds back, nor for a few minutes', () => {
    expect(clockSkewOf(at(0, 5 * MINUTE, -24 * HOUR), NOW)).toBeUndefined();
    expect(clockSkewOf([{ time: NOW, time_source: 'received' }], NOW)).toBeUndefined();
    expect(clockSkewOf([], NOW)).toBeUndefined();
  });

  it('is ahead or behind by the median, so that one odd line does not set it', () => {
    const events = at(2 * HOUR, 2 * HOUR, 2 * HOUR, 2 * HOUR, 20 * HOUR, -400 * 24 * HOUR, 1);
    expect(clockSkewOf(events, NOW)).toEqual({
      ahead: 5,
      aheadMs: 5 * 2 * HOUR,
      behind: 1,
      behindMs: -400 * 24 * HOUR,
      unbelievable: 0,
    });
  });

  it('is suspected, too, where the time was so wrong that the time of receipt took its place', () => {
    expect(clockSkewOf([{ time: NOW, time_source: 'unbelievable' }], NOW)).toMatchObject({ ahead: 0, unbelievable: 1 });
  });
});
