import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EventRow, EventsError } from '../../storage/events-store.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { Detection } from '../detection/detection-port.ts';
import { createIngestionFixture, type Gate, type IngestionFixture, newGate } from './ingestion-fixture.ts';

let fixture: IngestionFixture;

beforeAll(async () => {
  fixture = await createIngestionFixture();
});
afterAll(() => fixture.close());

const guesses = (count: number, { day = 21, from = '203.0.113.9' } = {}) =>
  Array.from(
    { length: count },
    (_, n) =>
      `Nov ${day} 11:50:${String(n).padStart(2, '0')} h sshd[1]: Failed password for root from ${from} port 1 ssh2`,
  ).join('\n');
const text = { 'content-type': 'text/plain' };
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

const rule: PolicyRule = {
  name: 'Guessing',
  description: 'Many failures from one address.',
  type: 'custom',
  severity: 'high',
  logic: {
    rule_type: 'filter_and_group',
    filter_criteria: [{ field: 'outcome', operator: 'equals', value: 'failure' }],
    group_by: ['src_ip'],
    threshold: { count: 5, within_s: 300 },
    source: { source_type: 'log', connector_definition_id: 'sshd', event_type: 'authentication' },
  },
};

async function watchedSource() {
  const sender = await fixture.newSource();
  await fixture.createPolicy(sender.tenantId, rule);
  await fixture.detection.start();
  return sender;
}

/** Everything a repetition could have doubled. */
async function tally(tenantId: string) {
  const events = await fixture.eventsOf(tenantId);
  const cases = await fixture.casesOf(tenantId);
  const hours = await fixture.db.tenant(tenantId, (tx) =>
    tx.selectFrom('source_event_hour').select('events').execute(),
  );
  return {
    stored: events.length,
    different: new Set(events.map((e) => e.id)).size,
    cases: cases.map((c) => c.event_count),
    counted: hours.reduce((sum, row) => sum + row.events, 0),
  };
}
const once = { stored: 8, different: 8, cases: [8], counted: 8 };

describe('a delivery that comes again', () => {
  it('is stored, evaluated and counted once, and answered as before', async () => {
    const [door, sender] = [await fixture.serve(), await watchedSource()];
    const first = await door.send(sender, guesses(8), text);
    expect(first.body).toMatchObject({ accepted: 8, duplicate: false });
    expect(await door.send(sender, guesses(8), text)).toEqual({ ...first, body: { ...first.body, duplicate: true } });
    expect(await tally(sender.tenantId)).toEqual(once);
  });

  it('is written once when it comes ten times at the same moment', async () => {
    const [door, sender] = [await fixture.serve(), await watchedSource()];
    const replies = await Promise.all(Array.from({ length: 10 }, () => door.send(sender, guesses(8), text)));
    expect(new Set(replies.map((r) => `${r.status} ${r.body.batch_id} ${r.body.accepted}`)).size).toBe(1);
    expect(replies.filter((r) => r.body.duplicate === false)).toHaveLength(1);
    expect(await tally(sender.tenantId)).toEqual(once);
  });

  it('is told by its Idempotency-Key, which no other body and no other source can use', async () => {
    const [door, sender, other] = [await fixture.serve(), await watchedSource(), await fixture.newSource()];
    const keyed = { ...text, 'idempotency-key': 'batch-1' };
    await door.send(sender, guesses(8), keyed);
    expect(await door.send(sender, guesses(9), keyed)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    expect(await door.send(other, guesses(9), keyed)).toMatchObject({ status: 202, body: { accepted: 9 } });
    expect(await tally(sender.tenantId)).toEqual(once);
  });

  it('is one of its own once its key is forgotten: other events under the same key are stored, and a case counts them', async () => {
    const ingestion = fixture.startIngestion();
    const [door, sender] = [await fixture.serve(ingestion), await watchedSource()];
    const weekly = { ...text, 'idempotency-key': 'weekly job' };
    const first = await door.send(sender, guesses(8), weekly);
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 25 * 3_600_000);
    await ingestion.purge();
    const later = await door.send(sender, guesses(6, { day: 22, from: '203.0.113.10' }), weekly);
    expect(later).toMatchObject({ status: 202, body: { accepted: 6, duplicate: false } });
    expect(later.body.batch_id).not.toBe(first.body.batch_id);
    const { cases, ...others } = await tally(sender.tenantId);
    expect(others).toEqual({ stored: 14, different: 14, counted: 14 });
    expect(cases.sort()).toEqual([6, 8]);
  });

  it('counts again under another key: two equal bodies may be two deliveries', async () => {
    const [door, sender] = [await fixture.serve(), await fixture.newSource()];
    await door.send(sender, guesses(2), { ...text, 'idempotency-key': 'a' });
    await door.send(sender, guesses(2), { ...text, 'idempotency-key': 'b' });
    expect((await tally(sender.tenantId)).stored).toBe(4);
  });
});

