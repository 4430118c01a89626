import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { inSlices } from './loop-share.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Long work of three slices. */
async function work(name: string, resumed: string[]): Promise<void> {
  const slices = inSlices();
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

  it('shares the slice of a turn with what begins after it in the same turn, and has a new one in the next', async () => {
    // The test's own clock: on a busy machine a slice is over before the line after it runs.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
    // The slice of the test before may not be forgotten yet.
    await setImmediate();
    const first = inSlices();
    expect(first.isOver).toBe(false);
    clock.mockReturnValue(1_100);
    expect(first.isOver).toBe(true);
    expect(inSlices().isOver).toBe(true);
    await setImmediate();
    expect(inSlices().isOver).toBe(false);
  });
});
