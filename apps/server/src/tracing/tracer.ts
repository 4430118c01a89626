/** What everything that can be followed in a trace is given. Nothing else of the server knows where spans go. */

/** Never a query, a body, a header or a text that people wrote: spans leave the installation. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';

/**
 * Where a span hangs: below a `traceparent` that a caller from outside sent, below one that we kept ourselves, or nowhere,
 * which begins a trace. Left out: below what is under way, and where nothing is, nowhere.
 */
export type Parent = { readonly sent: string | undefined } | { readonly kept: string } | 'none';

export type SpanStart = {
  readonly name: string;
  /** Default `internal`. */
  readonly kind?: SpanKind;
  readonly parent?: Parent;
  readonly attributes?: Attributes;
};

export interface Span {
  readonly traceId: string;
  /** W3C trace context, to be kept or handed to another of our processes. */
  readonly traceparent: string;
  note(attributes: Attributes): void;
  fail(): void;
  /** What begins within `work`, and in what it awaits, hangs below this span. */
  within<Result>(work: () => Result): Result;
  /** Once; what is noted later is lost. */
  end(): void;
}

export interface Tracer {
  /** False where nothing is followed: nobody need do any work for it. */
  readonly isOn: boolean;
  begin(start: SpanStart): Span;
  /** What is under way. */
  current(): Span | undefined;
}

const nothing: Span = {
  traceId: '0'.repeat(32),
  traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`,
  note: () => undefined,
  fail: () => undefined,
  within: (work) => work(),
  end: () => undefined,
};

export const noTracer: Tracer = { isOn: false, begin: () => nothing, current: () => undefined };

/** For the log: its lines name the trace that is under way. */
export function traceOfLines(tracer: Tracer): { mixin?: () => object } {
  if (!tracer.isOn) return {};
  return {
    mixin() {
      const span = tracer.current();
      return span === undefined ? {} : { trace_id: span.traceId };
    },
  };
}

/** Does `work` in a span of its own, which fails when `work` does. */
export async function inSpan<Result>(
  tracer: Tracer,
  start: SpanStart,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const span = tracer.begin(start);
  try {
    return await span.within(() => work(span));
  } catch (error) {
    span.fail();
    throw error;
  } finally {
    span.end();
  }
}