describe('an equal body without a key', () => {
  const passMinutes = (minutes: number) => {
    fixture.clock.now = new Date(fixture.clock.now.getTime() + minutes * 60_000);
  };
  const twice = { stored: 4, different: 4, counted: 4 };
  const away: Detection = { match: () => Promise.reject(new Error('away')), apply: () => Promise.resolve() };

  it('is a repetition for ten minutes and a delivery of its own after that, as heartbeats are', async () => {
    const [door, sender] = [await fixture.serve(), await fixture.newSource()];
    const send = async () => (await door.send(sender, guesses(2), text)).body;
    const first = await send();
    passMinutes(9);
    expect(await send()).toEqual({ ...first, duplicate: true });
    passMinutes(2);
    const second = await send();
    expect(second).toMatchObject({ accepted: 2, duplicate: false });
    expect(second.batch_id).not.toBe(first.batch_id);
    expect(await send()).toEqual({ ...second, duplicate: true });
    expect(await tally(sender.tenantId)).toMatchObject(twice);
  });

  it('is stored once more when two processes get it several times at once after that', async () => {
    const sender = await fixture.newSource();
    const doors = [
      await fixture.serve(fixture.startIngestion({ isOnlyWriter: false })),
      await fixture.serve(fixture.startIngestion({ isOnlyWriter: false })),
    ];
    await doors[0]?.send(sender, guesses(2), text);
    passMinutes(11);
    const replies = await Promise.all([...doors, ...doors, ...doors].map((one) => one.send(sender, guesses(2), text)));
    expect(replies.filter((r) => r.body.duplicate === false)).toHaveLength(1);
    // Who came while the other process wrote it is to come again.
    expect(replies.filter((r) => r.status !== 202 && r.body.code !== 'OVERLOADED')).toEqual([]);
    expect(await tally(sender.tenantId)).toMatchObject(twice);
  });

  it('stays a repetition for a day where an Idempotency-Key says so', async () => {
    const [door, sender] = [await fixture.serve(), await fixture.newSource()];
    const send = async () => (await door.send(sender, guesses(2), { ...text, 'idempotency-key': 'beat-1' })).body;
    const first = await send();
    passMinutes(23 * 60);
    expect(await send()).toEqual({ ...first, duplicate: true });
  });

  it('is still the same after any time while nobody was told that it was taken', async () => {
    const sender = await fixture.newSource();
    const dying = await fixture.serve(fixture.startIngestion({ detection: away }));
    expect((await dying.send(sender, guesses(2), text)).status).toBe(503);
    passMinutes(30);
    const door = await fixture.serve();
    expect((await door.send(sender, guesses(2), text)).body).toMatchObject({ accepted: 2, duplicate: false });
    expect(await tally(sender.tenantId)).toMatchObject({ stored: 2, different: 2, counted: 2 });
  });

  it('counts the ten minutes from when it was done, which a slow store may put off for longer', async () => {
    const { entered, gate, slow } = gatedDetection();
    const [door, sender] = [
      await fixture.serve(fixture.startIngestion({ detection: slow })),
      await fixture.newSource(),
    ];
    const first = door.send(sender, guesses(2), text);
    await entered.passed;
    passMinutes(15);
    gate.open();
    await first;
    expect((await door.send(sender, guesses(2), text)).body).toMatchObject({ duplicate: true });
  });

  it('neither loses nor doubles anything when the writer of the later one dies', async () => {
    const sender = await fixture.newSource();
    await (await fixture.serve()).send(sender, guesses(2), text);
    passMinutes(11);
    const dying = await fixture.serve(fixture.startIngestion({ detection: away }));
    expect((await dying.send(sender, guesses(2), text)).status).toBe(503);
    passMinutes(1);
    expect((await (await fixture.serve()).send(sender, guesses(2), text)).body).toMatchObject({ duplicate: false });
    expect(await tally(sender.tenantId)).toMatchObject(twice);
  });
});

