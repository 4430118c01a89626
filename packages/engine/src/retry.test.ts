import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './retry.ts';

describe('back-off', () => {
  it('doubles from its base up to the cap', () => {
    const waits = [1, 2, 3, 4, 5].map((failures) =>
      backoffMs({ failures, baseMs: 100, capMs: 900, random: () => 0.999_999 }),
    );
    expect(waits).toEqual([100, 200, 400, 800, 900]);
  });

  it('takes off at most half at random and never leaves its bounds', () => {
    fc.assert(
      fc.property(fc.nat(1e9), fc.double({ min: 0, max: 0.999, noNaN: true }), (failures, chance) => {
        const wait = backoffMs({ failures, baseMs: 100, capMs: 5_000, random: () => chance });
        return wait >= 50 && wait <= 5_000;
      }),
    );
    expect(backoffMs({ failures: 1, baseMs: 100, capMs: 900, random: () => 0 })).toBe(50);
  });
});
