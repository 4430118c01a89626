import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inSlices } from './loop-share.ts';

/** Long work of three slices, each of which is over at once. */
async function work(name: string, resumed: string[]): Promise<void> {
  const slices = inSlices(0);
  for (let slice = 1; slice <= 3; slice++) {
    await slices.next();
    resumed.push(`${name}${slice}`);
  }
}

describe('long work', () => {
  it('goes on in one place per turn of the event loop, however much of it there is', async () => {
    const resumed: string[] = [];
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => work(name, resumed)));
    const perTurn: number[] = [];
    for (let seen = 0; resumed.length < 12; seen = resumed.length) {
      await setImmediate();
      perTurn.push(resumed.length - seen);
    }
    await all;
    expect(Math.max(...perTurn)).toBe(1);
  });

  it('takes turns', async () => {
    const resumed: string[] = [];
    await Promise.all(['a', 'b'].map((name) => work(name, resumed)));
    expect(resumed).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
  });

  it('ends its slice by the clock', () => {
    expect(inSlices(60_000).isOver).toBe(false);
    expect(inSlices(0).isOver).toBe(true);
  });
});
