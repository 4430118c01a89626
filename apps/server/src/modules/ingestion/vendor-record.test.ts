import { describe, expect, it } from 'vitest';
import { readVendorRecord } from './vendor-record.ts';

const receivedAt = Date.parse('2026-11-30T12:00:00Z');
const read = (record: Record<string, unknown>, definitionId = 'graylog') =>
  readVendorRecord({ record, definitionId, eventType: 'message', receivedAt });

describe('a record a connector fetched', () => {
  it('of Graylog has its sender as host and its level as severity, as a notification of it has', () => {
    const record = { source: 'fw-1', message: 'Login failed', timestamp: '2026-11-30T11:59:00.000Z', level: 4 };
    expect(read(record)).toMatchObject({ host: 'fw-1', severity: 'medium', event_type: 'message', fields: record });
    expect(read({ ...record, level: '2' }).severity).toBe('critical');
    expect(read({ source: 'fw-\ud800', level: 99 })).toMatchObject({ host: 'fw-\ufffd', severity: '' });
    expect(read({ source: ['fw-1'] }).host).toBe('');
  });

  it('of Graylog keeps the host and severity it names itself', () => {
    const record = { source: 'relay-1', hostname: 'web-1', level: 6, severity: 'high' };
    expect(read(record)).toMatchObject({ host: 'web-1', severity: 'high' });
  });

  it('of Graylog has its time and its text where a vendor’s format takes the fields', () => {
    const signIn = { EventID: 4625, Channel: 'Security', TargetUserName: 'ana', EventTime: '2026-11-30 06:59:00' };
    const record = { ...signIn, source: 'dc-1', message: 'Sign-in failed', timestamp: '2026-11-30T11:59:00.000Z' };
    const time = Date.parse('2026-11-30T11:59:00Z');
    expect(read(record)).toMatchObject({ action: 'login', user: 'ana', time, message: 'Sign-in failed' });
    const connection = { ts: 'x', 'id.orig_h': '203.0.113.9', conn_state: 'REJ', timestamp: record.timestamp };
    expect(read({ ...connection, message: 'Refused' })).toMatchObject({
      ...{ event_type: 'conn', src_ip: '203.0.113.9', time, time_source: 'event', message: 'Refused' },
    });
  });

  it('of another vendor may mean something else by the same names', () => {
    expect(read({ source: 'fw-1', level: 4 }, 'okta')).toMatchObject({ integration: 'okta', host: '', severity: '' });
  });
});
