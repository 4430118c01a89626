import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createIngestionFixture, type Door, type IngestionFixture, type Sender } from './ingestion-fixture.ts';

let fixture: IngestionFixture;
let door: Door;

beforeAll(async () => {
  fixture = await createIngestionFixture();
  door = await fixture.serve();
});
afterAll(() => fixture.close());

const lines = (count: number, parts: object = {}) =>
  Array.from({ length: count }, (_, n) => JSON.stringify({ n, user: `user-${n}`, ...parts })).join('\n');

describe('bodies', () => {
  it('keeps the good lines of a batch, and names the bad ones by line', async () => {
    const sender = await fixture.newSource();
    const body = '{"n":1}\n{"n":2\n\n"a plain line"\n[1]\n{"n":6}\r\n';
    const reply = await door.send(sender, body);
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({
      accepted: 3,
      rejected: 2,
      errors: [
        { line: 2, message: 'Not valid JSON.' },
        { line: 5, message: 'A record must be a JSON object.' },
      ],
    });
    expect((await fixture.eventsOf(sender.tenantId)).map((e) => e.raw).sort()).toEqual([
      'a plain line',
      '{"n":1}',
      '{"n":6}',
    ]);
  });

  it('shows at most 100 of the bad lines, but counts all', async () => {
    const { body } = await door.send(await fixture.newSource(), 'x\n'.repeat(150));
    expect([body.accepted, body.rejected, body.errors?.length]).toEqual([0, 150, 100]);
  });

  it.each([
    ['a JSON array', 'application/json', ' [{"n":1}, {"a":"]},["} ,"line"]\n', 3],
    ['an empty array', 'application/json; charset=utf-8', '[]', 0],
    ['one JSON object', 'application/json', '{\n "n": 1\n}', 1],
    ['lines of JSON that call themselves JSON', 'application/json', '{"n":1}\n{"n":2}\r\n{"n":3}\n', 3],
    ['lines of JSON behind empty ones', 'application/json', '\n\n{"n":1}\n{"n":2}\n', 2],
    ['plain lines', 'text/plain', '<34>Nov 21 11:00:00 h app: hi\n\nwords', 2],
  ])('takes %s', async (_name, contentType, body, accepted) => {
    const reply = await door.send(await fixture.newSource(), body, { 'content-type': contentType });
    expect([reply.status, reply.body.accepted, reply.body.rejected]).toEqual([202, accepted, 0]);
  });

  it.each([
    [
      'too large',
      `{"events":[\n${`{"text":"${'x'.repeat(1_000)}"},\n`.repeat(1_100)}{"last":1}\n]}`,
      'larger than 1 MB',
    ],
    ['broken', '{\n "list": [\n "one",\n "two"\n ],,\n}', 'Not valid JSON.'],
  ])('takes nothing out of one record over several lines that is %s', async (_how, body, message) => {
    const sender = await fixture.newSource();
    const reply = await door.send(sender, body, { 'content-type': 'application/json' });
    expect(reply.body).toMatchObject({ accepted: 0, rejected: 1 });
    expect(reply.body.errors?.[0]?.message).toContain(message);
  });

  it.each(['[{"n":1}', '[{"n":1}] x', '[{"n":1} {"n":2}'])('stores nothing of the broken array %s', async (body) => {
    const sender = await fixture.newSource();
    const reply = await door.send(sender, body, { 'content-type': 'application/json' });
    expect(reply).toMatchObject({ status: 400, body: { code: 'BODY_NOT_DECODABLE' } });
    expect(await fixture.eventsOf(sender.tenantId)).toEqual([]);
  });

  it('unpacks gzip', async () => {
    const sender = await fixture.newSource();
    expect((await door.send(sender, gzipSync(lines(50)), { 'content-encoding': 'gzip' })).body.accepted).toBe(50);
    expect(await fixture.eventsOf(sender.tenantId)).toHaveLength(50);
  });

  it('stores lines of nothing but control characters, which as JSON are twelve times as long', async () => {
    const sender = await fixture.newSource();
    const body = gzipSync(`${'\u0001'.repeat(262_144)}\n`.repeat(90));
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    const patient = await fixture.serve(fixture.startIngestion({ answerMs: 100_000 }));
    expect((await patient.send(sender, body, headers)).body).toMatchObject({ accepted: 90 });
    const [counted] = await fixture.stores.events.query({
      tenant: sender.tenantId,
      sql: 'select count() as events, max(length(raw)) as longest from events where tenant = {tenant:UUID}',
    });
    expect(counted).toEqual({ events: 90, longest: 262_144 });
  });

  it('reads of a line that is far too long only its beginning, and says how much of it is gone', async () => {
    const sender = await fixture.newSource();
    const body = gzipSync(`{${'"k":1,'.repeat(500_000)}"k":1}\n`);
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    expect((await door.send(sender, body, headers)).body).toMatchObject({ accepted: 1 });
    const [event] = await fixture.eventsOf(sender.tenantId);
    expect(event?.fields).toMatchObject({ raw_truncated_bytes: 3_000_007 - 262_144 });
  });

  it.each([
    ['lines', 'application/x-ndjson', (records: string[]) => records.join('\n')],
    ['an array', 'application/json', (records: string[]) => `[${records.join(',')}]`],
  ])(
    'leaves out of %s a record that is far too large, names it, and takes those around it',
    async (_what, type, bodyOf) => {
      const sender = await fixture.newSource();
      const body = gzipSync(bodyOf(['{"n":1}', `{"n":2,"text":"${'x'.repeat(12 * 1_048_576)}"}`, '{"n":3}']), {
        level: 1,
      });
      const reply = await door.send(sender, body, { 'content-type': type, 'content-encoding': 'gzip' });
      expect([reply.status, reply.body]).toMatchObject([
        202,
        { accepted: 2, rejected: 1, errors: [{ line: 2, message: 'The record is larger than 1 MB.' }] },
      ]);
      expect((await fixture.eventsOf(sender.tenantId)).map(({ raw }) => raw).toSorted()).toEqual([
        '{"n":1}',
        '{"n":3}',
      ]);
    },
  );

  it('stops a gzip bomb at the limit instead of unpacking it', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * 1_048_576, 0x20), { level: 1 });
    const reply = await door.send(await fixture.newSource(), bomb, { 'content-encoding': 'gzip' });
    expect([reply.status, reply.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });

  it.each([
    ['what is not gzip', 'plain', { 'content-encoding': 'gzip' }, 400, 'BODY_NOT_DECODABLE'],
    [
      'gzip that breaks off',
      gzipSync(lines(500)).subarray(0, 100),
      { 'content-encoding': 'gzip' },
      400,
      'BODY_NOT_DECODABLE',
    ],
    ['another packing', 'x', { 'content-encoding': 'br' }, 415, 'MEDIA_TYPE_UNSUPPORTED'],
    ['another content type', 'x', { 'content-type': 'application/xml' }, 415, 'MEDIA_TYPE_UNSUPPORTED'],
    ['too many records', '1\n'.repeat(50_001), {}, 413, 'BODY_TOO_LARGE'],
    ['a key that is too long', '{}', { 'idempotency-key': 'k'.repeat(201) }, 400, 'VALIDATION_FAILED'],
  ])('refuses %s', async (_name, body, headers, status, code) => {
    const reply = await door.send(await fixture.newSource(), body, headers as Record<string, string>);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('refuses an announced size beyond the limit before anything is sent', async () => {
    const sender = await fixture.newSource();
    const path = `/api/${sender.tenantId}/event/ingest/${sender.id}`;
    const headers = {
      authorization: `Bearer ${sender.token}`,
      'content-type': 'text/plain',
      'content-length': String(17 * 1_048_576),
    };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request({ port: door.port, path, method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        call.destroy();
      });
      call.on('error', reject);
      call.flushHeaders();
    });
    expect(status).toBe(413);
  });

  it('stores hostile records without harm to their neighbours', async () => {
    const sender = await fixture.newSource();
    const hostile = [
      '{"a.b":1,"a":{"b":2}}',
      '{"x":"\\ud800","nul":"\\u0000"}',
      '{"user":"\\ud800","message":"\\udc00\\u0000","host":"a\\ud83d","\\ud83d":1}',
      JSON.stringify('<34>Nov 21 11:59:00 h app: {"user":"cut off \\ud83d"}'),
      JSON.stringify('<34>Nov 21 11:59:00 h \ud83d: a half\0 of a pair \udc00'),
      '{"huge":123456789012345678901}',
      '{"__proto__":{"admin":true},"constructor":1}',
      '{"":1,"..":2,"a":{"":3}}',
      `{"deep":${'['.repeat(60)}${']'.repeat(60)}}`,
      `{"deeper":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]))),
      JSON.stringify({ ['k'.repeat(65_536)]: 1 }),
      '{"same":1}',
      '{"same":"text"}',
      '{"same":{"x":[1,"y"]}}',
    ];
    const reply = await door.send(sender, hostile.join('\n'));
    expect([reply.status, reply.body.accepted, reply.body.rejected]).toEqual([202, 14, 1]);
    expect(await fixture.eventsOf(sender.tenantId)).toHaveLength(14);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('a time that is not the event’s own', () => {
  it('is that of the receipt, and a field says why; a field of that name stays what it was', async () => {
    const sender = await fixture.newSource();
    const [good, early, late] = ['2026-11-21T11:00:00Z', '1970-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];
    const records = [
      ...[{ time: good }, { time: early }, { time: late }, { user: 'a' }],
      { time: early, time_source: 'ntp' },
    ];
    await door.send(sender, records.map((record) => JSON.stringify(record)).join('\n'));
    const stored = await fixture.stores.events.query<{ raw: string; own: boolean; fields: { time_source?: string } }>({
      tenant: sender.tenantId,
      sql: 'select raw, time != received_at as own, fields from events where tenant = {tenant:UUID}',
    });
    const told = new Map(stored.map(({ raw, own, fields }) => [raw, [Boolean(own), fields.time_source]]));
    expect(records.map((record) => told.get(JSON.stringify(record)))).toEqual([
      [true, undefined],
      [false, 'unbelievable'],
      [false, 'unbelievable'],
      [false, 'received'],
      [false, 'ntp'],
    ]);
  });
});

describe('a sender that breaks off in the middle of a body', () => {
  const whole = Buffer.from(lines(3_000));

  it.each<[string, Buffer, Record<string, string>]>([
    ['of announced length', whole, { 'content-length': String(whole.length) }],
    ['in chunks', whole, {}],
    ['packed with gzip', gzipSync(whole), { 'content-encoding': 'gzip' }],
    ['packed with zstd', whole, { 'content-encoding': 'zstd' }],
  ])('%s has nothing stored and no memory held, and can send it again', async (_name, body, headers) => {
    const ingestion = fixture.startIngestion();
    const [own, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    const call = request({
      ...{ port: own.port, method: 'POST', path: `/api/${sender.tenantId}/event/ingest/${sender.id}` },
      headers: { authorization: `Bearer ${sender.token}`, 'content-type': 'application/x-ndjson', ...headers },
    });
    call.on('error', () => undefined);
    call.write(body.subarray(0, body.length >> 1));
    const held = async () => (await ingestion.stats()).held_bytes;
    await expect.poll(held, { timeout: 60_000 }).toBeGreaterThan(0);
    call.destroy();
    await expect.poll(held, { timeout: 60_000 }).toBe(0);
    expect(await fixture.eventsOf(sender.tenantId)).toEqual([]);
    const noted = (tenantId: string) =>
      fixture.db.tenant(tenantId, (tx) => tx.selectFrom('ingest_batch').select('id').execute());
    expect(await noted(sender.tenantId)).toEqual([]);
    expect((await own.send(sender, whole)).body).toMatchObject({ accepted: 3_000, duplicate: false });
  });
});

describe('a body without room', () => {
  /** Sends the head and `sent` bytes of a body; the answer comes only if the rest is not waited for. */
  function announce(port: number, sender: Sender, { bytes, sent }: { bytes: number; sent: number }) {
    const call = request({
      ...{ port, method: 'POST', path: `/api/${sender.tenantId}/event/ingest/${sender.id}` },
      headers: {
        authorization: `Bearer ${sender.token}`,
        'content-type': 'text/plain',
        'content-length': String(bytes),
      },
    });
    const answer = new Promise<unknown[]>((resolve) => {
      call.on('response', ({ statusCode, headers }) => resolve([statusCode, headers['retry-after']]));
      call.on('error', () => undefined);
    });
    call.flushHeaders();
    call.write(Buffer.alloc(sent, 'x'));
    return { answer, leave: () => call.destroy() };
  }

  it.each([
    ['is held', 60_000],
    ['the same tenant has announced', 1],
  ])('is refused before it is sent, where what %s leaves none', async (_name, sent) => {
    const ingestion = fixture.startIngestion({ heldBytesMax: 100_000 });
    const [{ port }, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    const first = announce(port, sender, { bytes: 60_001, sent });
    await expect.poll(async () => (await ingestion.stats()).held_bytes).toBe(sent);
    expect(await announce(port, sender, { bytes: 60_000, sent: 0 }).answer).toEqual([
      503,
      expect.stringMatching(/^[1-5]$/),
    ]);
    first.leave();
  });

  it.each([
    ['keeps the connection of its sender, who is to come again', 60_000, 'keep-alive'],
    ['ends the connection where too much of it is still to come', 2_000_000, 'close'],
  ])('%s', async (_name, bytes, connection) => {
    const ingestion = fixture.startIngestion({ heldBytesMax: 100_000 });
    const [{ port }, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    const first = announce(port, sender, { bytes: 60_001, sent: 1 });
    await expect.poll(async () => (await ingestion.stats()).held_bytes).toBe(1);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (body: string) =>
      new Promise<{ status?: number | undefined; connection?: string | undefined; from?: number | undefined }>(
        (resolve, reject) => {
          const path = `/api/${sender.tenantId}/event/ingest/${sender.id}`;
          const headers = { authorization: `Bearer ${sender.token}`, 'content-type': 'text/plain' };
          const call = request({ port, path, agent, method: 'POST', headers }, (response) => {
            const { statusCode: status, headers: answered } = response;
            response.resume().on('end', () => {
              resolve({ status, connection: answered.connection, from: call.socket?.localPort });
            });
          });
          call.on('error', reject);
          call.setHeader('content-length', body.length);
          call.end(body);
        },
      );
    const refused = await send('x'.repeat(bytes));
    expect(refused).toMatchObject({ status: 503, connection });
    first.leave();
    await expect.poll(async () => (await ingestion.stats()).held_bytes).toBe(0);
    const taken = await send('a line');
    expect(taken.status).toBe(202);
    expect(taken.from === refused.from).toBe(connection === 'keep-alive');
    agent.destroy();
  });

  it('is that of its own tenant only, where it was announced and not sent', async () => {
    const ingestion = fixture.startIngestion({ heldBytesMax: 100_000 });
    const own = await fixture.serve(ingestion);
    const [sender, other] = [await fixture.newSource(), await fixture.newSource()];
    const first = announce(own.port, sender, { bytes: 90_000, sent: 1 });
    await expect.poll(async () => (await ingestion.stats()).held_bytes).toBe(1);
    expect((await own.send(other, lines(1_000))).status).toBe(202);
    first.leave();
  });
});

describe('a tenant with a quota of events', () => {
  it('is refused with 429 once it sent what ten seconds allow, until that is worked off; others are not', async () => {
    const door = await fixture.serve(fixture.startIngestion({ eventsPerSecondMax: 1 }));
    const [loud, quiet] = [await fixture.newSource(), await fixture.newSource()];
    const lines = (count: number) => Array.from({ length: count }, (_, n) => JSON.stringify({ n })).join('\n');
    expect(await door.send(loud, lines(15))).toMatchObject({ status: 202, body: { accepted: 15 } });
    expect(await door.send(loud, lines(1))).toMatchObject({
      status: 429,
      retryAfter: expect.stringMatching(/^[1-6]$/),
      body: { code: 'RATE_LIMITED' },
    });
    expect(await door.send(quiet, lines(5))).toMatchObject({ status: 202 });
  });

  it.each([
    ['holds nothing', 'text/plain', '\n', 202],
    ['breaks off', 'application/json', '[', 400],
  ])('pays for the bytes of a body that %s', async (_name, type, filler, status) => {
    const door = await fixture.serve(fixture.startIngestion({ eventsPerSecondMax: 1 }));
    const sender = await fixture.newSource();
    const body = gzipSync(Buffer.alloc(1_048_576, filler));
    const headers = { 'content-type': type, 'content-encoding': 'gzip' };
    expect((await door.send(sender, body, headers)).status).toBe(status);
    expect((await door.send(sender, body, headers)).status).toBe(429);
  });
});

describe('who may send', () => {
  it('answers a wrong token, a foreign one and an unknown source alike, and reads no body', async () => {
    const [own, other] = [await fixture.newSource(), await fixture.newSource()];
    const sibling = await fixture.newSource('ndjson', { tenantId: own.tenantId });
    const wrong = [
      { ...own, token: other.token },
      { ...own, token: sibling.token },
      { ...own, tenantId: other.tenantId },
      { ...own, token: `${own.token.slice(0, -1)}${own.token.endsWith('A') ? 'B' : 'A'}` },
      { ...own, token: 'src_short' },
      { ...own, id: '00000000-0000-7000-8000-000000000000' },
    ];
    for (const sender of wrong) {
      expect(await door.send(sender, '{}')).toMatchObject({ status: 401, body: { code: 'TOKEN_INVALID' } });
    }
    expect(await door.send(own, '{}', { authorization: 'Basic x' })).toMatchObject({ body: { code: 'TOKEN_MISSING' } });
    expect([...(await fixture.eventsOf(own.tenantId)), ...(await fixture.eventsOf(other.tenantId))]).toEqual([]);
  });

  it('stores for the tenant of the token, whatever the record claims', async () => {
    const [own, other] = [await fixture.newSource(), await fixture.newSource()];
    const claim = {
      integration: 'x',
      event_type: 'y',
      tenant: other.tenantId,
      tenant_id: other.tenantId,
      source: other.id,
    };
    await door.send(own, JSON.stringify(claim));
    expect(await fixture.eventsOf(own.tenantId)).toMatchObject([{ source: own.id }]);
    expect(await fixture.eventsOf(other.tenantId)).toEqual([]);
  });
});

describe('counters', () => {
  it('show events, bytes and the last arrival of a source without reading the events', async () => {
    const sender = await fixture.newSource();
    await door.send(sender, '{"time":"2026-11-20T10:30:00.000Z"}\n{"time":"2026-11-21T11:30:00.000Z"}\n{"a":1}');
    const scope = trustedTenantScope(sender.tenantId);
    const { service, volume } = fixture.sources;
    const [source] = await fixture.db.tenant(sender.tenantId, (tx) => service.list(tx, scope));
    expect(source).toMatchObject({
      events_24h: 3,
      last_event_at: '2026-11-21T12:00:00.000Z',
      token_hint: sender.token.slice(-4),
    });
    const now = new Date('2026-11-21T12:00:00Z');
    const days = { start: new Date('2026-11-20T00:00:00Z'), end: new Date('2026-11-22T00:00:00Z') };
    const period = { ...days, buckets: 4, bucketMs: 12 * 3_600_000, now };
    const read = await fixture.db.tenant(sender.tenantId, (tx) => volume.read(tx, scope, period));
    expect(read).toEqual({
      events: 3,
      bytes: 35 + 35 + 7,
      history: [
        { t: '2026-11-20T00:00:00.000Z', count: 1 },
        { t: '2026-11-20T12:00:00.000Z', count: 0 },
        { t: '2026-11-21T00:00:00.000Z', count: 1 },
        { t: '2026-11-21T12:00:00.000Z', count: 1 },
      ],
    });
  });
});
