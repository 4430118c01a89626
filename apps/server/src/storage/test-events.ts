import { randomUUID } from 'node:crypto';
import type { EventRow } from './events-store.ts';

/** A plausible stored event; tests name only what they are about. */
export function eventRow(given: Partial<EventRow> & { tenant: string }): EventRow {
  const at = Date.now();
  return {
    source: '00000000-0000-4000-8000-000000000001',
    batch: '00000000-0000-4000-8000-000000000002',
    id: randomUUID(),
    integration: 'sshd',
    event_type: 'authentication',
    time: at,
    received_at: at,
    severity: 'low',
    message: 'Failed password for root from 192.0.2.7 port 4711 ssh2',
    host: 'web-1.example.com',
    user: 'root',
    src_ip: '192.0.2.7',
    dst_ip: '198.51.100.1',
    action: 'login',
    outcome: 'failure',
    connector_id: '',
    fields: { facility: 4, app: 'sshd' },
    raw: '<38>Oct 11 22:14:15 web-1 sshd[4711]: Failed password for root from 192.0.2.7 port 4711 ssh2',
    retention_days: 90,
    ...given,
  };
}
