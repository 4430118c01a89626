import { describe, expect, it } from 'vitest';
import { isWithin, metricLine, metricOf } from './metrics.mjs';

describe('figures of a bench', () => {
  it('are the median of the runs with the whole range as spread', () => {
    expect(metricOf([5, 1, 3], 's')).toEqual({ value: 3, unit: 's', spread: 4 });
    expect(metricOf([1, 2, 3, 10], 'ms')).toEqual({ value: 2.5, unit: 'ms', spread: 9 });
  });

  it('are judged as they were measured, and shown so that the verdict can be understood', () => {
    const figure = metricOf([150.4], 'kB');
    expect(isWithin(figure, { atMost: 150 })).toBe(false);
    expect(metricLine('login_js_gzip', figure, { atMost: 150 })).toMatch(/150\.4 kB .*≤ 150 +OVER THE LIMIT/);
    expect(metricLine('events', metricOf([1234.56], 'events'), undefined)).toContain('1234.6 events');
  });

  it('are judged by an upper or a lower limit, or not at all', () => {
    const figure = { value: 10 };
    expect(isWithin(figure, { atMost: 10 })).toBe(true);
    expect(isWithin(figure, { atMost: 9.9 })).toBe(false);
    expect(isWithin(figure, { atLeast: 10 })).toBe(true);
    expect(isWithin(figure, { atLeast: 10.1 })).toBe(false);
    expect(isWithin(figure, undefined)).toBeUndefined();
  });
});
