/**
 * The part of PostgreSQL's replication protocol that an archive needs, over a connection of `pg`: who the database is, its
 * log as it is written, and a copy of all of it. What the archive has not taken yet stays in the socket.
 */
import { PassThrough, type Readable } from 'node:stream';
import pg, { type Connection, type Submittable } from 'pg';
import { quiet } from '../backup/copy-stream.ts';
import { formatPosition, parsePosition } from './wal-position.ts';

/** Seconds from 1970 to 2000, from which PostgreSQL counts. */
const EPOCH_S = 946_684_800n;
/** So much may wait for the disk of the archive before the database has to wait as well. */
const HELD_MAX_BYTES = 8 * 1024 * 1024;

/** The part of a connection its published types leave out. */
type CopyConnection = Connection & { sendCopyFromChunk(chunk: Buffer): void };
type Row = { fields: (string | null)[] };

export async function connectForReplication(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'airdeck-archive',
    keepAlive: true,
    // In the startup message, and not among the published types.
    ...{ replication: 'true' },
  });
  // A lost connection fails what is under way, which says so.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export type SystemFacts = { system: string; timeline: number; flushed: bigint };

export async function identifySystem(client: pg.Client): Promise<SystemFacts> {
  const { rows } = await client.query<{ systemid: string; timeline: number; xlogpos: string }>('IDENTIFY_SYSTEM');
  const [facts] = rows;
  if (facts === undefined) throw new Error('the database did not say who it is');
  return { system: facts.systemid, timeline: Number(facts.timeline), flushed: parsePosition(facts.xlogpos) };
}

export type WalStream = {
  /** Rejects when the stream ends, for whatever reason; never resolves. */
  ended: Promise<never>;
  /** Tells the database how far the archive is. */
  report(flushed: bigint): void;
};

/** Streams the log from a position on. `take` is called with one piece at a time, in order. */
export function streamWal(
  client: pg.Client,
  from: { timeline: number; position: bigint },
  take: (position: bigint, data: Buffer) => Promise<void>,
): WalStream {
  let connection: CopyConnection | undefined;
  let fail: (error: unknown) => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  ended.catch(() => undefined);
  let flushed = from.position;
  let held = 0;
  let taking: Promise<void> = Promise.resolve();

  const report = (position: bigint) => {
    flushed = position;
    connection?.sendCopyFromChunk(statusOf(flushed));
  };
  client.once('error', fail);
  client.once('end', () => fail(new Error('the database closed the connection')));
  client.query({
    ...quiet,
    submit(to: Connection) {
      connection = to as CopyConnection;
      to.query(`START_REPLICATION PHYSICAL ${formatPosition(from.position)} TIMELINE ${from.timeline}`);
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      const kind = chunk.toString('latin1', 0, 1);
      if (kind === 'k' && chunk[17] === 1) report(flushed);
      if (kind !== 'w') return;
      const position = chunk.readBigUInt64BE(1);
      // The parser writes the next message over this one.
      const data = Buffer.from(chunk.subarray(25));
      held += data.length;
      if (held > HELD_MAX_BYTES) connection?.stream.pause();
      taking = taking
        .then(() => take(position, data))
        .then(() => {
          held -= data.length;
          if (held <= HELD_MAX_BYTES / 2) connection?.stream.resume();
        });
      taking.catch(fail);
    },
    handleReadyForQuery: () => fail(new Error('the database ended the stream')),
    handleError: fail,
  } as Submittable);
  return { ended, report };
}

export type BaseStream = {
  /** A tar file of the whole cluster, as it is read while it changes. */
  tar: Readable;
  /** From where to where the log is needed to make it whole; resolves after the last byte. */
  done: Promise<{ start: bigint; end: bigint; timeline: number }>;
};

/** A copy of the whole cluster, no faster than so many kilobytes a second. */
export function streamBase(client: pg.Client, maxRateKb: number): BaseStream {
  let connection: Connection | undefined;
  const tar = new PassThrough({ highWaterMark: 1024 * 1024 });
  tar.on('drain', () => void connection?.stream.resume());
  // Where nobody could begin to write it, nobody listens; `done` says it.
  tar.on('error', () => undefined);
  const rows: Row[] = [];
  let isTar = false;
  const done = new Promise<Awaited<BaseStream['done']>>((resolve, reject) => {
    const fail = (error: Error) => {
      reject(error);
      tar.destroy(error);
    };
    client.once('end', () => fail(new Error('the database closed the connection')));
    client.query({
      ...quiet,
      submit(to: Connection) {
        connection = to;
        to.query(`BASE_BACKUP (LABEL 'airdeck', CHECKPOINT 'fast', WAIT false, MANIFEST 'no', MAX_RATE ${maxRateKb})`);
      },
      handleDataRow: (row: Row) => void rows.push(row),
      handleCopyData({ chunk }: { chunk: Buffer }) {
        const kind = chunk.toString('latin1', 0, 1);
        // Archives follow one another; of another tablespace there is none.
        if (kind === 'n') isTar = chunk.toString('latin1', 1).startsWith('base.tar\0');
        if (kind !== 'd' || !isTar || tar.destroyed) return;
        if (!tar.write(Buffer.from(chunk.subarray(1)))) connection?.stream.pause();
      },
      handleReadyForQuery() {
        // The first row tells where it starts, the last where it ends; between them stand the tablespaces.
        const [first, last] = [rows[0]?.fields, rows.at(-1)?.fields];
        if (first?.[0] == null || last?.[0] == null) return fail(new Error('the copy of the database has no end'));
        tar.end();
        resolve({ start: parsePosition(first[0]), end: parsePosition(last[0]), timeline: Number(first[1]) });
      },
      handleError: fail,
    } as Submittable);
  });
  // Whoever reads the file hears of it as well.
  done.catch(() => undefined);
  return { tar, done };
}

/** Written and flushed so far; nothing is applied here. */
function statusOf(flushed: bigint): Buffer {
  const status = Buffer.alloc(34);
  status.write('r', 0, 'latin1');
  status.writeBigUInt64BE(flushed, 1);
  status.writeBigUInt64BE(flushed, 9);
  status.writeBigUInt64BE((BigInt(Date.now()) / 1_000n - EPOCH_S) * 1_000_000n, 25);
  return status;
}
