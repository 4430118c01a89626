import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { inSlices } from '../loop-share.ts';
import { tenantFence, wayAroundFence } from './events-fence.ts';
import { applyEventsSchema, DEFAULT_EVENTS_DATABASE, type EventsPlacement } from './events-schema.ts';
import { errorText, type StorageLog } from './storage-log.ts';

/** A normalised event as it is stored. Times are milliseconds since the epoch. */
export type EventRow = {
  tenant: string;
  source: string;
  batch: string;
  id: string;
  integration: string;
  event_type: string;
  time: number;
  received_at: number;
  severity: string;
  message: string;
  host: string;
  user: string;
  src_ip: string;
  dst_ip: string;
  action: string;
  outcome: string;
  connector_id: string;
  fields: Record<string, unknown>;
  raw: string;
  retention_days: number;
};

export type EventsQuery = {
  tenant: string;
  /** May use `{tenant:UUID}`, which is always bound. */
  sql: string;
  params?: Record<string, unknown>;
  signal?: AbortSignal;
  /** At most; the default is 20 s. */
  timeoutMs?: number;
  /** Of the answer, at most; the default is 64 MB. */
  maxResultBytes?: number;
};

export type EventsErrorCode = 'EVENTS_UNAVAILABLE' | 'EVENTS_QUERY_TOO_EXPENSIVE' | 'EVENTS_QUERY_FAILED';

export class EventsError extends Error {
  readonly code: EventsErrorCode;
  /** Of an insert of which nothing says that it is not going to be stored: how long ago it was sent, in milliseconds. */
  readonly underWayMs: number | undefined;

  constructor(
    code: EventsErrorCode,
    message: string,
    { cause, underWayMs }: { cause?: unknown; underWayMs?: number | undefined } = {},
  ) {
    super(message, { cause });
    this.name = 'EventsError';
    this.code = code;
    this.underWayMs = underWayMs;
  }
}

/** Whether the store gave up: the query needs more time, memory or answer than one may have. */
export function isTooExpensive(error: unknown): boolean {
  return error instanceof EventsError && error.code === 'EVENTS_QUERY_TOO_EXPENSIVE';
}

export interface EventsStore {
  /** Creates database and table where missing. */
  prepare(): Promise<void>;
  /**
   * Stores the rows; when it resolves they are on disk and searchable. A repetition with the same token, or without one of
   * the same events in the same order, stores nothing twice, so a call whose answer was lost may be repeated. Where it may
   * still be stored although it failed, the error has `underWayMs`.
   */
  insert(rows: readonly EventRow[], options?: { token?: string }): Promise<void>;
  /**
   * Reads rows of one tenant. Runs read-only (no writes, no `url()` or `file()`), with limits on time and memory, and
   * with the tenant's rows as the only ones visible in `events`, whatever the statement says.
   */
  query<T>(query: EventsQuery): Promise<T[]>;
  /** Rejects with the reason when the store does not answer. */
  ping(): Promise<void>;
  /** Of all tenants together, on the server that is asked; for the operator. */
  figures(): Promise<{ version: string; events: number; bytes: number; parts: number }>;
  close(): Promise<void>;
}

