import { describe, expect, it } from 'vitest';
import type { Deliver, FeedOptions } from './feed.ts';
import { createFeed } from './feed.ts';
import { createTimeline } from './timeline.ts';

const start = Date.parse('2026-11-18T09:00:00Z');

/** A feed on a clock that only moves when told to. */
function feedOn(options: Partial<FeedOptions> = {}) {
  let now = start;
  const http: string[] = [];
  const syslog: string[] = [];
  const errors: unknown[] = [];
  const deliver: Deliver = {
    http: async (lines) => void http.push(...lines),
    syslog: async (line) => void syslog.push(line),
  };
  const feed = createFeed({
    seed: 'demo',
    clock: () => new Date(now),
    ratePerSecond: 10,
    deliver,
    onError: (error) => errors.push(error),
    ...options,
  });
  const pass = (ms: number) => {
    now += ms;
    return feed.tick();
  };
  return { feed, pass, http, syslog, errors };
}

describe('the feed', () => {
  it('hands over exactly what the timeline holds, each record through its own door', async () => {
    const { pass, http, syslog, feed } = feedOn();
    for (const ms of [500, 500, 1300, 20, 7680]) await pass(ms);
    const expected = createTimeline({ seed: 'demo', ratePerSecond: 10 }).recordsBetween(start, start + 10_000);
    expect(http).toEqual(expected.filter((record) => record.transport === 'http').map((record) => record.line));
    expect(syslog).toEqual(expected.filter((record) => record.transport === 'syslog').map((record) => record.line));
    expect(feed.stats()).toEqual({ delivered: expected.length, failed: 0 });
  });

  it('does not flood after a pause and repeats nothing when the clock is set back', async () => {
    const { pass, feed } = feedOn();
    await pass(3_600_000);
    expect(feed.stats().delivered).toBeLessThan(30);
    const before = feed.stats();
    await pass(-10_000);
    await pass(9000);
    expect(feed.stats()).toEqual(before);
  });

  it('goes on when a door fails, counts what was lost and uses the other door', async () => {
    let broken = true;
    const lines: string[] = [];
    const { pass, feed, errors } = feedOn({
      deliver: {
        http: async (batch) => {
          if (broken) throw new Error('503');
          lines.push(...batch);
        },
        syslog: async (line) => void lines.push(line),
      },
    });
    await pass(5000);
    const { delivered, failed } = feed.stats();
    expect(failed).toBeGreaterThan(0);
    expect(delivered).toBeGreaterThan(0);
    expect(errors).toHaveLength(1);
    broken = false;
    await pass(5000);
    expect(feed.stats().failed).toBe(failed);
    expect(feed.stats().delivered).toBe(lines.length);
  });

  it('never hands over twice at the same time', async () => {
    let inside = 0;
    let most = 0;
    const { feed, pass } = feedOn({
      deliver: {
        http: async () => {
          inside += 1;
          most = Math.max(most, inside);
          await Promise.resolve();
          inside -= 1;
        },
      },
    });
    await Promise.all([pass(2000), feed.tick(), feed.tick(), pass(2000)]);
    expect(most).toBe(1);
  });

  it('plays a scenario at once, ending now, and says whom to look for', async () => {
    const { feed, syslog } = feedOn({ ratePerSecond: 0 });
    const played = await feed.runScenario('ssh-password-guessing');
    expect(syslog).toHaveLength(played.records);
    const guesses = syslog.filter(
      (line) => line.includes(`Failed password`) && line.includes(` from ${played.attacker} `),
    );
    expect(guesses.length).toBeGreaterThanOrEqual(10);
    expect(syslog.every((line) => line.startsWith('<86>Nov 18 08:59:') || line.startsWith('<86>Nov 18 09:00:00'))).toBe(
      true,
    );
    const again = await feed.runScenario('ssh-password-guessing');
    expect(syslog.slice(played.records)).not.toEqual(syslog.slice(0, again.records));
  });

  it('tells whoever asked for a scenario when it could not be handed over', async () => {
    const { feed } = feedOn({ deliver: { syslog: () => Promise.reject(new Error('refused')) } });
    await expect(feed.runScenario('ssh-password-guessing')).rejects.toThrow('refused');
    await expect(feed.runScenario('absent')).rejects.toMatchObject({ code: 'SCENARIO_UNKNOWN' });
  });

  it('starts and stops without leaving a timer', async () => {
    const { feed } = feedOn();
    feed.start();
    feed.start();
    await feed.stop();
    await feed.stop();
    expect(feed.stats().delivered).toBe(0);
  });
});