describe('a record that says nothing of itself: neither when nor which', () => {
  const failure = { integration: 'sshd', event_type: 'authentication', outcome: 'failure', src_ip: '203.0.113.9' };
  const json = { 'content-type': 'application/json' };
  const away: Detection = { match: () => Promise.reject(new Error('away')), apply: () => Promise.resolve() };

  it('is an event of its own each time it is acknowledged: five failed logins are a case', async () => {
    const [door, sender] = [await fixture.serve(), await fixture.newSource('webhook')];
    await fixture.createPolicy(sender.tenantId, rule);
    await fixture.detection.start();
    for (let n = 0; n < 5; n++) {
      expect(await door.send(sender, JSON.stringify(failure), json)).toMatchObject({
        status: 202,
        body: { accepted: 1, duplicate: false },
      });
    }
    expect(await tally(sender.tenantId)).toEqual({ stored: 5, different: 5, cases: [5], counted: 5 });
  });

  it.each([
    ['webhook', 'application/json', JSON.stringify(failure)],
    ['webhook', 'text/plain', 'the door of the server room was opened\n'],
    ['gelf', 'application/json', '{"version":"1.1","host":"edge","short_message":"Failed login"}'],
  ] as const)(
    'is so at a source of kind %s that gets %s, also ten times at the same moment',
    async (kind, type, body) => {
      const [door, sender] = [await fixture.serve(), await fixture.newSource(kind)];
      const send = () => door.send(sender, body, { 'content-type': type });
      const replies = await Promise.all(Array.from({ length: 10 }, send));
      expect(replies.map(({ status, body: { duplicate } }) => `${status} ${duplicate}`)).toEqual(
        Array.from({ length: 10 }, () => '202 false'),
      );
      expect(await tally(sender.tenantId)).toMatchObject({ stored: 10, different: 10, counted: 10 });
    },
  );

  it.each([
    ['says when', 'webhook', { ...failure, time: '2026-11-21T11:59:58Z' }, json],
    ['says which', 'webhook', { ...failure, event_id: 'e-1' }, json],
    ['says when', 'gelf', { version: '1.1', host: 'a', short_message: 'b', timestamp: 1_795_262_398 }, json],
    ['stands in a list', 'webhook', [failure], json],
    ['is one of several', 'webhook', { Records: [failure, failure] }, json],
    ['came as lines', 'webhook', failure, { 'content-type': 'application/x-ndjson' }],
    ['came from a log shipper', 'ndjson', failure, json],
    ['has a key', 'webhook', failure, { ...json, 'idempotency-key': 'one' }],
  ] as const)('comes again as a repetition where it %s (%s)', async (_name, kind, record, headers) => {
    const [door, sender] = [await fixture.serve(), await fixture.newSource(kind)];
    const send = async () => (await door.send(sender, JSON.stringify(record), headers)).body;
    const first = await send();
    expect(await send()).toEqual({ ...first, duplicate: true });
    expect((await tally(sender.tenantId)).stored).toBe(first.accepted);
  });

  it('comes again as a repetition where its sender was gone before the answer, and once only', async () => {
    const { entered, gate, slow } = gatedDetection();
    const door = await fixture.serve(fixture.startIngestion({ detection: slow }));
    const sender = await fixture.newSource('webhook');
    const body = JSON.stringify(failure);
    const socket = connect(door.port, '127.0.0.1');
    const path = `/api/${sender.tenantId}/event/ingest/${sender.id}`;
    const head = `POST ${path} HTTP/1.1\r\nhost: air.example\r\nauthorization: Bearer ${sender.token}`;
    socket.write(`${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    await entered.passed;
    await new Promise<void>((resolve) => socket.once('close', () => resolve()).destroy());
    gate.open();
    await eventually(async () => expect((await tally(sender.tenantId)).counted).toBe(1));
    expect((await door.send(sender, body, json)).body).toMatchObject({ accepted: 1, duplicate: true });
    expect((await door.send(sender, body, json)).body).toMatchObject({ accepted: 1, duplicate: false });
    expect(await tally(sender.tenantId)).toMatchObject({ stored: 2, different: 2, counted: 2 });
  });

  it('comes again as a repetition where the stores hung and its sender was told to come again', async () => {
    const { gate, slow } = gatedDetection();
    const sender = await fixture.newSource('webhook');
    const door = await fixture.serve(fixture.startIngestion({ detection: slow, answerMs: 4_000 }));
    const send = () => door.send(sender, JSON.stringify(failure), json);
    expect((await send()).status).toBe(503);
    gate.open();
    await eventually(async () => expect((await tally(sender.tenantId)).counted).toBe(1));
    expect((await send()).body).toMatchObject({ accepted: 1, duplicate: true });
    expect((await send()).body).toMatchObject({ accepted: 1, duplicate: false });
    expect(await tally(sender.tenantId)).toMatchObject({ stored: 2, different: 2, counted: 2 });
  });

  it('is stored where its first try was refused, however equal one before it was', async () => {
    let isAway = false;
    const system: typeof fixture.db.system = (work) =>
      isAway ? Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })) : fixture.db.system(work);
    const sender = await fixture.newSource('webhook');
    const door = await fixture.serve(fixture.startIngestion({ db: { ...fixture.db, system } }));
    const send = () => door.send(sender, JSON.stringify(failure), json);
    expect((await send()).body).toMatchObject({ accepted: 1, duplicate: false });
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 1000);
    isAway = true;
    expect((await send()).status).toBe(503);
    isAway = false;
    expect((await send()).body).toMatchObject({ accepted: 1, duplicate: false });
    expect((await send()).body).toMatchObject({ accepted: 1, duplicate: false });
    expect(await tally(sender.tenantId)).toMatchObject({ stored: 3, different: 3, counted: 3 });
  });

  it('is gone on with where its writer died, by whoever gets it next', async () => {
    const sender = await fixture.newSource('webhook');
    const dying = await fixture.serve(fixture.startIngestion({ detection: away }));
    expect((await dying.send(sender, JSON.stringify(failure), json)).status).toBe(503);
    const door = await fixture.serve();
    expect((await door.send(sender, JSON.stringify(failure), json)).body).toMatchObject({ duplicate: false });
    expect(await tally(sender.tenantId)).toMatchObject({ stored: 1, different: 1, counted: 1 });
  });
});

describe('repetitions that only their body tells', () => {
  it('are counted at their source and at the door, those with a key are not', async () => {
    const ingestion = fixture.startIngestion();
    const [door, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    for (let n = 0; n < 4; n++) await door.send(sender, guesses(2), text);
    for (let n = 0; n < 3; n++) await door.send(sender, guesses(2), { ...text, 'idempotency-key': 'one' });
    expect((await ingestion.stats()).http).toMatchObject({ accepted: 4, repeated: 3 });
    await ingestion.stop();
    const scope = trustedTenantScope(sender.tenantId);
    const [source] = await fixture.db.tenant(sender.tenantId, (tx) => fixture.sources.service.list(tx, scope));
    expect(source).toMatchObject({ events_24h: 4, repeated_24h: 3 });
  });

  it('are no sign that a source still sends: its last event is that of before', async () => {
    const ingestion = fixture.startIngestion();
    const [door, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    fixture.clock.now = new Date(Math.ceil(fixture.clock.now.getTime() / 3_600_000) * 3_600_000 - 60_000);
    const at = fixture.clock.now.toISOString();
    await door.send(sender, guesses(2), text);
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 120_000);
    await door.send(sender, guesses(2), text);
    await ingestion.stop();
    const scope = trustedTenantScope(sender.tenantId);
    const [source] = await fixture.db.tenant(sender.tenantId, (tx) => fixture.sources.service.list(tx, scope));
    expect(source).toMatchObject({ events_24h: 2, repeated_24h: 1, last_event_at: at });
  });
});

/** A detection that lets nothing through until its gate is opened, and says when somebody stands before it. */
function gatedDetection(): { entered: Gate; gate: Gate; slow: Detection } {
  const [entered, gate] = [newGate(), newGate()];
  const slow: Detection = {
    async match() {
      entered.open();
      await gate.passed;
      return [];
    },
    apply: () => Promise.resolve(),
  };
  return { entered, gate, slow };
}

describe('a writer that dies', () => {
  /** An event store that fails, or keeps only some of the rows and then fails, as a crash in the middle leaves it. */
  const storeThat = (keeps: (rows: readonly EventRow[]) => readonly EventRow[]) => ({
    query: fixture.stores.events.query,
    async insert(rows: readonly EventRow[]) {
      await fixture.stores.events.insert(keeps(rows));
      throw new EventsError('EVENTS_UNAVAILABLE', 'gone');
    },
  });
  const dyingDetection: Detection = {
    match: (events) => fixture.detection.match(events),
    apply: () => Promise.reject(new Error('the process was killed here')),
  };

  it.each([
    ['before the first event is stored', () => ({ eventsStore: storeThat(() => []) })],
    [
      'when half of the events are stored',
      () => ({ eventsStore: storeThat((rows) => rows.slice(0, rows.length / 2)) }),
    ],
    ['when all are stored and the answer is lost', () => ({ eventsStore: storeThat((rows) => rows) })],
    ['before detection is written', () => ({ detection: dyingDetection })],
  ])('%s: nothing is acknowledged, and the repetition neither loses nor doubles anything', async (_name, changed) => {
    const sender = await watchedSource();
    const dying = await fixture.serve(fixture.startIngestion(changed()));
    expect(await dying.send(sender, guesses(8), text)).toMatchObject({
      status: 503,
      retryAfter: '2',
      body: { code: 'STORE_UNAVAILABLE' },
    });
    expect((await tally(sender.tenantId)).counted).toBe(0);
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 60_000);
    const next = await fixture.serve();
    expect(await next.send(sender, guesses(8), text)).toMatchObject({ status: 202, body: { accepted: 8 } });
    expect(await tally(sender.tenantId)).toEqual(once);
  });

  it('leaves lines of syslog that are stored once, also when it comes back after their batch was forgotten', async () => {
    const [sender, spool] = [await fixture.newSource('syslog', { syslogDefault: true }), fixture.spool()];
    await fixture.createPolicy(sender.tenantId, rule);
    await fixture.detection.start();
    const at = { host: '127.0.0.1', tcpPort: 0, udpPort: undefined, spool };
    const dying = fixture.startIngestion({ eventsStore: storeThat((rows) => rows.slice(0, rows.length / 2)) });
    const { tcpPort = 0 } = await dying.openSyslog(at);
    connect(tcpPort, '127.0.0.1').end(`${guesses(8)}\n`);
    await eventually(async () => expect((await tally(sender.tenantId)).stored).toBeGreaterThan(0));
    await dying.stop();
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 25 * 3_600_000);
    const next = fixture.startIngestion();
    expect(await next.purge()).toBeGreaterThan(0);
    await next.openSyslog(at);
    await eventually(async () => expect((await next.stats()).syslog_tcp.accepted).toBe(8));
    expect(await tally(sender.tenantId)).toEqual(once);
  });

  it('may still be alive elsewhere, so that its batch is left to it for 90 seconds', async () => {
    const sender = await watchedSource();
    const dying = await fixture.serve(fixture.startIngestion({ eventsStore: storeThat(() => []) }));
    await dying.send(sender, guesses(8), text);
    const beside = await fixture.serve(fixture.startIngestion({ isOnlyWriter: false }));
    expect(await beside.send(sender, guesses(8), text)).toMatchObject({ status: 503, body: { code: 'OVERLOADED' } });
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 91_000);
    expect(await beside.send(sender, guesses(8), text)).toMatchObject({ status: 202 });
    expect(await tally(sender.tenantId)).toEqual(once);
  });
});

describe('load', () => {
  it('stores what many senders send at once, all of it and once', async () => {
    const [door, sender] = [await fixture.serve(), await fixture.newSource()];
    const bodies = Array.from({ length: 40 }, (_, b) =>
      Array.from({ length: 100 }, (_, n) => JSON.stringify({ b, n })).join('\n'),
    );
    const replies = await Promise.all(bodies.map((body) => door.send(sender, body)));
    expect(replies.every((r) => r.status === 202)).toBe(true);
    const events = await fixture.eventsOf(sender.tenantId);
    expect([events.length, new Set(events.map((e) => e.raw)).size, new Set(events.map((e) => e.id)).size]).toEqual([
      4_000, 4_000, 4_000,
    ]);
  });

  it('refuses at once what does not fit into memory, and takes it when there is room', async () => {
    const { entered, gate, slow } = gatedDetection();
    const [sender, door] = [
      await fixture.newSource(),
      await fixture.serve(fixture.startIngestion({ detection: slow, heldBytesMax: 100 })),
    ];
    const first = door.send(sender, JSON.stringify({ text: 'x'.repeat(200) }));
    await entered.passed;
    expect(await door.send(sender, '{"n":1}')).toMatchObject({
      status: 503,
      retryAfter: expect.stringMatching(/^[1-5]$/),
      body: { code: 'OVERLOADED' },
    });
    gate.open();
    expect((await first).status).toBe(202);
    expect((await door.send(sender, '{"n":1}')).status).toBe(202);
  });

  it('tells a sender to come again when the stores hang, and writes what it had once all the same', async () => {
    const { gate, slow } = gatedDetection();
    const [sender, door] = [
      await fixture.newSource(),
      await fixture.serve(fixture.startIngestion({ detection: slow, answerMs: 200 })),
    ];
    const hung = { status: 503, retryAfter: '5', body: { code: 'STORE_UNAVAILABLE' } };
    expect(await door.send(sender, '{"n":1}')).toMatchObject(hung);
    expect(await door.send(sender, '{"n":1}')).toMatchObject(hung);
    gate.open();
    await expect.poll(async () => (await door.send(sender, '{"n":1}')).status).toBe(202);
    expect(await fixture.eventsOf(sender.tenantId)).toHaveLength(1);
  });

  it('finishes what was taken before it stops, and refuses what comes after', async () => {
    const ingestion = fixture.startIngestion();
    const [door, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    const taken = door.send(sender, guesses(3), text);
    await taken;
    const second = door.send(sender, guesses(4), text);
    await ingestion.stop();
    const [reply, late] = [await second, await door.send(sender, guesses(5), text)];
    expect(late).toMatchObject({ status: 503, body: { code: 'DRAINING' } });
    // Whichever came first: what was answered with 202 is there, the rest is not.
    expect((await fixture.eventsOf(sender.tenantId)).length).toBe(3 + (reply.status === 202 ? 4 : 0));
  });

  it('forgets old batches, so that the table does not grow for ever', async () => {
    const ingestion = fixture.startIngestion();
    const [door, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    await ingestion.purge();
    await door.send(sender, '{"n":1}');
    expect(await ingestion.purge()).toBe(0);
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 25 * 3_600_000);
    expect(await ingestion.purge()).toBeGreaterThan(0);
  });

  it('remembers a batch for a day from when it was in hand, however long its lines had waited for the stores', async () => {
    const ingestion = fixture.startIngestion();
    const [{ id, tenantId }, at] = [await fixture.newSource('syslog'), fixture.clock.now.getTime()];
    const source = { id, tenantId, name: 'Example', kind: 'syslog', retentionDays: 30 } as const;
    const receivedAt = at - 25 * 3_600_000;
    await ingestion.accept({
      ...{ source, batchId: randomUUID(), bodyHash: Buffer.alloc(32), receivedAt },
      arrival: { kind: 'lines', lines: [{ text: 'a line of yesterday', receivedAt }] },
    });
    expect(await ingestion.purge()).toBe(0);
    fixture.clock.now = new Date(at + 23 * 3_600_000);
    expect(await ingestion.purge()).toBe(0);
    fixture.clock.now = new Date(at + 25 * 3_600_000);
    expect(await ingestion.purge()).toBe(1);
  });
});
