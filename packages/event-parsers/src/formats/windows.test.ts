import { describe, expect, it } from 'vitest';
import { parseRecord } from '../parse-record.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');
const parse = (record: Record<string, unknown>) => parseRecord(record, { receivedAt });
const cleared = { event_type: 'audit', action: 'clear_log', outcome: 'success' };
const other = { integration: 'windows', event_type: 'log', action: '', outcome: '' };

describe('an id of the Windows event log', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['Security', { EventID: 1102, Channel: 'Security' }, cleared],
    ['security, in small letters', { EventID: 1102, Channel: 'security' }, cleared],
    ['System', { EventID: 104, Channel: 'System' }, cleared],
    ['a service of System', { EventID: 7045, Channel: 'System' }, { action: 'install_service' }],
    [
      'an outgoing RDP session',
      { EventID: 1102, Channel: 'Microsoft-Windows-TerminalServices-RDPClient/Operational' },
      other,
    ],
    ['a scheduled task', { EventID: 104, Channel: 'Microsoft-Windows-TaskScheduler/Operational' }, other],
    ['1102 of System', { EventID: 1102, Channel: 'System' }, other],
    ['a sign-in of Application', { EventID: 4625, Channel: 'Application' }, other],
    [
      'no channel, and the provider of Security',
      { EventID: 4625, SourceName: 'Microsoft-Windows-Security-Auditing' },
      { action: 'login', outcome: 'failure' },
    ],
    ['no channel, and the provider of both logs', { EventID: 104, SourceName: 'Microsoft-Windows-Eventlog' }, cleared],
    [
      'no channel, and another provider',
      { EventID: 1102, SourceName: 'Microsoft-Windows-TerminalServices-ClientActiveXCore' },
      other,
    ],
    [
      'the collector’s channel',
      { EventID: 1102, Channel: 'ForwardedEvents', SourceName: 'Microsoft-Windows-Eventlog' },
      cleared,
    ],
    ['the collector’s channel alone', { EventID: 1102, Channel: 'ForwardedEvents' }, cleared],
  ])('means what its log says: %s', (_name, record, expected) => {
    expect(parse(record)).toMatchObject(expected);
  });
});

describe('the time of a Windows event', () => {
  it('is that of Log Analytics, before the one without a zone', () => {
    const record = {
      EventID: 4624,
      Channel: 'Security',
      TimeGenerated: '2026-11-21T10:00:00.123Z',
      EventTime: '2026-11-21 05:00:00',
    };
    expect(parse(record)).toMatchObject({ time: Date.parse('2026-11-21T10:00:00.123Z'), time_source: 'event' });
  });

  it('is that of a shipper, before the one without a zone', () => {
    const record = { EventID: 4624, Channel: 'Security', EventTime: '2026-11-21 05:00:00' };
    const time = Date.parse('2026-11-21T10:00:00.123Z');
    expect(parse({ ...record, timestamp: time / 1000 })).toMatchObject({ time, time_source: 'event' });
    expect(parse({ ...record, timestamp: 'today' }).time).toBe(Date.parse('2026-11-21T05:00:00Z'));
  });

  it('is found where evtx dumps keep attributes', () => {
    const System = {
      EventID: 4624,
      Channel: 'Security',
      TimeCreated: { '#attributes': { SystemTime: '2026-11-21T10:00:00.123456Z' } },
    };
    expect(parse({ Event: { System, EventData: { TargetUserName: 'ana' } } })).toMatchObject({
      time: Date.parse('2026-11-21T10:00:00.123Z'),
      time_source: 'event',
      user: 'ana',
    });
  });
});

describe('the user of a cleared log', () => {
  it.each<[string, Record<string, unknown>]>([
    ['NXLog', { EventID: 1102, Channel: 'Security', SubjectUserName: 'eve' }],
    [
      'Winlogbeat',
      { winlog: { event_id: 1102, channel: 'Security', user_data: { SubjectUserName: 'eve', Channel: 'Security' } } },
    ],
    [
      'Winlogbeat, another log',
      { winlog: { event_id: 104, channel: 'System', user_data: { SubjectUserName: 'eve', Channel: 'Application' } } },
    ],
    [
      'evtx dumps',
      {
        Event: {
          System: { EventID: 1102, Channel: 'Security' },
          UserData: { LogFileCleared: { SubjectUserName: 'eve' } },
        },
      },
    ],
  ])('is found where %s keeps it', (_name, record) => {
    expect(parse(record)).toMatchObject({ ...cleared, user: 'eve' });
  });
});

describe('the outcome of a Windows event', () => {
  it.each<[string, Record<string, unknown>]>([
    ['failure', { EventID: 4768, Status: '0x6' }],
    ['success', { EventID: 4768, Status: '0x0' }],
    ['failure', { EventID: 4769, EventData: { Status: '0x1b' } }],
    ['success', { EventID: 4776, Status: 0 }],
    ['failure', { EventID: 4776, Status: '0xc000006a' }],
    ['failure', { EventID: 4769, EventType: 'AUDIT_FAILURE' }],
    ['success', { EventID: 4673, EventType: 'AUDIT_SUCCESS' }],
    ['failure', { EventID: 4656, event: { outcome: 'failure' } }],
    ['failure', { EventID: 4776, 'event.outcome': 'failure' }],
    ['failure', { EventID: 4656, Keywords: '0x8010000000000000' }],
    ['success', { EventID: 4656, Keywords: '0x8020000000000000' }],
    ['failure', { EventID: 4673, Keywords: '-9218868437227405312' }],
    ['success', { EventID: 4673, Keywords: 0x8020000000000000 - 2 ** 64 }],
    ['', { EventID: 4673, Keywords: '0x8000000000000000' }],
    // A share that was asked for is not one that was opened.
    ['failure', { EventID: 5140, EventType: 'AUDIT_FAILURE' }],
    ['failure', { EventID: 5140, Keywords: '0x8010000000000000' }],
    ['success', { EventID: 5140 }],
    ['failure', { EventID: 4825, Keywords: '0x8020000000000000' }],
    // What the id says by itself stays, and a status is that of a check only where the id makes one.
    ['failure', { EventID: 4625, event: { outcome: 'unknown' }, Status: '0xc000006d' }],
    ['', { EventID: 4656, Status: '0x0' }],
    ['', { EventID: 4776, Channel: 'Application', Status: '0x1' }],
    ['', { EventID: 4776, Status: '%%1' }],
    ['', { EventID: 4768, event: { outcome: 'unknown' } }],
  ])('is %s: %j', (outcome, record) => {
    expect(parse({ Channel: 'Security', ...record }).outcome).toBe(outcome);
  });
});
