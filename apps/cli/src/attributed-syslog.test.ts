import { parseLine } from '@airdeck/event-parsers/parse-record';
import { scenarioList } from '@airdeck/simulator/scenarios/scenario-list';
import { createTimeline } from '@airdeck/simulator/timeline';
import { describe, expect, it } from 'vitest';
import { attributedSyslog } from './attributed-syslog.ts';

const startAt = Date.UTC(2026, 10, 20, 9, 5);
const token = `src_${'a'.repeat(43)}`;

function linesOf(name: string): string[] {
  const { records } = createTimeline({ seed: 'attributed', ratePerSecond: 1 }).play(name, startAt, 'test');
  return records.filter((record) => record.transport === 'syslog').map((record) => record.line);
}

function facts(line: string) {
  const { integration, event_type, action, outcome, user, src_ip, dst_ip, time } = parseLine(line, {
    receivedAt: startAt + 120_000,
  });
  return { integration, event_type, action, outcome, user, src_ip, dst_ip, time };
}

describe('syslog lines with the token of their source', () => {
  const overSyslog = scenarioList.filter(({ name }) => linesOf(name).length > 0);

  it.each(overSyslog.map(({ name }) => name))('of "%s" mean what the product wrote', (name) => {
    const lines = linesOf(name);
    const attributed = lines.map((line) => attributedSyslog(line, token, startAt + 120_000));
    expect(attributed.every((line) => line.includes(`[airdeck@32473 token="${token}"]`))).toBe(true);
    expect(attributed.map(facts)).toEqual(lines.map(facts));
  });

  it('take last year for a line of December that arrives in January', () => {
    const line = attributedSyslog('<86>Dec 31 23:59:58 web-01 sshd[7]: closed', token, Date.UTC(2027, 0, 1, 0, 0, 5));
    expect(line).toContain('<86>1 2026-12-31T23:59:58.000Z web-01 sshd 7 - [');
  });

  it('leave alone what is not syslog', () => {
    expect(attributedSyslog('plain words', token, startAt)).toBe('plain words');
  });
});
