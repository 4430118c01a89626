import type { StoredEvent } from '@airdeck/contracts/events/event';
import { ClickHouseError } from '@clickhouse/client';
import { inSlices } from '../../loop-share.ts';
import { type EventRow, EventsError, type EventsStore } from '../../storage/events-store.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import { storableFields } from './storable-fields.ts';

/** One insert, which becomes one part of the table: each costs some thirty files, whatever is in it. */
const ROWS_PER_INSERT = 5_000;
const ROWS_PER_LOOK = 32;
/** Codes of ClickHouse for data it cannot read: CANNOT_PARSE_*, INCORRECT_DATA, TYPE_MISMATCH, TOO_DEEP_RECURSION and the like. */
const unreadable = new Set(['6', '26', '27', '38', '41', '53', '72', '117', '130', '306', '349', '432', '636']);
/** Where the fields go as text when the store cannot take them as they are. */
export const UNSTORABLE_FIELD = 'unstorable_fields';

export type WritableBatch = {
  source: Pick<IngestSource, 'retentionDays'>;
  events: readonly StoredEvent[];
  /** Some of the events may be in the store already: a writer before us did not finish. */
  resumed: boolean;
};

export type EventWriter = {
  /** Resolves when every event of the batches is durable, once. */
  write(batches: readonly WritableBatch[]): Promise<void>;
};

/** Writes events to the event store, leaving out what a writer before us already wrote. */
export function createEventWriter(deps: {
  store: Pick<EventsStore, 'insert' | 'query'>;
  log: { warn(fields: object, message: string): void };
}): EventWriter {
  const { store, log } = deps;

  async function insert(rows: readonly EventRow[]): Promise<void> {
    try {
      await store.insert(rows);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await insertAround(rows);
    }
  }

  /** One record the store cannot read must not keep out the others: halves, until it stands alone. */
  async function insertAround(rows: readonly EventRow[]): Promise<void> {
    const missing = await withoutStored(rows);
    const [only] = missing;
    if (missing.length > 1) {
      const middle = missing.length >> 1;
      await insert(missing.slice(0, middle));
      await insert(missing.slice(middle));
    } else if (only !== undefined) {
      log.warn({ event: only.id, tenant: only.tenant }, 'the fields of an event cannot be stored as they are');
      await store.insert([{ ...only, fields: { [UNSTORABLE_FIELD]: JSON.stringify(only.fields) } }]);
    }
  }

  async function withoutStored(rows: readonly EventRow[]): Promise<EventRow[]> {
    const byTenant = new Map<string, EventRow[]>();
    for (const row of rows) byTenant.set(row.tenant, [...(byTenant.get(row.tenant) ?? []), row]);
    const stored = new Set<string>();
    for (const [tenant, own] of byTenant) {
      // The period lets the store leave out nearly everything without looking.
      const period = own.reduce((p, { time }) => ({ from: Math.min(p.from, time), to: Math.max(p.to, time) }), {
        from: Number.POSITIVE_INFINITY,
        to: Number.NEGATIVE_INFINITY,
      });
      const found = await store.query<{ id: string }>({
        tenant,
        sql: `select id from events where tenant = {tenant:UUID} and batch in {batches:Array(UUID)}
          and time >= fromUnixTimestamp64Milli({from:Int64}) and time <= fromUnixTimestamp64Milli({to:Int64})`,
        params: { batches: [...new Set(own.map((row) => row.batch))], ...period },
      });
      for (const { id } of found) stored.add(id);
    }
    return rows.filter((row) => !stored.has(row.id));
  }

  return {
    async write(batches) {
      const fresh = await rowsOf(batches.filter((batch) => !batch.resumed));
      const resumed = await rowsOf(batches.filter((batch) => batch.resumed));
      const rows = resumed.length === 0 ? fresh : [...fresh, ...(await withoutStored(resumed))];
      for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) await insert(rows.slice(at, at + ROWS_PER_INSERT));
    },
  };
}

function isUnreadable(error: unknown): boolean {
  if (!(error instanceof EventsError) || error.code !== 'EVENTS_QUERY_FAILED') return false;
  return error.cause instanceof ClickHouseError && unreadable.has(error.cause.code);
}

async function rowsOf(batches: readonly WritableBatch[]): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  const slices = inSlices();
  for (const { events, source } of batches) {
    for (const event of events) {
      rows.push(rowOf(event, source.retentionDays));
      if (rows.length % ROWS_PER_LOOK === 0 && slices.isOver) await slices.next();
    }
  }
  return rows;
}

function rowOf(event: StoredEvent, retentionDays: number): EventRow {
  return {
    tenant: event.tenant,
    source: event.source,
    batch: event.batch,
    id: event.id,
    integration: event.integration,
    event_type: event.event_type,
    time: event.time,
    received_at: event.received_at,
    severity: event.severity,
    message: event.message,
    host: event.host,
    user: event.user,
    src_ip: event.src_ip,
    dst_ip: event.dst_ip,
    action: event.action,
    outcome: event.outcome,
    connector_id: event.connector_id,
    fields: storableFields(event.fields),
    raw: event.raw,
    retention_days: retentionDays,
  };
}
