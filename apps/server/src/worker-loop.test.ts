import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorkerLoop, doubledPauseMs, untilDueMs, type WorkerLoop } from './worker-loop.ts';

let rounds: number;
let left: number;
let atRound: (n: number) => void | Promise<void>;
let warnings: string[];
let loop: WorkerLoop;

beforeEach(() => {
  vi.useFakeTimers();
  [rounds, left, warnings] = [0, 0, []];
  atRound = () => undefined;
  loop = createWorkerLoop({
    round: async () => {
      rounds++;
      await atRound(rounds);
      return left-- > 0;
    },
    restMs: () => 5_000,
    afterFailureMs: 1_000,
    log: { warn: (_fields, message) => warnings.push(message) },
    failed: 'mails wait',
  });
});
afterEach(async () => {
  await loop.stop();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a worker loop', () => {
  it('works until nothing is left, and again after its rest', async () => {
    left = 3;
    loop.start();
    await pass(0);
    expect(rounds).toBe(4);
    await pass(4_999);
    expect(rounds).toBe(4);
    await pass(1);
    expect(rounds).toBe(5);
  });

  it('does nothing before it is started, however often it is woken', async () => {
    loop.wake();
    await pass(10_000);
    expect(rounds).toBe(0);
    loop.start();
    await pass(0);
    expect(rounds).toBe(1);
  });

  it('does not overlook what is announced during a run, at its last moment, or while it finds out how long to rest', async () => {
    let answer: ((ms: number) => void) | undefined;
    const asked = createWorkerLoop({
      round: async () => ++rounds < 0,
      restMs: () => new Promise<number>((resolve) => (answer = resolve)),
      ...{ afterFailureMs: 1_000, log: { warn: () => undefined }, failed: '' },
    });
    asked.start();
    await pass(0);
    expect(rounds).toBe(1);
    asked.wake();
    answer?.(60_000);
    await pass(0);
    expect(rounds).toBe(2);
    answer?.(60_000);
    await asked.stop();

    rounds = 0;
    atRound = (n) => {
      if (n === 1) loop.wake();
    };
    loop.start();
    await pass(0);
    expect(rounds).toBe(2);
  });

  it('runs once however many wake it at a time', async () => {
    let release: (() => void) | undefined;
    atRound = (n) => (n === 1 ? new Promise((resolve) => (release = resolve)) : undefined);
    loop.start();
    for (let n = 0; n < 100; n++) loop.wake();
    expect(rounds).toBe(1);
    release?.();
    await pass(0);
    expect(rounds).toBe(2);
  });

  it('says that it failed, and tries again after a moment instead of at once or never', async () => {
    atRound = (n) => {
      if (n === 1) throw new Error('no store');
    };
    loop.start();
    await pass(999);
    expect([rounds, warnings]).toEqual([1, ['mails wait']]);
    await pass(1);
    expect(rounds).toBe(2);
  });

  it('takes no further portion when it stops, and waits for the one under way, but no longer than told', async () => {
    let release: (() => void) | undefined;
    left = 10;
    atRound = () => new Promise((resolve) => (release = resolve));
    loop.start();
    let stopped = 0;
    void loop.stop(3_000).then(() => stopped++);
    void loop.stop().then(() => stopped++);
    await pass(2_999);
    expect(stopped).toBe(0);
    await pass(1);
    expect(stopped).toBe(1);
    release?.();
    await pass(0);
    expect([stopped, rounds]).toEqual([2, 1]);
    loop.wake();
    await pass(60_000);
    expect(rounds).toBe(1);
  });
});

it('the pause after failed attempts doubles up to the longest, however many there were', () => {
  const pauses = { firstMs: 1_000, longestMs: 3_600_000 };
  const after = [0, 1, 2, 3, 12, 13, 5_000].map((attempts) => doubledPauseMs(attempts, pauses));
  expect(after).toEqual([1_000, 1_000, 2_000, 4_000, 2_048_000, 3_600_000, 3_600_000]);
});

it('the rest until something is due is a millisecond at least and ends when it has to be looked anyway', () => {
  const now = new Date('2026-11-21T12:00:00.000Z');
  const rest = (ms: number | undefined) =>
    untilDueMs(ms === undefined ? undefined : new Date(now.getTime() + ms), { now, atMostMs: 5_000 });
  expect([undefined, -60_000, 0, 999, 60_000].map(rest)).toEqual([5_000, 1, 1, 1_000, 5_000]);
});
