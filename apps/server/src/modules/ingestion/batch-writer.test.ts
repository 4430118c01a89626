import { once } from 'node:events';
import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../storage/database.ts';
import { type EventRow, EventsError } from '../../storage/events-store.ts';
import { quietLog } from '../../storage/test-database.ts';
import type { Detection } from '../detection/detection-port.ts';
import { createIngestionFixture, type Door, type IngestionFixture, newGate, type Sender } from './ingestion-fixture.ts';

let fixture: IngestionFixture;

beforeAll(async () => {
  fixture = await createIngestionFixture();
});
afterAll(() => fixture.close());

const passSeconds = (seconds: number) => {
  fixture.clock.now = new Date(fixture.clock.now.getTime() + seconds * 1_000);
};
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 50 });

/** A store that answers, and refuses for a reason nobody thought of every insert with such a row. */
const storeWithout = (isRefused: (row: EventRow) => boolean) => ({
  query: fixture.stores.events.query,
  async insert(rows: readonly EventRow[]) {
    if (rows.some(isRefused)) throw new EventsError('EVENTS_QUERY_FAILED', 'refused');
    await fixture.stores.events.insert(rows);
  },
});
const isPoison = ({ fields }: EventRow) => 'poison' in fields || fields.app_name === 'poison';
const POISON = '{"poison":1,"user":"ana"}';

async function storedOf({ tenantId }: Sender) {
  return (await fixture.eventsOf(tenantId)).map(({ raw, fields }) => ({ raw, fields }));
}

