/**
 * Hands ended spans to the collector, in groups and one call at a time, beside the work they tell of.
 *
 * States: waiting (until a group is full or five seconds have passed) · sending · stopped. Always: never more than
 * `QUEUE_MAX` spans wait; whoever adds one is not kept; a span is sent at most once. A collector that is away, slow or refuses
 * costs the spans it was to get: they are counted, and the log says so once a minute. A crash loses what waits.
 */
import type { EndedSpan } from './recording-tracer.ts';

/** Spans that wait. */
const QUEUE_MAX = 2_048;
/** Spans of one call; writing one takes about two milliseconds of the event loop. */
const GROUP_MAX = 256;
const SEND_EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 10_000;
/** A stop has 25 seconds for everything. */
const STOP_WITHIN_MS = 2_000;
const TELL_EVERY_MS = 60_000;

export type SpanCounts = { readonly sent: number; readonly dropped: number };

export type SpanExportDeps = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (spans: readonly EndedSpan[]) => string;
  readonly log: { warn(fields: object, message: string): void };
  readonly elapsedMs: () => number;
  readonly fetch?: typeof globalThis.fetch;
};

export type SpanExport = {
  add(span: EndedSpan): void;
  counts(): SpanCounts;
  /** Sends what waits, for two seconds at most. */
  stop(): Promise<void>;
};

export function createSpanExport(deps: SpanExportDeps): SpanExport {
  const { log, elapsedMs, fetch = globalThis.fetch } = deps;
  const waiting: EndedSpan[] = [];
  const ending = new AbortController();
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let sent = 0;
  let dropped = 0;
  let untold = 0;
  let toldAt = Number.NEGATIVE_INFINITY;

  function drop(spans: number, reason: string): void {
    dropped += spans;
    untold += spans;
    if (elapsedMs() - toldAt < TELL_EVERY_MS) return;
    log.warn({ spans: untold, reason }, 'traces are lost: the collector does not take them');
    toldAt = elapsedMs();
    untold = 0;
  }

  function add(span: EndedSpan): void {
    if (stopped || waiting.length >= QUEUE_MAX) {
      drop(1, 'too many spans wait');
      return;
    }
    waiting.push(span);
    if (waiting.length >= GROUP_MAX) sendWaiting();
    else timer ??= setTimeout(sendWaiting, SEND_EVERY_MS).unref();
  }

  function sendWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
  }

  async function sendAll(): Promise<void> {
    // Not in the turn of the loop in which somebody's work has just ended.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (waiting.length > 0 && !ending.signal.aborted) {
      const group = waiting.splice(0, GROUP_MAX);
      const refused = await post(deps.body(group));
      if (refused === undefined) sent += group.length;
      else drop(group.length, refused);
    }
  }

  /** Why it was not taken, if it was not. Says nothing of what the collector answered: it may repeat what it was sent. */
  async function post(body: string): Promise<string | undefined> {
    try {
      const answer = await fetch(deps.url, {
        ...{ method: 'POST', body, redirect: 'error' },
        headers: { ...deps.headers, 'content-type': 'application/json' },
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `answered ${answer.status}`;
    } catch (error) {
      return reasonOf(error);
    }
  }

  return {
    add,
    counts: () => ({ sent, dropped }),
    async stop() {
      stopped = true;
      const late = setTimeout(() => ending.abort(new Error('The server stops.')), STOP_WITHIN_MS);
      await sending;
      sendWaiting();
      await sending;
      clearTimeout(late);
      if (waiting.length > 0) drop(waiting.splice(0).length, 'the server stops');
    },
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'unknown';
}
