import { describe, expect, it } from 'vitest';
import { createTimeline } from '../timeline.ts';
import { findScenario, scenarioList } from './scenario-list.ts';

const start = Date.parse('2026-11-18T09:00:00Z');
const timeline = createTimeline({ seed: 'demo', ratePerSecond: 0 });
const labels = Array.from({ length: 60 }, (_, index) => `play ${index}`);

describe('scenarios', () => {
  it('have names of their own and are found by them', () => {
    expect(new Set(scenarioList.map((scenario) => scenario.name)).size).toBe(scenarioList.length);
    expect(findScenario('okta-password-spray')?.title).toBe('Password spray against Okta');
    expect(findScenario('absent')).toBeUndefined();
  });

  it.each(scenarioList.map((scenario) => scenario.name))(
    '%s plays in order, from its start, marked, within ten minutes',
    (name) => {
      for (const label of labels) {
        const { records, attacker } = timeline.play(name, start, label);
        expect(records[0]?.time).toBe(start);
        expect(records.map((record) => record.time)).toEqual(
          records.map((record) => record.time).sort((a, b) => a - b),
        );
        expect((records.at(-1)?.time ?? 0) - start).toBeLessThan(600_000);
        expect(records.every((record) => record.scenario === name)).toBe(true);
        expect(attacker).toMatch(/^203\.0\.113\.\d+$/);
      }
    },
  );

  it('password guessing: 10 to 15 failures of one address within a minute, exactly 3 of another', () => {
    for (const label of labels) {
      const { records, attacker } = timeline.play('ssh-password-guessing', start, label);
      const failures = records.filter((record) => record.line.includes('Failed password'));
      const guesses = failures.filter((record) => record.line.includes(` from ${attacker} port`));
      expect(guesses.length).toBeGreaterThanOrEqual(10);
      expect(guesses.length).toBeLessThanOrEqual(15);
      expect((guesses.at(-1)?.time ?? 0) - (guesses[0]?.time ?? 0)).toBeLessThan(60_000);
      const others = failures.filter((record) => !guesses.includes(record));
      expect(others).toHaveLength(3);
      expect(new Set(others.map((record) => / from (\S+) port/.exec(record.line)?.[1])).size).toBe(1);
    }
  });

  it('password spray: every account once, one address', () => {
    const { records, attacker } = timeline.play('okta-password-spray', start, 'x');
    const events = records.map(
      (record) => JSON.parse(record.line) as { actor: { alternateId: string }; client: { ipAddress: string } },
    );
    expect(new Set(events.map((event) => event.actor.alternateId)).size).toBe(timeline.company.employees.length);
    expect(new Set(events.map((event) => event.client.ipAddress))).toEqual(new Set([attacker]));
  });

  it('deny burst: sixty denied connections to ten ports from one address', () => {
    const { records, attacker } = timeline.play('firewall-deny-burst', start, 'x');
    expect(records).toHaveLength(60);
    expect(
      records.every((record) => record.line.includes(`srcip=${attacker} `) && record.line.includes('action="deny"')),
    ).toBe(true);
    expect(new Set(records.map((record) => /dstport=(\d+)/.exec(record.line)?.[1])).size).toBe(10);
  });
});
