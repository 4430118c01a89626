import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { cleanText, cutText } from '@airdeck/event-parsers/clean-record';
import { ClickHouseError } from '@clickhouse/client';
import { charactersOf, type PieceBounds, piecesOf } from '../../event-weight.ts';
import { AppError } from '../../http/app-error.ts';
import { inSlices } from '../../loop-share.ts';
import { type EventRow, EventsError, type EventsStore } from '../../storage/events-store.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import { storableFields } from './storable-fields.ts';

/**
 * One insert, which becomes one part of the table: each costs some thirty files, whatever is in it. The embedded store takes
 * 256 MB at once, which these characters never become.
 */
const rowsAtOnce: PieceBounds<EventRow> = { items: 5_000, characters: 32 * 1_048_576, weigh: charactersOf };
const ROWS_PER_LOOK = 32;
/** How long an insert without an answer is sent again, from when it was first sent: a stop has to wait for it. */
const SENT_AGAIN_FOR_MS = 15_000;
const SEND_AGAIN_EVERY_MS = 250;
/** Codes of ClickHouse for data it cannot read: CANNOT_PARSE_*, INCORRECT_DATA, TYPE_MISMATCH, TOO_DEEP_RECURSION and the like. */
const unreadable = new Set(['6', '25', '26', '27', '38', '41', '53', '72', '117', '130', '306', '349', '432', '636']);
/** Of a store that takes no inserts for now, though it answers: memory, read-only, too many parts, its keeper, replicas. */
const busy = new Set(['241', '242', '252', '285', '319', '999']);
/** Where the fields go as text when the store cannot take them as they are. */
export const UNSTORABLE_FIELD = 'unstorable_fields';
/** Of events that are stored as nothing but their text, because they could not be written otherwise. */
const SET_ASIDE_FIELD = 'set_aside';
const MESSAGE_MAX_BYTES = 8_192;
/** Stands for a tenant where a question is of none. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

export type WritableBatch = {
  source: Pick<IngestSource, 'retentionDays'>;
  events: readonly StoredEvent[];
  /** Some of the events may be in the store already: a write before this one did not finish. */
  resumed: boolean;
  /** An event that the store refuses, for whatever reason, is stored as its text alone. */
  carefully: boolean;
  /** Whether they are still to be written. */
  isHeld(): boolean;
};

export type EventWriter = {
  /**
   * Resolves when every event of the batches is durable, once, with the ids of those that are stored as their text alone.
   * Throws STORE_UNAVAILABLE where the store gave no answer, or takes nothing for now; with `underWayMs` where an insert may
   * still be stored.
   */
  write(batches: readonly WritableBatch[]): Promise<Set<string>>;
  /** Rejects when the store does not answer. */
  ping(): Promise<void>;
};

type Inserting = {
  /** Of a write of what could not be written otherwise: what of it is stored as text. */
  careful: { asText: Set<string> } | undefined;
  isHeld(): boolean;
};

/** Writes events to the event store, leaving out what a writer before us already wrote. */
export function createEventWriter(deps: {
  store: Pick<EventsStore, 'insert' | 'query'>;
  log: { warn(fields: object, message: string): void };
}): EventWriter {
  const { store, log } = deps;

  /**
   * One without an answer is sent again as it is: as long as the rows are the same, the store takes them once, even while the
   * first is still under way. Every other way to write them again would have to wait until that is settled.
   */
  async function send(rows: readonly EventRow[], isHeld: () => boolean): Promise<void> {
    /** When the last one without an answer was sent, and until when the same may be sent again. */
    let open: { since: number; until: number } | undefined;
    for (;;) {
      try {
        await store.insert(rows);
        return;
      } catch (error) {
        if (!(error instanceof EventsError)) throw error;
        const { code, message, cause, underWayMs } = error;
        const now = performance.now();
        if (underWayMs !== undefined) {
          const since = now - underWayMs;
          open = { since, until: open?.until ?? since + SENT_AGAIN_FOR_MS };
        }
        if (open === undefined) throw error;
        const isRefused = underWayMs === undefined && code !== 'EVENTS_UNAVAILABLE';
        if (isRefused || now >= open.until || !isHeld()) {
          // Also where this one was refused: that says nothing of the one before it.
          throw new EventsError('EVENTS_UNAVAILABLE', message, { cause, underWayMs: now - open.since });
        }
      }
      await sleep(SEND_AGAIN_EVERY_MS);
    }
  }

  async function insert(rows: readonly EventRow[], inserting: Inserting): Promise<void> {
    const { careful, isHeld } = inserting;
    try {
      await send(rows, isHeld);
    } catch (error) {
      if (!isUnreadable(error) && !(careful !== undefined && isRefusal(error))) throw error;
      await insertAround(rows, inserting);
    }
  }

  /** One record the store cannot read must not keep out the others: halves, until it stands alone. */
  async function insertAround(rows: readonly EventRow[], inserting: Inserting): Promise<void> {
    const { careful, isHeld } = inserting;
    const missing = await withoutStored(rows);
    const [only] = missing;
    if (missing.length > 1) {
      const middle = missing.length >> 1;
      await insert(missing.slice(0, middle), inserting);
      await insert(missing.slice(middle), inserting);
    } else if (only !== undefined) {
      const { id: event, tenant } = only;
      if (careful === undefined) {
        log.warn({ event, tenant }, 'the fields of an event cannot be stored as they are');
        await send([{ ...only, fields: { [UNSTORABLE_FIELD]: JSON.stringify(only.fields) } }], isHeld);
      } else {
        log.warn({ event, tenant }, 'an event cannot be stored but for its text');
        await send([textOnly(only)], isHeld);
        careful.asText.add(event);
      }
    }
  }

  async function withoutStored(rows: readonly EventRow[]): Promise<EventRow[]> {
    const stored = new Set<string>();
    for (const [tenant, { batches, from, to }] of await lookedFor(rows)) {
      const found = await store.query<{ id: string }>({
        tenant,
        sql: `select id from events where tenant = {tenant:UUID} and batch in {batches:Array(UUID)}
          and time >= fromUnixTimestamp64Milli({from:Int64}) and time <= fromUnixTimestamp64Milli({to:Int64})`,
        params: { batches: [...batches], from, to },
      });
      for (const { id } of found) stored.add(id);
    }
    return rows.filter((row) => !stored.has(row.id));
  }

  async function write(batches: readonly WritableBatch[]): Promise<Set<string>> {
    const asText = new Set<string>();
    const careful = batches.some(({ carefully }) => carefully) ? { asText } : undefined;
    const isHeld = () => batches.every((batch) => batch.isHeld());
    const fresh = await rowsOf(batches.filter((batch) => !batch.resumed));
    const resumed = await rowsOf(batches.filter((batch) => batch.resumed));
    const rows = resumed.length === 0 ? fresh : [...fresh, ...(await withoutStored(resumed))];
    for (const piece of piecesOf(rows, rowsAtOnce)) {
      if (!isHeld()) throw new Error('A batch was dropped while it was being written.');
      await insert(piece, { careful, isHeld });
    }
    return asText;
  }

  return {
    write: (batches) => answered(() => write(batches)),
    ping: () => answered(async () => void (await store.query({ tenant: NOBODY, sql: 'select 1' }))),
  };
}

