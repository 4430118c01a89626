/**
 * Spans of this process. What is under way is known by asynchronous context, so that no function has to hand it on.
 *
 * Which traces are kept is decided where one begins and holds for all of it. A caller from outside may decide against, by the
 * flag it sends; in favour, only within the share that is kept anyway: the dashboard and whoever else calls may set the flag
 * on every call.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isInShare, readTraceparent, type TraceContext, writeTraceparent } from './trace-context.ts';
import type { Attributes, Parent, Span, SpanKind, SpanStart, Tracer } from './tracer.ts';

export type EndedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly failed: boolean;
};

export type RecordingDeps = {
  /** From 0 to 1. */
  readonly share: number;
  readonly now: () => Date;
  /** Of a clock that nobody sets. */
  readonly elapsedMs: () => number;
  readonly randomBytes: (size: number) => Buffer;
  /** Told of every span that is kept; must not throw. */
  readonly onEnd: (span: EndedSpan) => void;
};

const BLOCK_BYTES = 4_096;

export function createRecordingTracer(deps: RecordingDeps): Tracer {
  const underWay = new AsyncLocalStorage<Kept | undefined>();
  const id = createDigits(deps);

  function parentOf(parent: Parent | undefined): TraceContext | undefined {
    if (parent === 'none') return undefined;
    if (parent === undefined) return underWay.getStore()?.context;
    if ('kept' in parent) return readTraceparent(parent.kept);
    const sent = readTraceparent(parent.sent);
    return sent && { ...sent, sampled: sent.sampled && isInShare(sent.traceId, deps.share) };
  }

  function begin(start: SpanStart): Span {
    const parent = parentOf(start.parent);
    const traceId = parent?.traceId ?? id(16);
    const sampled = parent?.sampled ?? isInShare(traceId, deps.share);
    const context = { traceId, spanId: id(8), sampled };
    const record = sampled ? createRecord(start, { context, parent, deps }) : undefined;
    const span: Kept = {
      context,
      traceId,
      traceparent: writeTraceparent(context),
      note: (attributes) => record?.note(attributes),
      fail: () => record?.fail(),
      within: (work) => underWay.run(span, work),
      // What is done with it later is not part of the trace.
      end: () => underWay.run(undefined, () => record?.end()),
    };
    return span;
  }

  return { isOn: true, begin, current: () => underWay.getStore() };
}

type Kept = Span & { readonly context: TraceContext };

function createRecord(
  { name, kind = 'internal', attributes = {} }: SpanStart,
  { context, parent, deps }: { context: TraceContext; parent: TraceContext | undefined; deps: RecordingDeps },
) {
  const startMs = deps.now().getTime();
  const begunAt = deps.elapsedMs();
  const noted: Record<string, Attributes[string]> = { ...attributes };
  let failed = false;
  let ended = false;
  return {
    note(more: Attributes) {
      if (!ended) Object.assign(noted, more);
    },
    fail() {
      failed = true;
    },
    end() {
      if (ended) return;
      ended = true;
      deps.onEnd({
        traceId: context.traceId,
        spanId: context.spanId,
        parentSpanId: parent?.spanId,
        name,
        kind,
        startMs,
        endMs: startMs + deps.elapsedMs() - begunAt,
        attributes: noted,
        failed,
      });
    },
  };
}

/** Hexadecimal digits of random bytes, which are drawn in blocks: each draw costs more than all that is done with it. */
function createDigits({ randomBytes }: Pick<RecordingDeps, 'randomBytes'>): (size: number) => string {
  let block: Buffer = Buffer.alloc(0);
  let used = 0;
  return (size) => {
    if (used + size > block.length) {
      block = randomBytes(BLOCK_BYTES);
      used = 0;
    }
    used += size;
    return block.toString('hex', used - size, used);
  };
}
