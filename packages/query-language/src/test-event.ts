import type { SearchableEvent } from './search-columns.ts';

/** A failed sign-in over SSH from a documentation address, with the given parts replaced. */
export function testEvent(parts: Partial<SearchableEvent> = {}): SearchableEvent {
  return {
    id: '0195f3a0-0000-7000-8000-0000000000a1',
    source: '0195f3a0-0000-7000-8000-0000000000b2',
    connector_id: '',
    time: Date.parse('2026-11-20T22:14:15.250Z'),
    received_at: Date.parse('2026-11-20T22:14:16Z'),
    integration: 'sshd',
    event_type: 'authentication',
    severity: 'low',
    message: 'Failed password for root from 192.0.2.7 port 4711 ssh2',
    host: 'web-1.example.com',
    user: 'root',
    src_ip: '192.0.2.7',
    dst_ip: '',
    action: 'login',
    outcome: 'failure',
    fields: {},
    raw: '<38>Nov 20 22:14:15 web-1 sshd[4711]: Failed password for root from 192.0.2.7 port 4711 ssh2',
    ...parts,
  };
}
