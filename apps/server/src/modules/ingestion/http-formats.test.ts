import { execFileSync, spawnSync } from 'node:child_process';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIngestionFixture, type Door, type IngestionFixture, type Sender } from './ingestion-fixture.ts';

let fixture: IngestionFixture;
let door: Door;

beforeAll(async () => {
  fixture = await createIngestionFixture();
  door = await fixture.serve();
});
afterAll(() => fixture.close());

/** What is stored of a tenant, with the columns people see. */
const storedOf = (sender: Sender) =>
  fixture.stores.events.query<{
    integration: string;
    event_type: string;
    severity: string;
    message: string;
    host: string;
    user: string;
    time: string;
    raw: string;
    fields: Record<string, unknown>;
  }>({
    tenant: sender.tenantId,
    sql: `select integration, event_type, severity, message, host, user, toString(time) as time, raw, fields from events
      where tenant = {tenant:UUID} order by time, id`,
  });

const json = { 'content-type': 'application/json' };

describe('GELF', () => {
  const message = {
    version: '1.1',
    host: 'edge-01',
    short_message: 'Failed password',
    full_message: 'all of it',
    timestamp: 1_795_262_400.123,
    level: 3,
    _user: 'ana',
    _src_ip: '203.0.113.9',
    _flag: true,
  };

  it('fills the columns from a message, with its extra fields without their underscore', async () => {
    const sender = await fixture.newSource('gelf');
    const reply = await door.send(sender, JSON.stringify(message), json);
    expect([reply.status, reply.body.accepted]).toEqual([202, 1]);
    expect(await storedOf(sender)).toMatchObject([
      {
        host: 'edge-01',
        message: 'Failed password',
        severity: 'high',
        user: 'ana',
        time: '2026-11-21 12:00:00.123',
        raw: JSON.stringify(message),
        fields: { src_ip: '203.0.113.9', flag: true, full_message: 'all of it' },
      },
    ]);
  });

  it.each([
    ['one over several lines', JSON.stringify(message, null, 2), 'application/json', 1],
    ['lines', `${JSON.stringify(message)}\n${JSON.stringify(message)}\n`, 'application/json', 2],
    ['an array', JSON.stringify([message, message, message]), 'application/json', 3],
    ['what curl says by default', JSON.stringify(message), 'application/x-www-form-urlencoded', 1],
  ])('takes %s', async (_name, body, type, accepted) => {
    const reply = await door.send(await fixture.newSource('gelf'), body, { 'content-type': type });
    expect([reply.status, reply.body.accepted, reply.body.rejected]).toEqual([202, accepted, 0]);
  });

  it('refuses a message without text by line, and a chunk of UDP as a whole', async () => {
    const sender = await fixture.newSource('gelf');
    const mixed = await door.send(sender, `{"host":"a"}\n${JSON.stringify(message)}\n{"short_message":" "}`, json);
    expect(mixed.body).toMatchObject({
      accepted: 1,
      rejected: 2,
      errors: [
        { line: 1, message: 'A GELF message needs short_message.' },
        { line: 3, message: 'A GELF message needs short_message.' },
      ],
    });
    const chunk = await door.send(sender, Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2, 0x7b]), json);
    expect([chunk.status, chunk.body.code]).toEqual([400, 'BODY_NOT_DECODABLE']);
  });

  it('is recognised where the source does not say what it sends', async () => {
    const sender = await fixture.newSource('webhook');
    await door.send(sender, JSON.stringify(message), json);
    expect(await storedOf(sender)).toMatchObject([{ severity: 'high', user: 'ana' }]);
  });
});

