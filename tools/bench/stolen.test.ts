import { platform } from 'node:os';
import { describe, expect, it } from 'vitest';
import { countStolen } from './stolen.mjs';

describe('processor time the host gave to others', () => {
  it('is a share of all that passed since', () => {
    const stats = [
      { stolen: 100, all: 1_000 },
      { stolen: 125, all: 1_200 },
    ];
    expect(countStolen(() => stats.shift())()).toBe(12.5);
  });

  it('is not known without the figures of the system, and not before any time passed', () => {
    expect(countStolen(() => undefined)()).toBeUndefined();
    expect(countStolen(() => ({ stolen: 1, all: 5 }))()).toBeUndefined();
  });

  it.runIf(platform() === 'linux')('is read where Linux tells it', async () => {
    const stolen = countStolen();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(stolen()).toBeGreaterThanOrEqual(0);
    expect(stolen()).toBeLessThanOrEqual(100);
  });
});
