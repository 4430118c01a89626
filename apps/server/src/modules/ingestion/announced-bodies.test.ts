import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnnouncedBodies } from './announced-bodies.ts';
import { createByteBudget } from './byte-budget.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('announced bodies', () => {
  const budget = () => createByteBudget(1_000);

  it('keep their place against others of the same tenant, and against nobody else', () => {
    const bodies = createAnnouncedBodies({ roomOf: budget });
    expect(bodies.announce('a', 600)).toBeDefined();
    expect(bodies.announce('a', 600)).toBeUndefined();
    expect(bodies.announce('a', 400)).toBeDefined();
    expect(bodies.announce('b', 1_000)).toBeDefined();
  });

  it('give up their place as they arrive, and when they end', () => {
    const held = budget();
    const bodies = createAnnouncedBodies({ roomOf: () => held });
    const first = bodies.announce('a', 600);
    first?.arrived(500);
    held.hold(500);
    expect(bodies.announce('a', 500)).toBeUndefined();
    const second = bodies.announce('a', 400);
    // More than was announced is the limits' to refuse.
    first?.arrived(500);
    second?.end();
    expect(bodies.announce('a', 501)).toBeUndefined();
    expect(bodies.announce('a', 500)).toBeDefined();
  });

  it('lose their place when they take too long, once', () => {
    const bodies = createAnnouncedBodies({ roomOf: budget, keptMs: 50 });
    const slow = bodies.announce('a', 900);
    vi.advanceTimersByTime(49);
    expect(bodies.announce('a', 200)).toBeUndefined();
    vi.advanceTimersByTime(1);
    const next = bodies.announce('a', 900);
    slow?.arrived(900);
    slow?.end();
    expect(bodies.announce('a', 200)).toBeUndefined();
    next?.end();
    expect(bodies.announce('a', 1_000)).toBeDefined();
  });
});
