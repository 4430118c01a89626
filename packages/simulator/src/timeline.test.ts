import { describe, expect, it } from 'vitest';
import { rhythmAt } from './daily-rhythm.ts';
import { historyBetween } from './history.ts';
import type { RawRecord } from './raw-record.ts';
import { createTimeline, UnknownScenarioError } from './timeline.ts';

const start = Date.parse('2026-11-18T09:00:00Z');
const minute = 60_000;

/** Names and addresses of the real world must not appear: only ranges and domains reserved for examples. */
const allowedAddress = /^(?:10\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)/;

function sshFailuresByAddress(records: readonly RawRecord[]): Map<string, number[]> {
  const failures = new Map<string, number[]>();
  for (const record of records) {
    const address = /Failed password for .* from (\S+) port/.exec(record.line)?.[1];
    if (address !== undefined) failures.set(address, [...(failures.get(address) ?? []), record.time]);
  }
  return failures;
}

describe('the timeline', () => {
  const options = { seed: 'demo', ratePerSecond: 4, scenarios: { everyMinutes: 30 } };

  it('tells the same story for the same seed, and another one for another', () => {
    const first = createTimeline(options).recordsBetween(start, start + 5 * minute);
    expect(createTimeline(options).recordsBetween(start, start + 5 * minute)).toEqual(first);
    expect(createTimeline({ ...options, seed: 'other' }).recordsBetween(start, start + 5 * minute)).not.toEqual(first);
    expect(first.length).toBeGreaterThan(500);
  });

  it.each([4, 0.05])('tells the same story however it is cut into pieces, at %d records a second', (ratePerSecond) => {
    const whole = createTimeline({ ...options, ratePerSecond }).recordsBetween(start, start + 40 * minute);
    const pieces = createTimeline({ ...options, ratePerSecond });
    const cuts = [0, 137, 1000, 59_999, 60_001, 12 * minute + 3, 31 * minute, 40 * minute];
    const joined = cuts
      .slice(1)
      .flatMap((cut, index) => pieces.recordsBetween(start + (cuts[index] ?? 0), start + cut));
    expect(joined).toEqual(whole);
  });

  it('is in order and inside the stretch asked for', () => {
    const records = createTimeline(options).recordsBetween(start + 17, start + 3 * minute + 5);
    expect(records.every((record) => record.time >= start + 17 && record.time < start + 3 * minute + 5)).toBe(true);
    expect(records.map((record) => record.time)).toEqual(records.map((record) => record.time).sort((a, b) => a - b));
  });

  it.each([0.004, 0.05, 0.2])('has as many records a day as %d a second are', (ratePerSecond) => {
    const day = 24 * 60 * minute;
    const records = createTimeline({ seed: 'demo', ratePerSecond }).recordsBetween(start, start + 7 * day);
    const hours = Array.from({ length: 7 * 24 }, (_, hour) => rhythmAt(new Date(start + hour * 60 * minute)));
    const expected = 3_600 * ratePerSecond * hours.reduce((sum, share) => sum + share, 0);
    expect(records.length).toBeGreaterThan(expected * 0.8);
    expect(records.length).toBeLessThan(expected * 1.25);
    expect(new Set(records.map(({ time }) => Math.floor(time / 1000) % 60)).size).toBeGreaterThan(50);
  });

  it('is quieter at night and at weekends', () => {
    const count = (at: string) =>
      createTimeline({ seed: 'demo', ratePerSecond: 20 }).recordsBetween(Date.parse(at), Date.parse(at) + minute)
        .length;
    expect(count('2026-11-18T03:00:00Z')).toBeLessThan(count('2026-11-18T10:00:00Z') / 3);
    expect(count('2026-11-21T10:00:00Z')).toBeLessThan(count('2026-11-18T10:00:00Z') / 2);
    for (let hour = 0; hour < 168; hour += 1) {
      const rhythm = rhythmAt(new Date(start + hour * 60 * minute));
      expect(rhythm).toBeGreaterThan(0);
      expect(rhythm).toBeLessThanOrEqual(1);
    }
  });

  it('never looks like an attack on an ordinary day', () => {
    const records = createTimeline({ seed: 'demo', ratePerSecond: 2 }).recordsBetween(start, start + 120 * minute);
    for (const times of sshFailuresByAddress(records).values()) {
      for (const time of times) {
        expect(times.filter((other) => other >= time && other < time + 5 * minute).length).toBeLessThan(5);
      }
    }
    expect(records.filter((record) => /"result":"FAILURE"|"EventID":4625|action="deny"/.test(record.line))).toEqual([]);
  });

  it('plays one scenario per slot of its schedule', () => {
    const records = createTimeline({ seed: 'demo', ratePerSecond: 0, scenarios: { everyMinutes: 60 } }).recordsBetween(
      start,
      start + 24 * 60 * minute,
    );
    const firsts = new Set(
      records.filter((record) => record.scenario).map((record) => Math.floor(record.time / (60 * minute))),
    );
    expect(firsts.size).toBe(24);
    expect(new Set(records.map((record) => record.scenario))).toEqual(
      new Set(['ssh-password-guessing', 'okta-password-spray', 'firewall-deny-burst']),
    );
  });

  it('names only reserved addresses and domains', () => {
    const records = createTimeline(options).recordsBetween(start, start + 60 * minute);
    const text = records.map((record) => record.line).join('\n');
    // Version numbers of browsers look like addresses; they end in .0.0.
    const addresses = new Set([...text.matchAll(/\b\d{1,3}(?:\.\d{1,3}){3}\b/g)].map(([address]) => address));
    const domains = new Set([...text.matchAll(/@([a-z0-9.-]+)/g)].map(([, domain]) => domain));
    expect([...addresses].filter((address) => !address.endsWith('.0.0') && !allowedAddress.test(address))).toEqual([]);
    expect([...domains].filter((domain) => domain !== 'timestamp' && !domain?.endsWith('.example'))).toEqual([]);
    expect(addresses.size).toBeGreaterThan(20);
  });

  it('refuses a scenario it does not know and names those it knows', () => {
    expect(() => createTimeline(options).play('absent', start, 'x')).toThrow(UnknownScenarioError);
    expect(() => createTimeline({ ...options, scenarios: { everyMinutes: 5, names: ['absent'] } })).toThrow(
      /ssh-password-guessing/,
    );
    expect(() => createTimeline({ ...options, scenarios: { everyMinutes: 0 } })).toThrow(RangeError);
  });
});

describe('history', () => {
  it('gives every record of the stretch once, in batches that are not too large', async () => {
    const timeline = createTimeline({ seed: 'demo', ratePerSecond: 0.5, scenarios: { everyMinutes: 90 } });
    const range = { start: new Date(start), end: new Date(start + 5 * 60 * minute + 1234), batchSize: 100 };
    const batches: RawRecord[][] = [];
    for await (const batch of historyBetween(timeline, range)) batches.push(batch);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(100);
    expect(batches.flat()).toEqual(timeline.recordsBetween(range.start.getTime(), range.end.getTime()));
  });
});
