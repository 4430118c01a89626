import { expect, test } from 'vitest';
import { readAlerts, readDefinitions } from './graylog-answers.ts';

const alert = {
  id: '01JX',
  title: 'Repeated failed logons',
  event_definition_id: 'd1',
  priority: 1,
  message: 'Repeated failed logons: count()=27.0',
  source: 'gl-1.example.net',
  key: null,
  timestamp: '2026-11-20T21:14:03.112Z',
  timerange_start: '2026-11-20T21:09:00.000Z',
  timerange_end: '2026-11-20T21:14:00.000Z',
  query: 'event_id:4625',
  fields: { user: 'svc-backup' },
  source_streams: ['s1', 'gone'],
  techniques: ['T1110'],
};

const answer = (events: unknown, total_events?: number) => ({
  alerts: { events, total_events, context: { streams: { s1: { id: 's1', title: 'Firewall' } } } },
});

test('an alert has its streams by name, and the total is that of the time, not of the page', () => {
  const { alerts, total } = readAlerts(answer([alert], 3204));
  expect(total).toBe(3204);
  expect(alerts[0]).toMatchObject({
    title: alert.title,
    priority: 1,
    query: 'event_id:4625',
    streams: ['Firewall', 'gone'],
    stream_ids: ['s1', 'gone'],
  });
});

test('what an older Graylog leaves out is nothing, and what is no time is no time', () => {
  const { alerts, total } = readAlerts(answer([{ id: 'x', priority: 7, timestamp: 'soon' }]));
  expect(total).toBe(1);
  expect(alerts[0]).toEqual({
    id: 'x',
    title: null,
    event_definition_id: null,
    priority: null,
    message: null,
    source: null,
    key: null,
    timestamp: null,
    timerange_start: null,
    timerange_end: null,
    query: null,
    fields: {},
    streams: [],
    stream_ids: [],
    techniques: [],
  });
});

test.each([undefined, null, 'no', {}, { alerts: [] }, { alerts: { events: {} } }])(
  'an answer of another shape is a failure, not an empty list: %j',
  (output) => {
    expect(() => readAlerts(output)).toThrow('no list of alerts');
    expect(() => readDefinitions(output)).toThrow('no list of event definitions');
  },
);

test('notifications of a definition keep their ids where the titles are not known', () => {
  const [titled, bare] = readDefinitions({
    events: [
      { id: 'd1', title: 'A', enabled: false, notifications: [{ id: 'n1', title: null }] },
      { id: 'd2', title: 'B', enabled: null, notification_ids: ['n2'] },
    ],
  });
  expect(titled).toMatchObject({ enabled: false, notifications: [{ id: 'n1', title: null }] });
  expect(bare).toMatchObject({ enabled: null, notifications: [{ id: 'n2', title: null }] });
});
