/**
 * Server-sent events over fetch, because `EventSource` cannot send a bearer token.
 *
 * States: connecting → open → (lost) → connecting …, until closed by the subscriber or `refused`, which is the last one. A
 * connection without a byte for `silenceMs` counts as lost: the server sends a heartbeat comment every 15 s. The wait before
 * the next attempt doubles from one second up to thirty, with jitter, and starts over after the first byte of a good
 * connection. Where the server gives ids, the last one goes with the next attempt, so that it can send what was missed; of
 * other streams nothing is replayed, and subscribers refetch when they see `open` again.
 */
import { createEventStreamParser } from './event-stream-parser.ts';

export type StreamState = 'connecting' | 'open' | 'lost' | 'refused';

export type StreamHandlers = {
  /** Decoded data of one event; events whose data is not JSON are skipped. */
  onMessage: (data: unknown, event: string) => void;
  onState?: (state: StreamState) => void;
};

export type EventStreamDeps = {
  fetch: typeof globalThis.fetch;
  getToken: (options?: { refresh?: boolean }) => Promise<string | undefined>;
  onUnauthorized: () => void;
  /** Calls back after a number of milliseconds; returns what cancels it. */
  after: (milliseconds: number, callback: () => void) => () => void;
  random: () => number;
  silenceMs: number;
};

const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 30_000;
const SILENCE_MS = 45_000;
/** Refusals of the moment; by any other of 400 to 499 the server says that the same call will never be answered. */
const worthRetrying: ReadonlySet<number> = new Set([408, 425, 429]);

type Needed = Pick<EventStreamDeps, 'fetch' | 'getToken' | 'onUnauthorized'>;

/** Keeps the stream open until `closed` aborts, or until the server refuses it for good. */
export async function keepStreamOpen(
  given: Needed & Partial<EventStreamDeps>,
  url: string,
  handlers: StreamHandlers,
  closed: AbortSignal,
): Promise<void> {
  const deps: EventStreamDeps = { after: afterTimeout, random: Math.random, silenceMs: SILENCE_MS, ...given };
  let failures = 0;
  let refresh = false;
  const position = { lastId: '' };
  while (!closed.aborted) {
    handlers.onState?.('connecting');
    const end = await connectOnce(deps, { url, refresh, position, closed, handlers });
    if (closed.aborted) return;
    const isSignedOut = end.kind === 'unauthorized' && refresh;
    if (isSignedOut || end.kind === 'refused') {
      handlers.onState?.('refused');
      if (isSignedOut) deps.onUnauthorized();
      return;
    }
    handlers.onState?.('lost');
    refresh = end.kind === 'unauthorized';
    if (refresh) continue;
    failures = end.kind === 'was_open' ? 1 : failures + 1;
    await wait(deps, end.retryMs ?? backoffMs(failures, deps.random), closed);
  }
}

/** Anywhere between half and all of the capped delay, so that a restarted server is not met by everyone at once. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}

type End = { kind: 'unauthorized' | 'refused' | 'failed' | 'was_open'; retryMs?: number | undefined };
/** Where to go on after a break; kept over connections. */
type Position = { lastId: string };
type Connection = {
  url: string;
  refresh: boolean;
  position: Position;
  closed: AbortSignal;
  handlers: StreamHandlers;
};

async function connectOnce(deps: EventStreamDeps, connection: Connection): Promise<End> {
  const silence = new AbortController();
  let cancelSilence = deps.after(deps.silenceMs, () => silence.abort());
  const heard = () => {
    cancelSilence();
    cancelSilence = deps.after(deps.silenceMs, () => silence.abort());
  };
  let opened = false;
  try {
    const token = await deps.getToken({ refresh: connection.refresh });
    if (token === undefined) return { kind: 'unauthorized' };
    const { lastId } = connection.position;
    // A variable, because Node's type of these options does not know the browser's `cache`.
    const options = {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${token}`,
        ...(lastId === '' ? {} : { 'last-event-id': lastId }),
      },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([connection.closed, silence.signal]),
    } as const;
    const response = await deps.fetch(connection.url, options);
    if (response.status === 401) return { kind: 'unauthorized' };
    if (response.status >= 400 && response.status < 500 && !worthRetrying.has(response.status)) {
      return { kind: 'refused' };
    }
    if (!response.ok || response.body === null) return { kind: 'failed' };
    opened = true;
    connection.handlers.onState?.('open');
    return { kind: 'was_open', retryMs: await readEvents(response.body, connection, heard) };
  } catch {
    // Every cause (network, silence, closed by the subscriber) means the same here: the connection is gone.
    return { kind: opened ? 'was_open' : 'failed' };
  } finally {
    cancelSilence();
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  { handlers, position }: Pick<Connection, 'handlers' | 'position'>,
  heard: () => void,
): Promise<number | undefined> {
  const parser = createEventStreamParser(position.lastId);
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parser.retryMs();
    heard();
    for (const event of parser.push(decoder.decode(value, { stream: true })))
      deliver(event.data, event.event, handlers);
    position.lastId = parser.lastId();
  }
}

function deliver(text: string, event: string, handlers: StreamHandlers): void {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return;
  }
  handlers.onMessage(data, event);
}

function wait(deps: EventStreamDeps, milliseconds: number, closed: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = deps.after(milliseconds, done);
    closed.addEventListener('abort', done, { once: true });
    function done(): void {
      cancel();
      closed.removeEventListener('abort', done);
      resolve();
    }
  });
}

function afterTimeout(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}
