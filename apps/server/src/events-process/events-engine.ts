/**
 * chDB behind the little that the HTTP side needs.
 *
 * Every request gets a connection of its own (about 1 ms; they share one engine), because settings and bound parameters
 * are state of a connection: nothing of one request can reach the next. Parameters are set with `SET param_…`, since
 * chDB's own binding is global to the process and therefore runs one query at a time. A running query is stopped by
 * KILL QUERY from another connection; it is found by the mark in its text.
 */
import { randomUUID } from 'node:crypto';
import { Session } from 'chdb';
import { diskMarks, watchDiskSpace } from './disk-space.ts';
import { READERS, WAITING, WRITERS } from './engine-limits.ts';
import { createExpiredParts, type ExpiredDeeds } from './expired-parts.ts';
import { createLane } from './lane.ts';
import { createMergeGuard } from './merge-guard.ts';
import { isIdentifier, isInsert, isReading, parsePlainInsert, quoteLiteral } from './sql-text.ts';

/** What a single query may use unless the request says otherwise. */
const DEFAULT_SETTINGS = { max_memory_usage: '1500000000', max_threads: '4', log_queries: '0' };

/** The engine sizes itself for a machine of its own; here it shares one with the rest of the product. */
const serverSettings = [
  '--max_server_memory_usage=3000000000',
  '--mark_cache_size=134217728',
  '--index_mark_cache_size=67108864',
  '--text_index_postings_cache_size=67108864',
  '--query_condition_cache_size=16777216',
];

export type EngineRequest = {
  sql: string;
  /** Rows of an INSERT, apart from its statement. */
  data: Buffer | undefined;
  database: string | undefined;
  format: string;
  settings: ReadonlyMap<string, string>;
  /** Values as ClickHouse's HTTP interface takes them: in the escaping of TabSeparated. */
  parameters: ReadonlyMap<string, string>;
  signal: AbortSignal;
};

export type EngineAnswer = {
  bytes: Uint8Array;
  readRows: number;
  readBytes: number;
  writtenRows: number;
  elapsedNs: number;
};

export interface EventsEngine {
  version: string;
  run(request: EngineRequest): Promise<EngineAnswer>;
  close(): Promise<void>;
}

export class RequestRefusedError extends Error {}

/** Nothing was stored, or nothing that may be relied on. */
export class NoSpaceError extends Error {}

type EngineOptions = {
  /** Takes nothing away because its time is over. */
  keepsExpired: boolean;
  /** Hears what was taken away to make room, and what could not be. */
  onExpired: (deeds: ExpiredDeeds) => void;
};

export function openEventsEngine(folder: string, { keepsExpired, onExpired }: EngineOptions): EventsEngine {
  const keeper = new Session(folder, { connectionArgs: serverSettings });
  const readers = createLane({ workers: READERS, waiting: WAITING });
  const writers = createLane({ workers: WRITERS, waiting: WAITING });
  const merges = createMergeGuard(ask);
  const expired = createExpiredParts(ask, onExpired);
  const space = watchDiskSpace(folder);
  space.onLook(merges.onSpace);
  space.onLook(() => {
    if (space.mergesStopped() && !keepsExpired) expired.look();
  });

  async function ask(statement: string): Promise<string> {
    const session = new Session(folder);
    try {
      return (await session.queryAsync(statement, { format: 'TabSeparated' })).text();
    } finally {
      session.close();
    }
  }

  async function write(request: EngineRequest): Promise<EngineAnswer> {
    if (!isInsert(request.sql)) return await runNow(request);
    if ((await space.look()) < diskMarks.insertsStop) throw new NoSpaceError('the disk is nearly full');
    const done = await runNow(request);
    if ((await space.look()) < diskMarks.writesDistrusted) throw new NoSpaceError('the disk filled up meanwhile');
    return done;
  }

  async function runNow(request: EngineRequest): Promise<EngineAnswer> {
    request.signal.throwIfAborted();
    const session = new Session(folder);
    const mark = randomUUID();
    const stop = () => {
      kill(mark).catch(() => undefined);
    };
    request.signal.addEventListener('abort', stop, { once: true });
    try {
      return await execute(session, request, mark);
    } finally {
      request.signal.removeEventListener('abort', stop);
      session.close();
    }
  }

  async function kill(mark: string): Promise<void> {
    const session = new Session(folder);
    try {
      await session.queryAsync(`kill query where query like '%${mark}%' and query not ilike 'kill%' async`);
    } finally {
      session.close();
    }
  }

  return {
    version: keeper.query('select version()', 'TabSeparatedRaw').trim(),
    run: (request) =>
      isReading(request.sql)
        ? readers.run(() => runNow(request), request.signal)
        : writers.run(() => write(request), request.signal),
    async close() {
      space.stop();
      await Promise.all([readers.idle(), writers.idle(), expired.idle()]);
      keeper.close();
    },
  };
}

async function execute(session: Session, request: EngineRequest, mark: string): Promise<EngineAnswer> {
  const insert = request.data === undefined ? undefined : parsePlainInsert(request.sql);
  if (insert !== undefined && request.data !== undefined && request.parameters.size === 0) {
    if (request.database !== undefined) await session.queryAsync(prelude(request));
    const done = await session.insert({ ...insert, values: request.data, settings: settingsOf(request) });
    return answer({ writtenRows: done.rowsWritten, elapsed: done.elapsed });
  }
  const body = request.data === undefined ? '' : `\n${request.data.toString('utf8')}`;
  // The mark stands behind the prelude: it must be in the statement itself to be found among the running ones.
  const result = await session.queryAsync(`${prelude(request)}/* ${mark} */ ${request.sql}${body}`, {
    format: request.format,
  });
  return answer({
    bytes: result.bytes(),
    readRows: result.rowsRead,
    readBytes: result.bytesRead,
    elapsed: result.elapsed,
  });
}

function answer(part: {
  bytes?: Uint8Array;
  readRows?: number;
  readBytes?: number;
  writtenRows?: number;
  elapsed: number;
}): EngineAnswer {
  const { bytes = new Uint8Array(0), readRows = 0, readBytes = 0, writtenRows = 0, elapsed } = part;
  return { bytes, readRows, readBytes, writtenRows, elapsedNs: Math.round(elapsed * 1e9) };
}

function settingsOf(request: EngineRequest): Record<string, string> {
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(request.settings) };
}

/** Statements that prepare the connection. `readonly` comes last, because nothing can be set after it. */
function prelude(request: EngineRequest): string {
  const { database, parameters } = request;
  const parts: string[] = [];
  if (database !== undefined) parts.push(`use ${checked(database)}`);
  for (const [name, value] of parameters) parts.push(`set param_${checked(name)} = ${quoteLiteral(value)}`);
  const { readonly, ...settings } = settingsOf(request);
  for (const [name, value] of Object.entries(settings)) parts.push(`set ${checked(name)} = ${quoteLiteral(value)}`);
  if (readonly !== undefined) parts.push(`set readonly = ${quoteLiteral(readonly)}`);
  return parts.map((part) => `${part}; `).join('');
}

function checked(name: string): string {
  if (!isIdentifier(name)) throw new RequestRefusedError(`${JSON.stringify(name)} is not a name`);
  return name;
}
