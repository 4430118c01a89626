import { describe, expect, it } from 'vitest';
import { createTokenBuckets } from './token-buckets.ts';

const SECOND_MS = 1_000;

function setUp({ namesMax = 100 } = {}) {
  let now = 0;
  const buckets = createTokenBuckets({ pace: { perSecond: 2, burst: 10 }, namesMax, nowMs: () => now });
  return {
    buckets,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    takeAll: (name: string) => {
      let taken = 0;
      for (; buckets.hasSome(name); taken++) buckets.take(name, 1);
      return taken;
    },
  };
}

describe('a bucket', () => {
  it('gives its burst at once, and then its pace', () => {
    const { takeAll, pass } = setUp();
    expect(takeAll('a')).toBe(10);
    pass(499);
    expect(takeAll('a')).toBe(0);
    pass(1);
    expect(takeAll('a')).toBe(1);
    pass(3 * SECOND_MS);
    expect(takeAll('a')).toBe(6);
  });

  it('is never fuller than its burst', () => {
    const { takeAll, pass } = setUp();
    takeAll('a');
    pass(3_600 * SECOND_MS);
    expect(takeAll('a')).toBe(10);
  });

  it('is of its name alone', () => {
    const { takeAll } = setUp();
    takeAll('a');
    expect(takeAll('b')).toBe(10);
  });

  it('keeps what it lacks while generations change', () => {
    const { buckets, takeAll, pass } = setUp();
    takeAll('a');
    // A generation lasts ten seconds, and is told over by whoever asks.
    for (let second = 1; second <= 60; second++) {
      pass(SECOND_MS);
      buckets.hasSome('b');
      if (second % 2 === 0) expect(takeAll('a')).toBe(4);
    }
  });
});

describe('a large take', () => {
  it('needs one token and owes the rest, so that small takers cannot keep it out for ever', () => {
    const { buckets, takeAll, pass } = setUp();
    takeAll('a');
    pass(SECOND_MS / 2);
    expect(buckets.hasSome('a')).toBe(true);
    buckets.take('a', 10);
    pass(4 * SECOND_MS);
    expect(buckets.hasSome('a')).toBe(false);
    pass(SECOND_MS);
    expect(takeAll('a')).toBe(1);
  });
});

describe('memory', () => {
  it('forgets who has not asked for as long as a bucket takes to fill', () => {
    const { buckets, takeAll, pass } = setUp();
    for (let n = 0; n < 50; n++) takeAll(`gone ${n}`);
    expect(buckets.size()).toBe(50);
    pass(10 * SECOND_MS);
    takeAll('a');
    pass(10 * SECOND_MS);
    takeAll('a');
    expect(buckets.size()).toBe(1);
    expect(takeAll('gone 1')).toBe(10);
  });

  it('stays bounded when more names come than it may remember', () => {
    const { buckets } = setUp({ namesMax: 100 });
    for (let n = 0; n < 10_000; n++) buckets.take(`address ${n}`, 1);
    expect(buckets.size()).toBeLessThanOrEqual(200);
  });
});
