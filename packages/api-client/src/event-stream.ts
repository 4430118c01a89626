/**
 * Server-sent events over fetch, because `EventSource` cannot send a bearer token.
 *
 * States: connecting → open → (lost) → connecting …, until closed by the subscriber. A connection without a byte for
 * `silenceMs` counts as lost: the server sends a heartbeat comment every 15 s. The wait before the next attempt doubles
 * from one second up to thirty, with jitter, and starts over after the first byte of a good connection. What was
 * missed in between is not replayed; subscribers refetch when they see `open` again.
 */
import { createEventStreamParser } from './event-stream-parser.ts';

export type StreamState = 'connecting' | 'open' | 'lost';

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

type Needed = Pick<EventStreamDeps, 'fetch' | 'getToken' | 'onUnauthorized'>;

/** Keeps the stream open until `closed` aborts, or until the server says this caller may not listen. */
export async function keepStreamOpen(
  given: Needed & Partial<EventStreamDeps>,
  url: string,
  handlers: StreamHandlers,
  closed: AbortSignal,
): Promise<void> {
  const deps: EventStreamDeps = { after: afterTimeout, random: Math.random, silenceMs: SILENCE_MS, ...given };
  let failures = 0;
  let refresh = false;
  while (!closed.aborted) {
    handlers.onState?.('connecting');
    const end = await connectOnce(deps, { url, refresh, closed, handlers });
    if (closed.aborted) return;
    handlers.onState?.('lost');
    if (end.kind === 'unauthorized') {
      if (refresh) {
        deps.onUnauthorized();
        return;
      }
      refresh = true;
      continue;
    }
    // The role or the plan no longer allows it: asking again would only be refused again.
    if (end.kind === 'refused') return;
    refresh = false;
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
type Connection = { url: string; refresh: boolean; closed: AbortSignal; handlers: StreamHandlers };

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
    // A variable, because Node's type of these options does not know the browser's `cache`.
    const options = {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([connection.closed, silence.signal]),
    } as const;
    const response = await deps.fetch(connection.url, options);
    if (response.status === 401) return { kind: 'unauthorized' };
    if (response.status === 403 || response.status === 404) return { kind: 'refused' };
    if (!response.ok || response.body === null) return { kind: 'failed' };
    opened = true;
    connection.handlers.onState?.('open');
    return { kind: 'was_open', retryMs: await readEvents(response.body, connection.handlers, heard) };
  } catch {
    // Every cause (network, silence, closed by the subscriber) means the same here: the connection is gone.
    return { kind: opened ? 'was_open' : 'failed' };
  } finally {
    cancelSilence();
  }
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  handlers: StreamHandlers,
  heard: () => void,
): Promise<number | undefined> {
  const parser = createEventStreamParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parser.retryMs();
    heard();
    for (const event of parser.push(decoder.decode(value, { stream: true })))
      deliver(event.data, event.event, handlers);
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
