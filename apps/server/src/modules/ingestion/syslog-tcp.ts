import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ByteBudget } from './byte-budget.ts';
import type { DoorCounters } from './door-counters.ts';
import { createFrameReader } from './syslog-frames.ts';
import type { FrameHolder, UnfinishedFrames } from './unfinished-frames.ts';

const LINE_MAX_BYTES = 1_048_576;
const CONNECTIONS_MAX = 512;
/** Senders keep connections open for days, but not without a word. */
const IDLE_MS = 30 * 60_000;
const HANDSHAKE_MS = 10_000;

export type SyslogTcp = { port: number; close(): Promise<void> };

export type SyslogListenOptions = { host: string; port: number };

/** What the door shows to senders that encrypt; both PEM. */
export type TlsIdentity = { key: Buffer; cert: Buffer };

export type SyslogDependencies = {
  /** Takes a line whose bytes the budget already holds. */
  add(frame: Buffer, address: string): void;
  budget: ByteBudget;
  counters: DoorCounters;
};

type TcpDependencies = SyslogDependencies & { unfinished: UnfinishedFrames };

/**
 * Listens for syslog over TCP (RFC 6587), or with `tls` over TLS (RFC 5425). While the memory for lines is full it stops
 * reading, so that senders have to wait. Where too many frames do not end, the connection with the largest of them is
 * closed, and its frame counted as dropped.
 */
export async function listenSyslogTcp(
  options: SyslogListenOptions & { tls?: TlsIdentity | undefined },
  deps: TcpDependencies,
): Promise<SyslogTcp> {
  const sockets = new Set<Socket>();
  const onLine = (socket: Socket) => serve(socket, deps);
  const server =
    options.tls === undefined
      ? createServer({ allowHalfOpen: false }, onLine)
      : createTlsServer({ ...options.tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_MS }, onLine);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Whoever cannot agree on encryption has sent nothing yet.
  server.on('tlsClientError', (_error, socket: Socket) => {
    deps.counters.rejected++;
    socket.destroy();
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.on('drop', () => deps.counters.rejected++);
  const port = await listen(server, options);
  return {
    port,
    close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      return closed;
    },
  };
}

function serve(socket: Socket, { add, budget, unfinished, counters }: TcpDependencies): void {
  const address = socket.remoteAddress ?? '';
  let isGivenUp = false;
  const holder: FrameHolder = {
    giveUp() {
      isGivenUp = true;
      counters.dropped++;
      socket.destroy();
    },
  };
  const frames = createFrameReader({
    maxBytes: LINE_MAX_BYTES,
    onFrame(frame) {
      budget.hold(frame.length);
      // A copy: the frame is a piece of a chunk, which would stay in memory as a whole.
      add(Buffer.from(frame), address);
    },
    onCut: () => counters.malformed++,
  });
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('data', (chunk) => {
    frames.push(chunk);
    unfinished.hold(holder, frames.heldBytes);
    if (isGivenUp || !budget.isFull) return;
    socket.pause();
    budget.onRoom(() => socket.resume());
  });
  // Also after a reset: what came before it is there.
  socket.once('close', () => {
    if (!isGivenUp) frames.end();
    unfinished.hold(holder, 0);
  });
  socket.on('error', () => socket.destroy());
}

function listen(server: Server, { host, port }: SyslogListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