describe('a batch that can never be stored', () => {
  let door: Door;
  let ingestion: ReturnType<IngestionFixture['startIngestion']>;
  let sender: Sender;

  beforeEach(async () => {
    ingestion = fixture.startIngestion({ eventsStore: storeWithout(isPoison) });
    [door, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
  });

  /** Until it counts as one that does not get better. */
  async function sendInVain(body = POISON): Promise<void> {
    for (let time = 0; time < 5; time++) {
      expect((await door.send(sender, body)).status).toBe(503);
      passSeconds(7);
    }
  }

  it('is refused alone: what is written with it is stored', async () => {
    const bodies = Array.from({ length: 12 }, (_, n) => (n === 5 ? POISON : JSON.stringify({ n })));
    const others = await Promise.all(Array.from({ length: 2 }, () => fixture.newSource()));
    const replies = await Promise.all(
      bodies.flatMap((body) => [...others, sender].map((one) => door.send(body === POISON ? sender : one, body))),
    );
    expect(replies.filter(({ status }) => status !== 202).map(({ body }) => body.code)).toEqual(
      Array(3).fill('STORE_UNAVAILABLE'),
    );
    for (const other of others) expect(await storedOf(other)).toHaveLength(11);
    expect(await storedOf(sender)).toHaveLength(11);
  });

  it('of which one source has very many holds up nobody: beyond some they are refused untried', async () => {
    let refused = 0;
    const store = storeWithout((row) => isPoison(row) && ++refused > 0);
    const busy = await fixture.serve(fixture.startIngestion({ eventsStore: store, answerMs: 100_000 }));
    const other = await fixture.newSource();
    const bodies = Array.from({ length: 200 }, (_, n) => JSON.stringify({ poison: n }));
    const poison = bodies.map((body) => busy.send(sender, body));
    expect((await busy.send(other, '{"n":1}')).status).toBe(202);
    expect(new Set((await Promise.all(poison)).map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused).toBeLessThan(150);
  });

  it('is set aside once it failed for long enough: its text is stored, counted as malformed, and answered', async () => {
    await sendInVain();
    expect((await door.send(sender, POISON)).body).toMatchObject({ accepted: 1, duplicate: false });
    expect(await storedOf(sender)).toEqual([{ raw: POISON, fields: { set_aside: true } }]);
    expect((await ingestion.stats()).http).toMatchObject({ accepted: 1, malformed: 1 });
    expect((await door.send(sender, POISON)).body).toMatchObject({ accepted: 1, duplicate: true });
  });

  it('has the others of its source set aside at once for a while, and does no harm to what can be stored', async () => {
    await sendInVain();
    await door.send(sender, POISON);
    expect((await door.send(sender, `${POISON}\n{"n":1}`)).status).toBe(202);
    expect((await door.send(sender, '{"n":2}')).status).toBe(202);
    const fields = (await storedOf(sender)).map((stored) => JSON.stringify(stored.fields)).sort();
    expect(fields.filter((each) => each.includes('set_aside'))).toHaveLength(2);
    expect(fields.filter((each) => each.includes('"n"'))).toHaveLength(2);
    passSeconds(11 * 60);
    expect((await door.send(sender, '{"poison":2}')).status).toBe(503);
  });

  it('is not set aside while the stores do not answer, however often it comes', async () => {
    const away = {
      ...storeWithout(isPoison),
      query: () => Promise.reject(new EventsError('EVENTS_UNAVAILABLE', 'away')),
    };
    door = await fixture.serve(fixture.startIngestion({ eventsStore: away }));
    for (let time = 0; time < 3; time++) await sendInVain();
    expect(await storedOf(sender)).toEqual([]);
  });

  it('whose matches cannot be applied is stored whole, and held against no policy', async () => {
    const detection: Detection = { match: async () => [], apply: () => Promise.reject(new Error('never')) };
    const match: Detection['match'] = async (events) =>
      events.map((event) => ({ tenant: event.tenant, policyId: '', groupKey: '', groupValues: {}, event }));
    door = await fixture.serve(fixture.startIngestion({ detection: { ...detection, match } }));
    await sendInVain('{"user":"ana"}');
    expect((await door.send(sender, '{"user":"ana"}')).status).toBe(202);
    expect(await storedOf(sender)).toMatchObject([{ fields: { user: 'ana' } }]);
  });
});

it('applies the matches of a large delivery some at a time, and says that it is done after the last', async () => {
  const applied: number[] = [];
  const detection: Detection = {
    match: async (events) =>
      events.flatMap((event) =>
        Array.from({ length: 90 }, () => ({
          tenant: event.tenant,
          policyId: '',
          groupKey: '',
          groupValues: {},
          event,
        })),
      ),
    apply: async (_tx, matches) => void applied.push(matches.length),
  };
  const door = await fixture.serve(fixture.startIngestion({ detection }));
  const sender = await fixture.newSource();
  expect((await door.send(sender, '{"n":1}\n'.repeat(1_000))).body).toMatchObject({ accepted: 1_000 });
  expect(applied.reduce((sum, count) => sum + count, 0)).toBe(90_000);
  expect(Math.max(...applied)).toBeLessThan(50_000);
  expect(await storedOf(sender)).toHaveLength(1_000);
});

describe('lines of syslog that can never be stored', () => {
  it('hold up nobody else, are set aside, and leave the spool', async () => {
    const ingestion = fixture.startIngestion({ eventsStore: storeWithout(isPoison) });
    const { tcpPort = 0 } = await ingestion.openSyslog({
      ...{ host: '127.0.0.1', tcpPort: 0, udpPort: undefined, spool: fixture.spool() },
    });
    const source = await fixture.newSource('syslog', { syslogDefault: true });
    const other = await fixture.newSource('syslog');
    const send = async (line: string) => {
      const socket = connect(tcpPort, '127.0.0.1').end(`${line}\n`);
      await once(socket, 'close');
    };
    for (let n = 0; n < 40; n++) await send(`<34>1 2026-11-21T11:59:00Z h poison - - - number ${n}`);
    await send(`<34>1 - h app - - [airdeck@32473 token="${other.token}"] of somebody else`);
    await send('<34>1 - h app - - - beside');
    await eventually(async () => expect(await storedOf(other)).toHaveLength(1));
    expect((await ingestion.stats()).spool.bytes).toBeGreaterThan(0);
    await eventually(async () => {
      passSeconds(1);
      expect(await storedOf(source)).toHaveLength(41);
    });
    const stored = (await storedOf(source)).map(({ fields }) => JSON.stringify(fields));
    expect(stored.filter((fields) => fields.includes('set_aside'))).toHaveLength(40);
    expect(stored.filter((fields) => fields.includes('"app_name":"app"'))).toHaveLength(1);
    const counted = { accepted: 42, malformed: 40 };
    await eventually(async () => expect((await ingestion.stats()).syslog_tcp).toMatchObject(counted));
  });
});

/** A process beside others, whose detection says when it is asked and waits until the test lets it go on. */
async function heldProcess(options: { renewEveryMs?: number } = {}) {
  const [entered, gate] = [newGate(), newGate()];
  const detection: Detection = {
    async match() {
      entered.open();
      await gate.passed;
      return [];
    },
    apply: () => Promise.resolve(),
  };
  const door = await fixture.serve(
    fixture.startIngestion({ isOnlyWriter: false, answerMs: 100_000, detection, ...options }),
  );
  return { door, entered, gate };
}

describe('a batch that two processes get', () => {
  const overloaded = { status: 503, body: { code: 'OVERLOADED' } };

  it('is left to the one that writes for as long as it says so, however long that takes', async () => {
    const [first, second] = [await heldProcess({ renewEveryMs: 20 }), await heldProcess()];
    const sender = await fixture.newSource();
    const answer = first.door.send(sender, '{"n":1}');
    await first.entered.passed;
    for (let minute = 0; minute < 3; minute++) {
      passSeconds(80);
      const at = fixture.clock.now;
      await eventually(async () => {
        const rows = await fixture.db.tenant(sender.tenantId, (tx) =>
          tx.selectFrom('ingest_batch').select('taken_at').execute(),
        );
        expect(rows).toEqual([{ taken_at: at }]);
      });
      expect(await second.door.send(sender, '{"n":1}')).toMatchObject(overloaded);
    }
    first.gate.open();
    expect((await answer).status).toBe(202);
  });

  it('is not finished by whoever lost it: the other one is at it', async () => {
    const [first, second] = [await heldProcess(), await heldProcess()];
    const sender = await fixture.newSource();
    const [one, two] = [first.door.send(sender, '{"n":1}'), first.entered.passed];
    await two;
    passSeconds(91);
    const other = second.door.send(sender, '{"n":1}');
    await second.entered.passed;
    first.gate.open();
    expect(await one).toMatchObject(overloaded);
    second.gate.open();
    expect((await other).body).toMatchObject({ accepted: 1, duplicate: false });
    expect(await storedOf(sender)).toHaveLength(1);
  });

  it('is stopped where another one took it, before its next insert', async () => {
    let held = newGate();
    const inserted: number[] = [];
    const store = {
      query: fixture.stores.events.query,
      async insert(rows: readonly EventRow[]) {
        inserted.push(rows.length);
        await held.passed;
        await fixture.stores.events.insert(rows);
      },
    };
    const slow = await fixture.serve(
      fixture.startIngestion({ isOnlyWriter: false, eventsStore: store, renewEveryMs: 20, answerMs: 100_000 }),
    );
    const sender = await fixture.newSource();
    const body = '{"n":1}\n'.repeat(6_000);
    const answer = slow.send(sender, body);
    await eventually(() => expect(inserted).toEqual([5_000]));
    await fixture.db.system((tx) =>
      tx.updateTable('ingest_batch').set({ writer: sender.id }).where('source_id', '=', sender.id).execute(),
    );
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    held.open();
    expect((await answer).status).toBe(503);
    expect(inserted).toEqual([5_000]);
    held = newGate();
  });
});

describe('an insert that nobody heard the end of', () => {
  const isBeingWritten = { status: 503, body: { code: 'OVERLOADED' } };

  /** A store that says nothing of one insert, which is stored when it is told so; those before wait until they are let go on. */
  function silentStore({ underWayMs, nth = 1 }: { underWayMs: number; nth?: number }) {
    const [before, gate] = [newGate(), newGate()];
    const inserts: number[] = [];
    let late: Promise<void> | undefined;
    const store = {
      query: fixture.stores.events.query,
      async insert(rows: readonly EventRow[]) {
        const place = inserts.push(rows.length);
        if (place < nth) await before.passed;
        if (place !== nth) return await fixture.stores.events.insert(rows);
        late = gate.passed.then(() => fixture.stores.events.insert(rows));
        throw new EventsError('EVENTS_UNAVAILABLE', 'no answer', { underWayMs });
      },
    };
    const storeLate = async () => {
      gate.open();
      await late;
    };
    return { store, inserts, goOn: before.open, storeLate };
  }

  it.each([
    ['was given up after a minute', 60_000, 29],
    ['was cut so long after it was sent that it is not sent again', 20_000, 69],
  ])('%s: its batch, and no other, is left alone until that is settled', async (_name, underWayMs, refusedForS) => {
    const { store, storeLate } = silentStore({ underWayMs });
    const door = await fixture.serve(fixture.startIngestion({ eventsStore: store }));
    const sender = await fixture.newSource();
    expect((await door.send(sender, '{"n":1}')).status).toBe(503);
    expect(await door.send(sender, '{"n":1}')).toMatchObject(isBeingWritten);
    expect((await door.send(sender, '{"n":2}')).status).toBe(202);
    passSeconds(refusedForS);
    expect(await door.send(sender, '{"n":1}')).toMatchObject(isBeingWritten);
    await storeLate();
    passSeconds(2);
    expect((await door.send(sender, '{"n":1}')).body).toMatchObject({ accepted: 1, duplicate: false });
    expect(await storedOf(sender)).toHaveLength(2);
  });

  it('is sent again at once when its connection is cut: nobody is refused, and nothing is stored twice', async () => {
    const { store, inserts, storeLate } = silentStore({ underWayMs: 5 });
    const door = await fixture.serve(fixture.startIngestion({ eventsStore: store }));
    const sender = await fixture.newSource();
    expect((await door.send(sender, '{"n":1}')).body).toMatchObject({ accepted: 1, duplicate: false });
    await storeLate();
    expect(inserts).toEqual([1, 1]);
    expect(await storedOf(sender)).toHaveLength(1);
  });

  it('is not stored a second time among other rows than it was sent with', async () => {
    const { store, inserts, goOn, storeLate } = silentStore({ underWayMs: 20_000, nth: 2 });
    const ingestion = fixture.startIngestion({ eventsStore: store, answerMs: 100_000 });
    const [door, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
    const [first, ...others] = [1, 2, 3].map((n) => JSON.stringify({ n }));
    const sendAll = async (bodies: readonly string[]) =>
      (await Promise.all(bodies.map((body) => door.send(sender, body)))).map(({ status }) => status);
    const ahead = door.send(sender, first ?? '');
    await eventually(() => expect(inserts).toHaveLength(1));
    const together = sendAll(others);
    await eventually(async () => expect((await ingestion.stats()).held_bytes).toBe(3 * '{"n":1}'.length));
    goOn();
    expect([(await ahead).status, ...(await together), inserts]).toEqual([202, 503, 503, [1, 2]]);
    expect(await sendAll(others)).toEqual([503, 503]);
    await storeLate();
    passSeconds(91);
    expect(await sendAll(others)).toEqual([202, 202]);
    expect(await storedOf(sender)).toHaveLength(3);
  });
});

describe('a lock that somebody else holds', () => {
  const lockTimeout = () => Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
  const matched: Detection['match'] = async (events) =>
    events.map((event) => ({ tenant: event.tenant, policyId: '', groupKey: '', groupValues: {}, event }));

  it('is waited for once, and for less than a stop may take', async () => {
    const waits: unknown[] = [];
    const apply: Detection['apply'] = async (tx) => {
      const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(tx);
      waits.push(rows[0]?.lock_timeout);
      throw lockTimeout();
    };
    const door = await fixture.serve(fixture.startIngestion({ detection: { match: matched, apply } }));
    expect((await door.send(await fixture.newSource(), '{"n":1}')).status).toBe(503);
    expect(waits).toEqual(['10s']);
  });

  it('is not waited for again in parts while the process ends', async () => {
    const [entered, gate] = [newGate(), newGate()];
    const waits: string[][] = [];
    const apply: Detection['apply'] = async (_tx, matches) => {
      waits.push(matches.map(({ event }) => event.id));
      if (waits.length > 1) throw lockTimeout();
      entered.open();
      await gate.passed;
    };
    const ingestion = fixture.startIngestion({ detection: { match: matched, apply } });
    const door = await fixture.serve(ingestion);
    const sender = await fixture.newSource();
    const bodies = [1, 2, 3, 4, 5].map((n) => JSON.stringify({ n }));
    const first = door.send(sender, bodies[0] ?? '');
    await entered.passed;
    const others = bodies.slice(1).map((body) => door.send(sender, body));
    await eventually(async () => expect((await ingestion.stats()).held_bytes).toBe(bodies.join('').length));
    const stopped = ingestion.stop();
    gate.open();
    expect((await first).status).toBe(202);
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    await stopped;
    const events = waits.flat();
    expect(events).toHaveLength(5);
    expect(new Set(events).size).toBe(5);
    expect(Math.max(...waits.map(({ length }) => length))).toBeGreaterThan(1);
  });
});

it('does not take a pool without a free connection for something in the batches: they are refused together, and at once', async () => {
  const [entered, gate, held, holding] = [newGate(), newGate(), newGate(), newGate()];
  const poolSize = { app: 2, system: 1 };
  const db = openDatabase({ url: fixture.stores.url, log: quietLog, poolSize, connectWithinMs: 1_000 });
  const detection: Detection = {
    async match() {
      entered.open();
      await gate.passed;
      return [];
    },
    apply: () => Promise.resolve(),
  };
  const tried: unknown[] = [];
  const warn = (fields: object, message: string) => {
    if (message === 'batches could not be written' && 'batches' in fields) tried.push(fields.batches);
  };
  const log = { ...quietLog, warn } as typeof quietLog;
  const ingestion = fixture.startIngestion({ db, detection, log, answerMs: 100_000 });
  const [door, sender] = [await fixture.serve(ingestion), await fixture.newSource()];
  const first = door.send(sender, '{"n":0}');
  await entered.passed;
  const others = [1, 2, 3, 4].map((n) => door.send(sender, JSON.stringify({ n })));
  await eventually(async () => expect((await ingestion.stats()).held_bytes).toBe(5 * '{"n":0}'.length));
  const full = db.system(() => {
    holding.open();
    return held.passed;
  });
  await holding.passed;
  gate.open();
  expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(tried).toEqual([1, 4]);
  held.open();
  await full;
  await ingestion.stop();
  await db.close();
});

it('locks the rules of alerts before detection locks its groups, and answers the alerts after both', async () => {
  const steps: string[] = [];
  const sender = await fixture.newSource();
  const ofPolicy = { policyId: '018f0000-0000-7000-8000-000000000001', groupKey: '', groupValues: {} };
  const ingestion = fixture.startIngestion({
    detection: {
      match: async (events) => events.map((event) => ({ ...ofPolicy, tenant: event.tenant, event })),
      apply: async () => void steps.push('groups locked'),
    },
    alerts: {
      async onArrived() {
        steps.push('rules locked');
        return async () => void steps.push('alerts answered');
      },
    },
  });
  const door = await fixture.serve(ingestion);
  expect((await door.send(sender, '{"n":1}')).status).toBe(202);
  expect(steps).toEqual(['rules locked', 'groups locked', 'alerts answered']);
});
