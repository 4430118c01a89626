import { describe, expect, it } from 'vitest';
import { createWorkLimit } from './work-limit.ts';

describe('work limit', () => {
  it('never runs more than allowed, keeps the order and refuses what does not fit the line', async () => {
    const limited = createWorkLimit({ parallel: 2, waiting: 3 });
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const work = (n: number) =>
      limited(
        () =>
          new Promise<number>((resolve) => {
            started.push(n);
            finish.push(() => resolve(n));
          }),
      );
    const all = [1, 2, 3, 4, 5].map(work);
    await expect(work(6)).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(started).toEqual([1, 2]);
    finish[0]?.();
    await all[0];
    await expect.poll(() => started).toEqual([1, 2, 3]);
    for (let n = 1; n < 5; n++) {
      await expect.poll(() => finish.length).toBeGreaterThan(n);
      finish[n]?.();
    }
    expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  });

  it('gives the place back when work fails', async () => {
    const limited = createWorkLimit({ parallel: 1, waiting: 0 });
    await expect(limited(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await limited(async () => 'next')).toBe('next');
  });
});
