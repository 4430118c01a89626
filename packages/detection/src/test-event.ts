import type { ParsedEvent } from '@airdeck/contracts/events/event';

/** A failed SSH sign-in from a documentation address, with the given parts replaced. */
export function testEvent(parts: Partial<ParsedEvent> = {}): ParsedEvent {
  return {
    time: Date.parse('2026-02-22T16:45:20Z'),
    time_source: 'event',
    integration: 'sshd',
    event_type: 'authentication',
    severity: '',
    message: 'Failed password for root from 192.0.2.10 port 1786 ssh2',
    host: 'web-1',
    user: 'root',
    src_ip: '192.0.2.10',
    dst_ip: '',
    action: 'login',
    outcome: 'failure',
    fields: {},
    raw: '',
    ...parts,
  };
}