describe('log files of clouds', () => {
  const records = (count: number, padding = '') =>
    Array.from({ length: count }, (_, number) => ({
      eventVersion: '1.08',
      eventTime: '2026-11-21T11:59:00Z',
      eventSource: 'iam.amazonaws.com',
      eventName: `CreateUser${number}`,
      eventID: `e-${number}`,
      ...(padding === '' ? {} : { padding }),
    }));
  const namesOf = async (sender: Sender) => (await storedOf(sender)).map(({ fields }) => fields.eventName).toSorted();

  it.each([
    ['Records', 3, ''],
    ['records', 2, ''],
    ['Records', 40, 'x'.repeat(50_000)],
  ])('that hold nothing but %s become an event for each of %d', async (name, count, padding) => {
    const sender = await fixture.newSource('ndjson');
    const body = `\n{ "${name}" : ${JSON.stringify(records(count, padding))} }\n`;
    expect((await door.send(sender, body, json)).body).toMatchObject({ accepted: count, rejected: 0 });
    const stored = await storedOf(sender);
    expect(stored.map(({ raw }) => raw).toSorted()).toEqual(
      records(count, padding)
        .map((record) => JSON.stringify(record))
        .toSorted(),
    );
    expect(stored[0]?.integration).toBe('aws');
  });

  it('come as lines too, each event once also when they come again', async () => {
    const sender = await fixture.newSource('ndjson');
    const lines = [{ records: records(2) }, { records: [] }, { eventName: 'Alone' }].map((each) =>
      JSON.stringify(each),
    );
    const ndjson = { 'content-type': 'application/x-ndjson' };
    await door.send(sender, lines.join('\n'), ndjson);
    await door.send(sender, lines.join('\n'), ndjson);
    expect(await namesOf(sender)).toEqual(['Alone', 'CreateUser0', 'CreateUser1', undefined].toSorted());
  });

  it('that hold more than records are one event', async () => {
    const sender = await fixture.newSource('ndjson');
    await door.send(sender, JSON.stringify({ Records: records(2), owner: '1' }), json);
    await door.send(sender, JSON.stringify({ Records: ['text', ...records(1)] }), json);
    const twice = `{"Records":${JSON.stringify(records(1))},"Records":${JSON.stringify(records(2))}}`;
    expect((await door.send(sender, twice, json)).body).toMatchObject({ accepted: 1, rejected: 0 });
    expect(await namesOf(sender)).toEqual([undefined, undefined, undefined]);
  });
});

