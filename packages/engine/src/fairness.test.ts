import { describe, expect, it } from 'vitest';
import { createFairness } from './fairness.ts';
import { defaultOptions } from './options.ts';

const [a, b] = ['a', 'b'];

describe('slots of one tenant', () => {
  it('are half of all while somebody else waits, and all but a reserve while nobody does', () => {
    const fairness = createFairness({ ...defaultOptions, concurrency: 64 });
    expect(fairness.slotsOf(a)).toBe(60);
    fairness.note({ first: a, last: a });
    expect([fairness.slotsOf(a), fairness.slotsOf(b)]).toEqual([60, 32]);
    fairness.note({ first: a, last: b });
    expect([fairness.slotsOf(a), fairness.slotsOf(b)]).toEqual([32, 32]);
  });

  it.each([1, 2, 3, 5, 16])('are at least one and at most all of %i', (concurrency) => {
    const fairness = createFairness({ ...defaultOptions, concurrency });
    fairness.note({ first: b, last: b });
    expect(fairness.slotsOf(a)).toBeGreaterThanOrEqual(1);
    expect(fairness.slotsAlone).toBeLessThanOrEqual(concurrency);
    expect(fairness.slotsAlone).toBeGreaterThanOrEqual(fairness.slotsShared);
  });
});
