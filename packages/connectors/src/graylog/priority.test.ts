import { describe, expect, it } from 'vitest';
import { prioritiesInGraylog, priorityFromGraylog } from './priority.ts';

describe('priorities of Graylog and ours', () => {
  it.each([
    [4, 1],
    [3, 1],
    [2, 2],
    [1, 3],
    [0, 3],
  ])('shows %i as %i, never a low one as high', (theirs, ours) => {
    expect(priorityFromGraylog(theirs)).toBe(ours);
  });

  it('comes back to what it began with', () => {
    for (const ours of [1, 2, 3] as const) {
      expect(
        prioritiesInGraylog(ours)
          .map(priorityFromGraylog)
          .every((one) => one === ours),
      ).toBe(true);
    }
    expect(([1, 2, 3] as const).flatMap(prioritiesInGraylog).toSorted()).toEqual([0, 1, 2, 3, 4]);
  });

  it.each([5, -1, 2.5, Number.NaN, '3', null, undefined, {}])('takes %j for no priority', (value) => {
    expect(priorityFromGraylog(value)).toBeUndefined();
  });
});