/** Errors lose their code on the way to another thread, but for those that are answers to somebody. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof EventsError)) throw cause;
    const { code, message, underWayMs } = cause;
    if (code !== 'EVENTS_UNAVAILABLE' && underWayMs === undefined && !isBusy(cause)) throw cause;
    throw new AppError('STORE_UNAVAILABLE', { message, retryAfterS: 2, underWayMs, cause });
  }
}

/** The period lets the store leave out nearly everything without looking. */
type LookedFor = { batches: Set<string>; from: number; to: number };

async function lookedFor(rows: readonly EventRow[]): Promise<Map<string, LookedFor>> {
  const byTenant = new Map<string, LookedFor>();
  const slices = inSlices();
  for (const [index, { tenant, batch, time }] of rows.entries()) {
    const present = byTenant.get(tenant);
    if (present === undefined) byTenant.set(tenant, { batches: new Set([batch]), from: time, to: time });
    else {
      present.batches.add(batch);
      if (time < present.from) present.from = time;
      if (time > present.to) present.to = time;
    }
    if (index % ROWS_PER_LOOK === 0 && slices.isOver) await slices.next();
  }
  return byTenant;
}

/** The store answered that it does not take the rows. */
function isRefusal(error: unknown): error is EventsError {
  return error instanceof EventsError && error.code !== 'EVENTS_UNAVAILABLE' && !isBusy(error);
}

function isBusy({ cause }: EventsError): boolean {
  return cause instanceof ClickHouseError && busy.has(cause.code);
}

function isUnreadable(error: unknown): boolean {
  if (!isRefusal(error)) return false;
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

function textOnly(row: EventRow): EventRow {
  const blank = { severity: '', host: '', user: '', src_ip: '', dst_ip: '', action: '', outcome: '' };
  const message = cutText(row.raw, MESSAGE_MAX_BYTES).text;
  return { ...row, ...blank, integration: 'generic', event_type: 'log', message, fields: { [SET_ASIDE_FIELD]: true } };
}

/**
 * Every parser gives texts that a store takes. The last look at it is here: half of a surrogate pair in a column would keep
 * the store from reading the row, with every other row of its insert.
 */
function rowOf(event: StoredEvent, retentionDays: number): EventRow {
  return {
    tenant: event.tenant,
    source: event.source,
    batch: event.batch,
    id: event.id,
    integration: cleanText(event.integration),
    event_type: cleanText(event.event_type),
    time: event.time,
    received_at: event.received_at,
    severity: cleanText(event.severity),
    message: cleanText(event.message),
    host: cleanText(event.host),
    user: cleanText(event.user),
    src_ip: cleanText(event.src_ip),
    dst_ip: cleanText(event.dst_ip),
    action: cleanText(event.action),
    outcome: cleanText(event.outcome),
    connector_id: event.connector_id,
    fields: storableFields(event.fields),
    raw: cleanText(event.raw),
    retention_days: retentionDays,
  };
}