describe('Graylog notifications', () => {
  const notification = {
    event_definition_id: '665f0a3be4b0a1c2d3e4f501',
    event_definition_type: 'aggregation-v1',
    event_definition_title: 'Repeated failed logons',
    event: {
      id: '01JX2M9Q8T3ZB6K4V7E5N0C1DA',
      timestamp: '2026-11-21T11:59:00.000Z',
      message: 'Repeated failed logons: count()=27.0',
      source: 'gl-1.example.net',
      priority: 3,
      alert: true,
      key: 'svc-backup',
      fields: { user: 'svc-backup' },
    },
    backlog: [
      {
        index: 'graylog_42',
        id: '8f0c2c10',
        source: 'dc-1',
        message: 'An account failed to log on',
        timestamp: '2026-11-21T11:58:02.000Z',
        stream_ids: ['000000000000000000000001'],
        fields: { event_id: 4625, user: 'svc-backup', level: 4 },
      },
    ],
  };

  it.each(['graylog', 'webhook'] as const)('become the alert and its messages at a source of kind %s', async (kind) => {
    const sender = await fixture.newSource(kind);
    expect((await door.send(sender, JSON.stringify(notification), json)).body).toMatchObject({ accepted: 2 });
    const [message, alert] = await storedOf(sender);
    expect(message).toMatchObject({ host: 'dc-1', user: 'svc-backup', severity: 'medium' });
    expect(message?.message).toBe('An account failed to log on');
    expect(message?.fields).toMatchObject({ event_id: 4625, graylog_id: '8f0c2c10' });
    expect(alert).toMatchObject({
      integration: 'graylog',
      event_type: 'alert',
      severity: 'high',
      user: 'svc-backup',
      host: 'gl-1.example.net',
      message: 'Repeated failed logons: count()=27.0',
    });
    expect(alert?.fields).toMatchObject({ event_definition_title: 'Repeated failed logons', backlog_size: 1 });
  });

  it('are the same when the alert comes again, however it is written; a test may be pressed twice', async () => {
    const sender = await fixture.newSource('graylog');
    const first = await door.send(sender, JSON.stringify(notification), json);
    expect(await door.send(sender, JSON.stringify({ ...notification, job_trigger_id: 'another' }), json)).toEqual({
      ...first,
      body: { ...first.body, duplicate: true },
    });
    expect(await storedOf(sender)).toHaveLength(2);
    for (const id of ['a', 'b']) {
      const test = {
        ...notification,
        event_definition_id: '<unknown>',
        event_definition_title: '<unknown>',
        backlog: [],
      };
      const pressed = { ...test, event: { ...notification.event, id: 'TEST', message: null, key: id } };
      expect((await door.send(sender, JSON.stringify(pressed), json)).body).toMatchObject({ accepted: 1 });
    }
    expect(await storedOf(sender)).toHaveLength(4);
  });

  it.each([
    ['4.3 to 7.1', { event_definition_id: 'NotificationTestId', event_definition_type: 'notification-test-v1' }],
    ['a version that names them otherwise', { event_definition_id: 'EventDefinitionTestId' }],
  ])('arrive with every press of the test button of %s', async (_versions, named) => {
    const sender = await fixture.newSource('graylog');
    for (const second of ['01', '02', '03']) {
      const event = {
        ...notification.event,
        id: 'TEST_NOTIFICATION_ID',
        event_definition_type: 'notification-test-v1',
        timestamp: `2026-11-21T11:59:${second}.000Z`,
        message: 'Notification test message triggered from user <admin>',
      };
      const pressed = { ...notification, ...named, event_definition_title: 'Event Definition Test Title', event };
      expect((await door.send(sender, JSON.stringify({ ...pressed, backlog: [] }), json)).body).toMatchObject({
        accepted: 1,
        duplicate: false,
      });
    }
    expect(await storedOf(sender)).toHaveLength(3);
  });

  it('hold halves of surrogate pairs in what becomes a column, and are stored without them', async () => {
    const sender = await fixture.newSource('graylog');
    const message = { ...notification.backlog[0], source: '\ud83d', id: '\ud83d' };
    const event = { ...notification.event, id: '', message: 'half \ud83d', source: '\udc00' };
    const body = JSON.stringify({ ...notification, event, backlog: [message] });
    expect((await door.send(sender, body, json)).body).toMatchObject({ accepted: 2 });
    const [first, alert] = await storedOf(sender);
    expect(first).toMatchObject({ host: '\ufffd', fields: { graylog_id: '\ufffd' } });
    expect(alert).toMatchObject({
      message: 'half \ufffd',
      host: '\ufffd',
      fields: { event: { message: 'half \ufffd' } },
    });
  });

  it('of megabytes are kept to the size of any record', async () => {
    const sender = await fixture.newSource('graylog');
    const long = 'x'.repeat(600_000);
    const event = { ...notification.event, message: long, source: long, fields: { long } };
    const backlog = [{ ...notification.backlog[0], id: long, source: long }];
    const body = JSON.stringify({ ...notification, event, backlog });
    expect((await door.send(sender, body, json)).body).toMatchObject({ accepted: 2 });
    for (const stored of await storedOf(sender)) {
      expect(JSON.stringify(stored).length).toBeLessThan(400_000);
      expect(stored.fields).toHaveProperty('raw_truncated_bytes');
    }
    const alert = (await storedOf(sender)).find(({ event_type }) => event_type === 'alert');
    const named = { event_definition_id: notification.event_definition_id, event: { id: notification.event.id } };
    expect(alert?.fields).toMatchObject(named);
  });

  it.each([
    ['no event', '{"event_definition_id":"x","backlog":[]}', 202, 1],
    ['a backlog that is none', JSON.stringify({ ...notification, backlog: 'x' }), 202, 1],
    ['a broken body', '{"event":', 202, 1],
  ])('with %s are refused with the reason', async (_name, body, status, rejected) => {
    const reply = await door.send(await fixture.newSource('graylog'), body, json);
    expect([reply.status, reply.body.rejected, reply.body.accepted]).toEqual([status, rejected, 0]);
  });
});

