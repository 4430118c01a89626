import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { ClickHouseError } from '@clickhouse/client';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { AppError } from '../../http/app-error.ts';
import { type EventRow, EventsError } from '../../storage/events-store.ts';
import { quietLog } from '../../storage/test-database.ts';
import { createEventWriter, UNSTORABLE_FIELD } from './event-writer.ts';

const [tenant, source, batch] = [randomUUID(), randomUUID(), randomUUID()];
const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');

function eventOf(parts: Partial<StoredEvent>): StoredEvent {
  return {
    ...{ id: randomUUID(), tenant, source, batch, connector_id: '', received_at: receivedAt },
    ...{ time: receivedAt, time_source: 'event', integration: 'generic', event_type: 'log', severity: '' },
    ...{ message: '', host: '', user: '', src_ip: '', dst_ip: '', action: '', outcome: '', fields: {}, raw: '' },
    ...parts,
  };
}

/** A store that keeps what it is given, and refuses what it cannot read as ClickHouse does. */
function keptRows(isReadable: (row: EventRow) => boolean = () => true) {
  const inserts: (readonly EventRow[])[] = [];
  const store = {
    query: async <T>() => inserts.flat().map(({ id }) => ({ id })) as T[],
    async insert(rows: readonly EventRow[]) {
      if (!rows.every(isReadable)) {
        const cause = new ClickHouseError({ message: 'escape', code: '25', type: 'CANNOT_PARSE_ESCAPE_SEQUENCE' });
        throw new EventsError('EVENTS_QUERY_FAILED', 'escape', { cause });
      }
      inserts.push(rows);
    },
  };
  return { inserts, writer: createEventWriter({ store, log: quietLog }) };
}

const write = (writer: ReturnType<typeof keptRows>['writer'], events: StoredEvent[], resumed = false) =>
  writer.write([{ source: { retentionDays: 30 }, events, resumed, carefully: false, isHeld: () => true }]);

let watch: NodeJS.Timeout | undefined;
afterEach(() => clearInterval(watch));

/** Until the longest time in which nobody else had a turn. */
function longestHold(): () => number {
  let [last, longest] = [performance.now(), 0];
  const look = () => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  };
  watch = setInterval(look, 1);
  return () => {
    look();
    return longest;
  };
}

test('a row whose columns hold halves of surrogate pairs and NULs is stored as text, in one insert with its neighbours', async () => {
  const { inserts, writer } = keptRows((row) => !/\\u(?:d[89a-f]|0000)/.test(JSON.stringify(row)));
  await write(writer, [eventOf({ message: 'half \ud83d', host: '\udc00', raw: 'a\0b' }), eventOf({ raw: 'beside' })]);
  expect(inserts).toMatchObject([[{ message: 'half \ufffd', host: '\ufffd', raw: 'ab' }, { raw: 'beside' }]]);
});

test('fields that the store cannot read are kept as text, and keep nobody else out', async () => {
  const { inserts, writer } = keptRows((row) => !('\ud83d' in row.fields));
  await write(writer, [eventOf({ raw: 'first' }), eventOf({ fields: { '\ud83d': 1 } }), eventOf({ raw: 'last' })]);
  const rows = inserts.flat();
  expect(rows.map(({ raw }) => raw).sort()).toEqual(['', 'first', 'last']);
  expect(rows.find(({ raw }) => raw === '')?.fields).toEqual({ [UNSTORABLE_FIELD]: '{"\\ud83d":1}' });
});

test('a batch of 50,000 events that is gone on with leaves out what is stored, and others their turn', async () => {
  const { inserts, writer } = keptRows();
  const events = Array.from({ length: 50_000 }, () => eventOf({}));
  await write(writer, events.slice(0, 100));
  const heldFor = longestHold();
  await write(writer, events, true);
  expect(heldFor()).toBeLessThan(1_000);
  expect(new Set(inserts.flat().map(({ id }) => id)).size).toBe(50_000);
  expect(inserts.flat()).toHaveLength(50_000);
});

test('an insert ends at some thousand rows, and before it is more than the store takes at once', async () => {
  const { inserts, writer } = keptRows();
  await write(
    writer,
    Array.from({ length: 12_000 }, () => eventOf({ raw: 'x'.repeat(500) })),
  );
  expect(inserts.map(({ length }) => length)).toEqual([5_000, 5_000, 2_000]);
  inserts.length = 0;
  // Six bytes each as JSON.
  const raw = '\u0001'.repeat(262_144);
  await write(
    writer,
    Array.from({ length: 100 }, () => eventOf({ raw, message: raw, fields: { raw } })),
  );
  expect(inserts.flat()).toHaveLength(100);
  for (const rows of inserts) {
    const bytes = rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    expect(bytes).toBeLessThan(200 * 1_048_576);
  }
});

describe('an insert without an answer', () => {
  const lost = (underWayMs = 5) => new EventsError('EVENTS_UNAVAILABLE', 'cut', { underWayMs });
  const refused = () => new EventsError('EVENTS_UNAVAILABLE', 'not there');
  const full = () => {
    const cause = new ClickHouseError({ message: 'full', code: '241', type: 'MEMORY_LIMIT_EXCEEDED' });
    return new EventsError('EVENTS_QUERY_TOO_EXPENSIVE', 'full', { cause });
  };

  /** A store whose first inserts fail so. */
  function failing(...failures: EventsError[]) {
    const inserts: string[][] = [];
    const store = {
      query: async <T>() => [] as T[],
      async insert(rows: readonly EventRow[]) {
        inserts.push(rows.map(({ id }) => id));
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
      },
    };
    return { inserts, writer: createEventWriter({ store, log: quietLog }) };
  }

  it.each([
    ['at once', [lost()]],
    ['once the store is there again', [lost(), refused(), refused()]],
  ])('is sent again exactly as it was %s', async (_name, failures) => {
    const { inserts, writer } = failing(...failures);
    const events = [eventOf({}), eventOf({})];
    await write(writer, events);
    expect(inserts).toEqual([...failures, 'the last one'].map(() => events.map(({ id }) => id)));
  });

  it('is not sent again after a while: it may still be stored then', async () => {
    const { inserts, writer } = failing(lost(20_000));
    const error = await write(writer, [eventOf({})]).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect((error as AppError).underWayMs).toBeGreaterThanOrEqual(20_000);
    expect(inserts).toHaveLength(1);
  });

  it('may still be stored where its repetition is refused, and is not tried in parts', async () => {
    const { inserts, writer } = failing(lost(), full());
    const error = await write(writer, [eventOf({}), eventOf({})]).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect((error as AppError).underWayMs).toBeGreaterThanOrEqual(5);
    expect(inserts).toHaveLength(2);
  });

  it('is left to whoever took its batch meanwhile', async () => {
    const { inserts, writer } = failing(lost());
    const batch = { source: { retentionDays: 30 }, events: [eventOf({})], resumed: false, carefully: false };
    const isHeld = () => inserts.length === 0;
    await expect(writer.write([{ ...batch, isHeld }])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(inserts).toHaveLength(1);
  });

  it('is over where the store says so: nothing is to be waited for', async () => {
    for (const failure of [refused(), full()]) {
      const error = await write(failing(failure).writer, [eventOf({})]).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', underWayMs: undefined });
    }
  });
});