export type EventsStoreOptions = {
  url: string;
  user: string;
  password: string;
  log: StorageLog;
  placement?: EventsPlacement;
  /**
   * It is a process of ours on this machine, which ends a connection only by ending itself: an insert whose connection it
   * ended is at an end too.
   */
  isOwnProcess?: boolean;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DEFAULT_TIMEOUT_MS = 20_000;
/** Also of an insert; one that is given up may still be stored. */
export const REQUEST_TIMEOUT_MS = 60_000;
const QUERY_MEMORY_BYTES = 1_000_000_000;
const RESULT_BYTES = 64_000_000;
/** What goes to the store at once; about a millisecond of work, or of long rows at least no text that is too long for one. */
const ROWS_PER_CHUNK = 150;
const CHUNK_CHARACTERS = 1_048_576;

export function createEventsStore(options: EventsStoreOptions): EventsStore {
  const { url, log, placement = { database: DEFAULT_EVENTS_DATABASE } } = options;
  const { database } = placement;
  const client = openClient(options, database);
  // Otherwise what was acknowledged might still be on its way to its shard.
  const onShards = placement.cluster === undefined ? {} : { distributed_foreground_insert: 1 as const };

  return {
    async prepare() {
      const bare = openClient(options, undefined);
      try {
        await guarded(() => applyEventsSchema(bare, placement));
      } finally {
        await bare.close();
      }
    },
    async insert(rows, { token } = {}) {
      if (rows.length === 0) return;
      const settings = { insert_deduplication_token: token ?? (await tokenOf(rows)) };
      const sentAt = performance.now();
      const send = async () => {
        const { stream } = await client.exec({
          query: 'insert into events format JSONEachRow',
          values: Readable.from(linesOf(rows), { objectMode: false }),
          clickhouse_settings: { ...insertSettings, ...onShards, ...settings },
        });
        // Empty; its connection is free once it was read.
        await stream.toArray();
      };
      const underWayMs = (cause: unknown) =>
        mayStillBeStored(cause, options) ? performance.now() - sentAt : undefined;
      await guarded(send, { underWayMs });
    },
    async query<T>({ tenant, sql, params = {}, signal, ...bounds }: EventsQuery) {
      if (!UUID.test(tenant)) throw new Error('A tenant id must be a UUID.');
      const way = wayAroundFence(sql);
      if (way !== undefined) throw new EventsError('EVENTS_QUERY_FAILED', `A query may not use ${way}.`);
      return await guarded(
        async () => {
          const result = await client.query({
            query: sql,
            format: 'JSONEachRow',
            query_params: { ...params, tenant },
            clickhouse_settings: { ...tenantFence(placement, tenant), ...readLimits(bounds) },
            ...(signal === undefined ? {} : { abort_signal: signal }),
          });
          return await result.json<T>();
        },
        { signal },
      );
    },
    async ping() {
      const answer = await client.ping({ select: true });
      if (answer.success) return;
      log.debug({ url, error: errorText(answer.error) }, 'event store does not answer');
      throw new EventsError('EVENTS_UNAVAILABLE', 'The event store does not answer.', { cause: answer.error });
    },
    async figures() {
      return await guarded(async () => {
        const result = await client.query({
          query: FIGURES,
          format: 'JSONEachRow',
          clickhouse_settings: readLimits({}),
        });
        const [row] = await result.json<{ version: string; events: number; bytes: number; parts: number }>();
        if (row === undefined) throw new Error('The event store said nothing of itself.');
        return row;
      });
    },
    close: () => client.close(),
  };
}

/** On a cluster the rows lie in the table of each shard. */
const FIGURES = `select version() as version, sum(rows) as events, sum(bytes_on_disk) as bytes, count() as parts
  from system.parts where active and database = currentDatabase() and table in ('events', 'events_local')`;

function openClient({ url, user, password }: EventsStoreOptions, database: string | undefined): ClickHouseClient {
  const { hostname } = new URL(url);
  const local = hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]';
  return createClient({
    url,
    username: user,
    password,
    application: 'airdeck',
    ...(database === undefined ? {} : { database }),
    // Its log repeats whole statements; failures reach the caller anyway.
    log: { level: ClickHouseLogLevel.OFF },
    max_open_connections: 16,
    request_timeout: REQUEST_TIMEOUT_MS,
    // Packing costs more than it saves on loopback.
    compression: { request: !local, response: !local },
    // Counts come back as numbers.
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
}

/** By what events are told apart. Their content would do too, but for `stored_at`, which is another one each time. */
async function tokenOf(rows: readonly EventRow[]): Promise<string> {
  const hash = createHash('sha256');
  const slices = inSlices();
  for (let at = 0; at < rows.length; at += ROWS_PER_CHUNK) {
    if (slices.isOver) await slices.next();
    const events = rows
      .slice(at, at + ROWS_PER_CHUNK)
      .map(({ tenant, id, received_at }) => `${tenant} ${id} ${received_at}`);
    hash.update(`${at === 0 ? '' : ','}${events.join()}`);
  }
  return hash.digest('hex');
}

/** The rows as JSON, so few at a time that others have their turn in between. */
async function* linesOf(rows: readonly EventRow[]): AsyncGenerator<Buffer> {
  // One for all of them: as a column it takes next to nothing. Put on as text, because a copy of every row costs a quarter of this.
  const end = `,"stored_at":${Date.now()}}\n`;
  const slices = inSlices();
  for (let at = 0; at < rows.length; ) {
    if (slices.isOver) await slices.next();
    const lines: string[] = [];
    for (let characters = 0; at < rows.length && lines.length < ROWS_PER_CHUNK && characters < CHUNK_CHARACTERS; at++) {
      const line = JSON.stringify(rows[at]).slice(0, -1) + end;
      lines.push(line);
      characters += line.length;
    }
    yield Buffer.from(lines.join(''));
  }
}

const insertSettings = {
  async_insert: 0,
  // Texts stay what their source wrote, also when they look like dates.
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  // A batch with odd times may touch many months; slow is better than refused for ever.
  max_partitions_per_insert_block: '0',
  input_format_skip_unknown_fields: 0,
} as const;

function readLimits({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  maxResultBytes = RESULT_BYTES,
}: Pick<EventsQuery, 'timeoutMs' | 'maxResultBytes'>) {
  return {
    readonly: '1',
    max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1_000)),
    max_memory_usage: String(QUERY_MEMORY_BYTES),
    max_result_bytes: String(maxResultBytes),
    result_overflow_mode: 'throw',
    // Otherwise a server goes on with what nobody waits for; the embedded engine is told by its process.
    cancel_http_readonly_queries_on_client_close: 1,
  } as const;
}

/** TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED, TOO_MANY_ROWS, TOO_MANY_ROWS_OR_BYTES. */
const tooExpensive = new Set(['159', '160', '241', '158', '396']);
/** TOO_MANY_SIMULTANEOUS_QUERIES, NETWORK_ERROR, NOT_ENOUGH_SPACE. */
const unavailable = new Set(['202', '210', '243']);

/** SOCKET_TIMEOUT, NETWORK_ERROR, UNKNOWN_STATUS_OF_INSERT. */
const undecided = new Set(['209', '210', '319']);
/** TIMEOUT_EXCEEDED. Of one server it is the end; where it waited for others, they may go on. */
const undecidedOnShards = '159';
/** Of Node, for a certificate that does not do: nothing is sent to whoever shows it. */
const DISTRUSTED = /^(?:CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;
/** The other end closed the connection. */
const parted = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** An insert that failed so. An answer says that it is over, and a connection that was never made that it did not begin. */
function mayStillBeStored(cause: unknown, at: Pick<EventsStoreOptions, 'isOwnProcess' | 'placement'>): boolean {
  const { isOwnProcess, placement } = at;
  if (cause instanceof ClickHouseError) {
    return undecided.has(cause.code) || (placement?.cluster !== undefined && cause.code === undecidedOnShards);
  }
  // A name with several addresses fails once for each.
  if (cause instanceof AggregateError) return cause.errors.some((each) => mayStillBeStored(each, at));
  const { code = '', syscall = '' } = cause as NodeJS.ErrnoException;
  if (syscall === 'connect' || syscall === 'getaddrinfo' || DISTRUSTED.test(code)) return false;
  return !(isOwnProcess === true && parted.has(code));
}

type Guard = {
  signal?: AbortSignal | undefined;
  underWayMs?: (cause: unknown) => number | undefined;
};

async function guarded<T>(work: () => Promise<T>, { signal, underWayMs }: Guard = {}): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    // Whoever asked has left, of which the client's own error says nothing to tell it by.
    if (signal?.aborted) throw signal.reason;
    const about = { cause, underWayMs: underWayMs?.(cause) };
    if (cause instanceof ClickHouseError) {
      if (tooExpensive.has(cause.code)) {
        throw new EventsError('EVENTS_QUERY_TOO_EXPENSIVE', 'The query needs too much time or memory.', about);
      }
      const code = unavailable.has(cause.code) ? 'EVENTS_UNAVAILABLE' : 'EVENTS_QUERY_FAILED';
      throw new EventsError(code, cause.message, about);
    }
    throw new EventsError('EVENTS_UNAVAILABLE', 'The event store does not answer.', about);
  }
}
