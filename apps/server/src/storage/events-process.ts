/**
 * Entry of the child process that owns the events folder: chDB takes one process per folder, and a crash of the native
 * engine must not take the server down. It is told what to do by its parent and ends when the parent is gone.
 */
import { openEventsEngine } from '../events-process/events-engine.ts';
import { createEventsHttp } from '../events-process/events-http.ts';
import type { ExpiredDeeds } from '../events-process/expired-parts.ts';
import { giveWayAltogether } from '../give-way.ts';
import { errorText } from './storage-log.ts';

/** From the parent. */
export type EventsOrder =
  | { kind: 'start'; folder: string; port: number; user: string; password: string; keepsExpired: boolean }
  | { kind: 'stop' };
/** To the parent. */
export type EventsNews =
  | { kind: 'ready'; port: number; version: string }
  | { kind: 'failed'; message: string }
  | ({ kind: 'expired' } & ExpiredDeeds);

const STOP_WITHIN_MS = 8_000;

let stop: () => Promise<void> = () => Promise.resolve();

function start(order: Extract<EventsOrder, { kind: 'start' }>): void {
  const engine = openEventsEngine(order.folder, {
    keepsExpired: order.keepsExpired,
    onExpired: (deeds) => tell({ kind: 'expired', ...deeds }),
  });
  const server = createEventsHttp(engine, order);
  server.once('error', (error) => {
    tell({ kind: 'failed', message: errorText(error) });
  });
  server.listen(order.port, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null)
      tell({ kind: 'ready', port: address.port, version: engine.version });
  });
  stop = async () => {
    server.close();
    server.closeIdleConnections();
    await engine.close();
    server.closeAllConnections();
  };
}

function tell(news: EventsNews): void {
  if (process.connected) process.send?.(news);
}

function end(): void {
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
}

// Before the engine starts its threads.
giveWayAltogether();
process.on('message', (order: EventsOrder) => {
  if (order.kind === 'stop') return end();
  try {
    start(order);
  } catch (error) {
    tell({ kind: 'failed', message: errorText(error) });
  }
});
process.on('disconnect', end);
// Ctrl-C reaches the whole process group; the parent decides when this process may stop.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('SIGHUP', () => undefined);
