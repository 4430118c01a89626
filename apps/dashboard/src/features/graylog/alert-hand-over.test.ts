import { caseCreateSchema } from '@airdeck/contracts/cases/schema';
import { queryLimits } from '@airdeck/query-language/query-limits';
import { expect, test } from 'vitest';
import { readAlerts } from '../../queries/graylog-answers.ts';
import { caseOf, messagesOf } from './alert-hand-over.ts';
import { matchingAlerts, onceEach } from './alert-rows.ts';

function alertWith(part: Record<string, unknown>) {
  const given = { id: '01JX', title: 'Port scan', priority: 1, timestamp: '2026-11-20T21:14:03.112Z', ...part };
  const [alert] = readAlerts({ alerts: { events: [given] } }).alerts;
  if (alert === undefined) throw new Error('No alert.');
  return alert;
}

test('a case of an alert is one the server takes, whatever fields the alert has', () => {
  const fields = {
    user: ' svc-backup ',
    'not a name': 'x',
    long: 'x'.repeat(501),
    empty: '',
    list: ['a'],
    count: 27,
    ...Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field_${index}`, 'v'])),
  };
  const { name, description, severity, values } = caseOf(
    alertWith({ fields, title: 'T'.repeat(400), query: 'action:deny' }),
  );
  const parsed = caseCreateSchema.parse({
    alert_name: name,
    alert_description: description,
    alert_severity: severity,
    meta_data_fields: values,
  });
  expect(parsed.meta_data_fields).toMatchObject({ user: 'svc-backup', count: '27', graylog_alert_id: '01JX' });
  expect(Object.keys(parsed.meta_data_fields)).not.toContain('not a name');
  expect([parsed.alert_severity, parsed.alert_description]).toEqual([
    'high',
    'Raised by Graylog at 2026-11-20T21:14:03.112Z.\nSearch: action:deny',
  ]);
});

test.each([
  [1, 'high'],
  [2, 'medium'],
  [3, 'low'],
  [null, 'medium'],
])('priority %s opens a case of severity %s', (priority, severity) => {
  expect(caseOf(alertWith({ priority })).severity).toBe(severity);
});

test('messages are searched in the time the alert looked at, its last moment included', () => {
  const alert = alertWith({
    query: 'event_id:4625',
    timerange_start: '2026-11-20T21:09:00.000Z',
    timerange_end: '2026-11-20T21:14:00.000Z',
  });
  expect(messagesOf(alert, { query: 'other' })).toEqual({
    query: 'event_id:4625',
    timeRange: { start: '2026-11-20T21:09:00.000Z', end: '2026-11-20T21:14:00.001Z' },
  });
});

test('without a time of its own it is searched around the alert, with the search of its definition', () => {
  expect(messagesOf(alertWith({}), { query: 'action:deny' })).toEqual({
    query: 'action:deny',
    timeRange: { start: '2026-11-20T21:13:03.112Z', end: '2026-11-20T21:15:03.112Z' },
  });
  expect(messagesOf(alertWith({}), { query: null })).toBeUndefined();
  expect(messagesOf(alertWith({ timestamp: 'soon' }), { query: 'a' })).toBeUndefined();
});

function streamIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => index.toString(16).padStart(24, '0'));
}

test.each([
  ['a hundred streams', 'a', 100, true],
  ['more streams', 'a', 101, false],
  ['as many terms as a query may have', `a${' OR b'.repeat(queryLimits.maxClauses - 2)}`, 1, true],
  ['a term too many', `a${' OR b'.repeat(queryLimits.maxClauses - 2)}`, 2, false],
  ['a query as long as one may be', 'a'.repeat(queryLimits.maxLength), 1, false],
  ['one that leaves room for the stream', 'a'.repeat(queryLimits.maxLength - 41), 1, true],
  ['one that leaves room for all but a character of it', 'a'.repeat(queryLimits.maxLength - 40), 1, false],
])('streams are left out where the search could not take them: %s', (_what, query, count, isKept) => {
  const messages = messagesOf(alertWith({ query, source_streams: streamIds(count) }), { query: null });
  expect(messages?.query).toBe(isKept ? `(${query}) AND streams:(${streamIds(count).join(' OR ')})` : query);
});

test.each([
  [{ source_streams: ['64f0c1', '64f0c2'], query: ' ' }, 'streams:(64f0c1 OR 64f0c2)'],
  [{ source_streams: ['64f0c1', '64f0c2'] }, '(a OR b) AND streams:(64f0c1 OR 64f0c2)'],
  [{ source_streams: ['64f0c1', '64f0c2'], searched_streams: ['64f0c2'] }, '(a OR b) AND streams:(64f0c2)'],
  [{ source_streams: ['64f0c1) OR *'] }, 'a OR b'],
  [{ source_streams: [] }, 'a OR b'],
])('messages are searched in the streams of the alert, by their ids: %j', (part, query) => {
  expect(messagesOf(alertWith({ query: 'a OR b', ...part }), { query: null })?.query).toBe(query);
});

test('every word is looked for in all that an alert says, and pages that overlap show an alert once', () => {
  const one = alertWith({ fields: { user: 'Ana.Souza' } });
  const other = alertWith({ id: '02', title: 'Port scan from outside', source: 'gl-1' });
  const all = onceEach([one, other, one]);
  expect(all).toEqual([one, other]);
  expect(matchingAlerts(all, 'ana PORT')).toEqual([one]);
  expect(matchingAlerts(all, 'gl-1 scan')).toEqual([other]);
  expect(matchingAlerts(all, '   ')).toEqual(all);
  expect(matchingAlerts(all, 'port nowhere')).toEqual([]);
});