describe('CloudEvents', () => {
  const event = {
    specversion: '1.0',
    id: 'e-1',
    source: '/badge/hq',
    type: 'com.example.door.opened',
    time: '2026-11-21T11:50:00Z',
    data: { user: 'ana', door: 7 },
  };
  const structured = { 'content-type': 'application/cloudevents+json; charset=utf-8' };

  it('come structured, one or a batch', async () => {
    const sender = await fixture.newSource('cloudevents');
    expect((await door.send(sender, JSON.stringify(event), structured)).body).toMatchObject({ accepted: 1 });
    const batch = JSON.stringify([
      { ...event, id: 'e-2' },
      { ...event, id: 'e-3', specversion: '0.3' },
      { ...event, id: '' },
    ]);
    const reply = await door.send(sender, batch, { 'content-type': 'application/cloudevents-batch+json' });
    expect(reply.body).toMatchObject({
      accepted: 1,
      rejected: 2,
      errors: [
        { line: 2, message: 'A CloudEvent needs specversion 1.0.' },
        { line: 3, message: 'A CloudEvent needs id.' },
      ],
    });
    // Both have the same time, and ids that say nothing of their order.
    const stored = await storedOf(sender);
    const first = stored.find(({ fields }) => JSON.stringify(fields).includes('"e-1"'));
    expect(first).toMatchObject({ user: 'ana', message: 'com.example.door.opened', time: '2026-11-21 11:50:00.000' });
    expect(first?.fields).toMatchObject({ door: 7, cloudevent: { id: 'e-1', source: '/badge/hq' } });
  });

  it('come in binary mode, with attributes in headers', async () => {
    const sender = await fixture.newSource('webhook');
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': 'b-1',
      'ce-source': '/sshd',
      'ce-type': 'log%20line',
      'content-type': 'text/plain',
    };
    const line = 'Nov 21 11:50:00 h sshd[1]: Failed password for root from 203.0.113.9 port 1 ssh2';
    expect((await door.send(sender, line, headers)).status).toBe(202);
    expect(await storedOf(sender)).toMatchObject([
      { integration: 'sshd', user: 'root', raw: line, fields: { cloudevent: { id: 'b-1', type: 'log line' } } },
    ]);
    const { 'ce-id': _id, ...incomplete } = headers;
    expect((await door.send(sender, line, incomplete)).body.code).toBe('VALIDATION_FAILED');
    expect((await door.send(sender, 'x', { ...headers, 'content-type': 'application/avro' })).status).toBe(415);
  });

  it('hold halves of surrogate pairs anywhere, and are stored without them', async () => {
    const sender = await fixture.newSource('cloudevents');
    const halves = [
      { ...event, id: 'h-1', type: '\ud800', data: {} },
      { ...event, id: 'h-2', extension: '\ud83d', data: 'a line \ud83d' },
      { ...event, id: 'h-3', data: { user: '\udc00', nul: '\0' } },
    ];
    const reply = await door.send(sender, JSON.stringify(halves), { 'content-type': 'application/json' });
    expect(reply.body).toMatchObject({ accepted: 3 });
    const stored = await storedOf(sender);
    expect(stored.map(({ message }) => message)).toEqual(expect.arrayContaining(['\ufffd', 'a line \ufffd']));
    expect(stored.map(({ user }) => user)).toContain('\ufffd');
  });

  it.each<[string, object]>([
    ['data', { data: { long: 'x'.repeat(900_000) } }],
    ['text', { data: 'x'.repeat(900_000) }],
    ['packed data', { data_base64: Buffer.alloc(600_000, 'x').toString('base64') }],
    ['attributes', { type: 'x'.repeat(300_000), subject: 'y'.repeat(300_000), extension: 'z'.repeat(300_000) }],
  ])('with very long %s are kept to the size of any record', async (_name, parts) => {
    const sender = await fixture.newSource('cloudevents');
    const body = JSON.stringify({ ...event, ...parts });
    expect((await door.send(sender, body, structured)).body).toMatchObject({ accepted: 1 });
    const [stored] = await storedOf(sender);
    expect(stored?.raw).toBe(body.slice(0, 262_144));
    expect(stored?.fields).toMatchObject({ raw_truncated_bytes: body.length - 262_144, cloudevent: { id: 'e-1' } });
    expect(JSON.stringify(stored?.fields).length).toBeLessThan(10_000);
  });

  it('are one when their source sends the same id again', async () => {
    const sender = await fixture.newSource('cloudevents');
    await door.send(sender, JSON.stringify(event), structured);
    await door.send(sender, JSON.stringify(event, null, 1), structured);
    await door.send(sender, JSON.stringify({ ...event, source: '/badge/branch' }), structured);
    expect(await storedOf(sender)).toHaveLength(2);
  });
});

