import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { describe, expect, it } from 'vitest';
import { eventsWith, reputationOf, timeOf } from './entity-pivots.ts';

describe('the query for an entity', () => {
  it.each([
    [{ kind: 'user', value: 'root' }, 'user:root'],
    [{ kind: 'address', value: '203.0.113.7' }, 'src_ip:203.0.113.7 OR dst_ip:203.0.113.7'],
    [{ kind: 'hash', value: 'abc' }, 'abc'],
    [{ kind: 'user', value: 'EXAMPLE\\ada "x"' }, 'user:"EXAMPLE\\\\ada \\"x\\""'],
  ] as const)('%j', (entity, query) => {
    expect(eventsWith(entity)).toBe(query);
  });
});

describe('the time of a case, in which its entities are searched', () => {
  const opened_at = '2026-11-01T10:00:00.000Z';
  const at = (time: string) => ({ time });
  const open = { alert_status: 'open', time_closed: null, opened_at } as const;

  it('begins with its first event, also one that came later than others', () => {
    const events = [at('2026-11-01T10:00:05.000Z'), at('2026-11-01T09:58:00.000Z')];
    expect(timeOf({ ...open, events })).toEqual({ start: '2026-11-01T09:58:00.000Z', end: 'now' });
    expect(timeOf({ ...open, events: events.slice(0, 1) }).start).toBe(opened_at);
  });

  it('begins an hour before one that no event opened', () => {
    expect(timeOf({ ...open, events: [] }).start).toBe('2026-11-01T09:00:00.000Z');
  });

  it('ends when it was closed, unless it was opened again', () => {
    const time_closed = '2026-11-02T08:00:00.000Z';
    expect(timeOf({ opened_at, events: [], alert_status: 'closed', time_closed }).end).toBe(time_closed);
    expect(timeOf({ opened_at, events: [], alert_status: 'open', time_closed }).end).toBe('now');
  });
});

describe('reputation', () => {
  const action = (output: unknown, text = 'Check IP address succeeded'): CaseActivity => ({
    ...{ id: '1', at: '2026-11-21T10:00:00.000Z', username: 'system', kind: 'action_finished', text },
    data: { run_id: 'r', output },
  });

  it('is what results that name the entity say of it', () => {
    const activity = [
      action({ ip: '203.0.113.7', malicious: 7, reputation: -12, noise: {} }),
      action({ ip: '198.51.100.1', malicious: 3 }),
      action({ ip: '203.0.113.7', country: 'NL' }),
      action('203.0.113.7'),
      action(null),
    ];
    expect(reputationOf({ value: '203.0.113.7' }, activity)).toEqual([
      { runId: 'r', text: 'Check IP address: malicious 7, reputation -12' },
    ]);
  });

  it('is nothing where nobody looked', () => {
    expect(reputationOf({ value: '203.0.113.7' }, [])).toEqual([]);
  });
});
