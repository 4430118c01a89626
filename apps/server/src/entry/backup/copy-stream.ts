/**
 * PostgreSQL's COPY over a connection of `pg`, which itself knows plain statements only. Both ways hold back the other
 * side: rows nobody has read yet stay in the socket, rows the server has not taken yet stay with their source.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ClientBase, Connection, Submittable } from 'pg';

/** The part of a connection its published types leave out. */
type CopyConnection = Connection & {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
};

const PORTION_BYTES = 64 * 1024;

/** The rows of `copy … to stdout` as the server writes them, in portions of whole rows. */
export function copyOut(client: ClientBase, statement: string): Readable {
  let connection: Connection | undefined;
  let parts: Buffer[] = [];
  let bytes = 0;
  const rows = new Readable({
    highWaterMark: 4 * PORTION_BYTES,
    read: () => void connection?.stream.resume(),
    // What is still on its way has to be read before the connection can do anything else.
    destroy: (error, done) => {
      connection?.stream.resume();
      done(error);
    },
  });
  const hand = () => {
    const portion = Buffer.concat(parts);
    [parts, bytes] = [[], 0];
    if (!rows.push(portion) && !rows.destroyed) connection?.stream.pause();
  };
  client.query({
    ...quiet,
    submit(to: Connection) {
      connection = to;
      to.query(statement);
    },
    handleCopyData({ chunk }: { chunk: Buffer }) {
      if (rows.destroyed) return;
      // The parser writes the next message over this one.
      parts.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes >= PORTION_BYTES) hand();
    },
    handleReadyForQuery() {
      if (bytes > 0) hand();
      rows.push(null);
    },
    handleError: (error: Error) => void rows.destroy(error),
  } as Submittable);
  return rows;
}

/** Runs `copy … from stdin` with what the source delivers. Rejects with the server's error, or the source's. */
export async function copyIn(client: ClientBase, statement: string, source: AsyncIterable<Buffer>): Promise<void> {
  const over = new AbortController();
  let failed: unknown;
  const send = async (connection: CopyConnection) => {
    try {
      for await (const chunk of source) {
        // Nothing is sent to a server that has given up; it would not be read.
        if (over.signal.aborted) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain', { signal: over.signal });
      }
      if (!over.signal.aborted) connection.endCopyFrom();
    } catch (error) {
      if (over.signal.aborted) return;
      failed = error;
      connection.sendCopyFail('the source ended early');
    }
  };
  try {
    await new Promise<void>((resolve, reject) => {
      client.query({
        ...quiet,
        submit: (to: Connection) => to.query(statement),
        handleCopyInResponse: (connection: CopyConnection) => void send(connection),
        handleReadyForQuery: () => resolve(),
        // The last that is heard of the statement: `pg` tells it neither that the server is ready again nor of an end.
        handleError: (error: Error) => reject(failed ?? error),
      } as Submittable);
    });
  } finally {
    over.abort();
  }
}

/** What a connection reports and nobody who copies needs. */
export const quiet = {
  handleRowDescription: () => undefined,
  handleDataRow: () => undefined,
  handleCommandComplete: () => undefined,
  handleEmptyQuery: () => undefined,
  handlePortalSuspended: () => undefined,
};