describe('an audit of Kubernetes that Azure holds as text', () => {
  // As Kubernetes writes them: labels where one name begins like another, and the bookkeeping of who set which field.
  const metadata = {
    labels: { app: 'web', 'app.kubernetes.io': 'x', 'app.kubernetes.io/name': 'web' },
    managedFields: [{ fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } }, 'k:{"uid":"1"}': {} } }],
  };
  const log = JSON.stringify({
    verb: 'create',
    user: { username: 'ana' },
    '': { '.': 1 },
    requestObject: { metadata },
  });

  it('is stored with its fields, which a query finds, and with the text and the line as they came', async () => {
    const sender = await fixture.newSource();
    const line = JSON.stringify({ category: 'kube-audit', properties: { log, pod: 'api-1' } });
    expect((await door.send(sender, line, json)).body).toMatchObject({ accepted: 1 });
    const [stored] = await storedOf(sender);
    expect(stored?.raw).toBe(line);
    expect(stored?.fields).toMatchObject({
      properties: { log, pod: 'api-1', log_json: { verb: 'create', user: { username: 'ana' } } },
    });
    const found = await fixture.stores.events.query({
      tenant: sender.tenantId,
      sql: `select id from events where tenant = {tenant:UUID} and fields.properties.log_json.user.username = 'ana'`,
    });
    expect(found).toHaveLength(1);
  });
});

describe('packed bodies', () => {
  const lines = Array.from({ length: 400 }, (_, n) => JSON.stringify({ n, text: `line ${n % 7}` })).join('\n');
  const hasZstd = spawnSync('zstd', ['--version']).status === 0;
  const zstd = (bytes: string | Buffer, ...options: string[]) =>
    execFileSync('zstd', ['-c', '-q', ...options], { input: bytes, maxBuffer: 64 * 1_048_576 });
  const packed = { 'content-encoding': 'zstd' };

  it('are unpacked from deflate', async () => {
    const reply = await door.send(await fixture.newSource(), deflateSync(lines), { 'content-encoding': 'deflate' });
    expect(reply.body).toMatchObject({ accepted: 400 });
  });

  it.skipIf(!hasZstd)(
    'are unpacked from zstd: strong, fast, several frames, with and without sizes and sums',
    async () => {
      const half = lines.indexOf('\n', lines.length / 2) + 1;
      const frames = Buffer.concat([zstd(lines.slice(0, half)), zstd(lines.slice(half), '--no-check')]);
      for (const body of [zstd(lines, '-19'), zstd(lines, '--fast=5'), zstd(lines, '--no-content-size'), frames]) {
        const sender = await fixture.newSource();
        expect((await door.send(sender, body, packed)).body).toMatchObject({ accepted: 400, rejected: 0 });
        expect(await fixture.eventsOf(sender.tenantId)).toHaveLength(400);
      }
    },
  );

  it.skipIf(!hasZstd)('of zstd are stopped at the limit, whether they announce their size or not', async () => {
    const zeros = Buffer.alloc(60 * 1_048_576, 0x20);
    for (const body of [zstd(zeros), zstd(zeros, '--no-content-size')]) {
      const reply = await door.send(await fixture.newSource(), body, packed);
      expect([reply.status, reply.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    }
  });

  /** A frame that asks for 2 GB of window, one of unknown kind, a block that breaks off, and a reserved block. */
  const hostile: [string, Buffer][] = [
    ['what is not zstd', Buffer.from('plain text, long enough')],
    ['a window of gigabytes', Buffer.from('28b52ffd04a8010000', 'hex')],
    ['a dictionary nobody has', Buffer.from('28b52ffd01580711010000', 'hex')],
    ['a frame that breaks off', Buffer.from('28b52ffd0458c10000ab', 'hex')],
    ['a reserved kind of block', Buffer.from('28b52ffd0458070000aaaaaaaa', 'hex')],
    ['a size of 2^63 in eight bytes', Buffer.from('28b52ffde0000000000000008001000000', 'hex')],
  ];
  it.each(hostile)('refuses %s', async (_name, body) => {
    const reply = await door.send(await fixture.newSource(), body, packed);
    expect([400, 413]).toContain(reply.status);
  });
});
