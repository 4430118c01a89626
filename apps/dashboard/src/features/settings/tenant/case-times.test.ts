import { describe, expect, it } from 'vitest';
import { minutesOf, targetsOf, timeProblems, timesOf, timeText } from './case-times.ts';

describe('a time that was typed', () => {
  it.each([
    ['15', 15],
    ['15 min', 15],
    ['4h', 240],
    ['1.5 h', 90],
    ['1,5 H', 90],
    ['2 d', 2880],
    ['', null],
    ['  ', null],
    ['soon', undefined],
    ['-5', undefined],
    ['0', undefined],
    ['91 d', undefined],
    ['1e3', undefined],
  ])('%j is %s minutes', (text, minutes) => {
    expect(minutesOf(text)).toBe(minutes);
  });

  it('is shown as it would be said', () => {
    expect([15, 90, 240, 4320, null].map(timeText)).toEqual(['15 min', '90 min', '4 h', '3 d', '']);
  });
});

const one = { respond_minutes: 15, resolve_minutes: 240 };
const targets = { low: { respond_minutes: null, resolve_minutes: null }, medium: one, high: one, critical: one };

describe('times of all severities', () => {
  it('come back as they went', () => {
    expect(targetsOf(timesOf({ targets }))).toEqual(targets);
    expect(timeProblems(timesOf({ targets }))).toEqual({});
  });

  it('name the field that is wrong', () => {
    const times = {
      ...timesOf({ targets }),
      low: { respond: '2 h', resolve: '1 h' },
      high: { respond: 'x', resolve: '' },
    };
    expect(Object.keys(timeProblems(times))).toEqual(['low/resolve', 'high/respond']);
  });
});
