import { describe, expect, it } from 'vitest';
import { readGelf } from './gelf-message.ts';
import { readGraylogNotification } from './graylog-notification.ts';
import type { RecordReader } from './record-format.ts';

const receivedAt = Date.parse('2026-11-30T12:00:00Z');
const time = Date.parse('2026-11-30T11:58:02.250Z');

const read = (reader: RecordReader, record: Record<string, unknown>) => {
  const events = reader(record, { receivedAt, raw: JSON.stringify(record) });
  if (typeof events === 'string') throw new Error(events);
  return [...events];
};

const signIn = { EventID: 4625, Channel: 'Security', TargetUserName: 'ana' };
const login = { integration: 'windows', action: 'login', outcome: 'failure', user: 'ana' };
const text = 'An account failed to log on';

describe('a GELF message of a vendor’s record', () => {
  const gelf = { version: '1.1', host: 'dc-1', short_message: text, timestamp: time / 1000, level: 4 };
  const windows = { _EventID: 4625, _Channel: 'Security', _TargetUserName: 'ana' };

  it('has the time and the text of the message around it', () => {
    expect(read(readGelf, { ...gelf, ...windows })).toMatchObject([
      { ...login, time, time_source: 'event', message: text, host: 'dc-1', severity: 'medium' },
    ]);
  });

  it('keeps the time that it names itself, and the text', () => {
    const own = { _TimeCreated: '2026-11-30T11:00:00.000Z', _Message: 'Whole text' };
    expect(read(readGelf, { ...gelf, ...windows, ...own })).toMatchObject([
      { ...login, time: Date.parse('2026-11-30T11:00:00Z'), message: 'Whole text' },
    ]);
  });

  it('has the time of the message before one without a zone', () => {
    expect(read(readGelf, { ...gelf, ...windows, _EventTime: '2026-11-30 06:58:02' })).toMatchObject([{ time }]);
  });

  it('says so where the time of the message is missing or cannot be true', () => {
    const { timestamp: _, ...untimed } = gelf;
    expect(read(readGelf, { ...untimed, ...windows })).toMatchObject([{ time: receivedAt, time_source: 'received' }]);
    expect(read(readGelf, { ...untimed, ...windows, timestamp: time / 1000 + 86_400 * 3 })).toMatchObject([
      { time: receivedAt, time_source: 'unbelievable' },
    ]);
  });
});

describe('a Graylog notification', () => {
  const event = { id: '1', timestamp: '2026-11-30T11:59:00.000Z', priority: 3, message: 'Alert', fields: {} };
  const notification = { event_definition_id: 'd', event_definition_title: 'Alert', event, backlog: [] };

  it('gives a vendor’s message in its backlog the time of that message', () => {
    const message = { id: 'm', source: 'dc-1', message: text, timestamp: '2026-11-30T11:58:02.250Z', fields: signIn };
    expect(read(readGraylogNotification, { ...notification, backlog: [message] })[1]).toMatchObject({
      ...login,
      ...{ time, time_source: 'event', message: text, host: 'dc-1' },
    });
  });

  it('names whom an aggregation is about by its groups, and by its own fields where both do', () => {
    const grouped = { ...event, group_by_fields: { user: 'ana', source_ip: '203.0.113.9' } };
    expect(read(readGraylogNotification, { ...notification, event: grouped })).toMatchObject([
      { integration: 'graylog', event_type: 'alert', user: 'ana', src_ip: '203.0.113.9' },
    ]);
    const both = { ...grouped, fields: { user: 'eve' } };
    expect(read(readGraylogNotification, { ...notification, event: both })).toMatchObject([
      { user: 'eve', src_ip: '203.0.113.9' },
    ]);
    const none = { ...event, group_by_fields: ['ana'], fields: null };
    expect(read(readGraylogNotification, { ...notification, event: none })).toMatchObject([{ user: '' }]);
  });
});
