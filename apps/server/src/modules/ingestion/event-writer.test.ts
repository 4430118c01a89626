import { randomUUID } from 'node:crypto';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { ClickHouseError } from '@clickhouse/client';
import { afterEach, expect, test } from 'vitest';
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
