import { randomBytes } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRecordingTracer, type EndedSpan } from './recording-tracer.ts';
import { readTraceparent } from './trace-context.ts';
import { inSpan, noTracer, type Span, traceOfLines } from './tracer.ts';

const ended: EndedSpan[] = [];
let elapsed = 0;
beforeEach(() => {
  ended.length = 0;
  elapsed = 0;
});

function tracerOf(share = 1) {
  return createRecordingTracer({
    ...{ share, randomBytes, now: () => new Date(1_700_000_000_000), elapsedMs: () => elapsed },
    onEnd: (span) => ended.push(span),
  });
}

const callers = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const sent = (flags: string) => ({ sent: `00-${callers.traceId}-${callers.spanId}-${flags}` });

describe('spans', () => {
  it('hang below what is under way, across everything that is awaited', async () => {
    const tracer = tracerOf();
    await inSpan(tracer, { name: 'outer', kind: 'server' }, async () => {
      await later(1);
      await Promise.all(['one', 'two'].map((name) => inSpan(tracer, { name }, () => later(1))));
    });
    const [one, two, outer] = ended;
    expect([one?.name, two?.name, outer?.name]).toEqual(['one', 'two', 'outer']);
    expect(outer?.parentSpanId).toBeUndefined();
    expect([one?.parentSpanId, two?.parentSpanId]).toEqual([outer?.spanId, outer?.spanId]);
    expect(new Set(ended.map(({ traceId }) => traceId)).size).toBe(1);
    expect(tracer.current()).toBeUndefined();
  });

  it('say how long they took, what was noted and whether it failed, once', async () => {
    const tracer = tracerOf();
    const failure = new Error('no');
    let kept: Span | undefined;
    const work = inSpan(tracer, { name: 'n', attributes: { a: 1, b: 'x' } }, async (span) => {
      kept = span;
      elapsed = 12.5;
      span.note({ b: 'y', c: undefined });
      throw failure;
    });
    await expect(work).rejects.toBe(failure);
    kept?.note({ a: 'late' });
    kept?.end();
    expect(ended).toHaveLength(1);
    expect(ended[0]).toMatchObject({ startMs: 1_700_000_000_000, endMs: 1_700_000_000_012.5, failed: true });
    expect(ended[0]?.attributes).toEqual({ a: 1, b: 'y', c: undefined });
  });

  it('go on with a trace that was kept elsewhere, or begin one although another is under way', () => {
    const tracer = tracerOf();
    const kept = tracer.begin({ name: 'before' }).traceparent;
    tracer.begin({ name: 'other' }).within(() => {
      tracer.begin({ name: 'step', parent: { kept } }).end();
      tracer.begin({ name: 'own', parent: 'none' }).end();
    });
    const [step, own] = ended;
    expect(step).toMatchObject({
      traceId: readTraceparent(kept)?.traceId,
      parentSpanId: readTraceparent(kept)?.spanId,
    });
    expect(own?.parentSpanId).toBeUndefined();
    expect(own?.traceId).not.toBe(step?.traceId);
  });

  it('have ids that no other has', () => {
    const tracer = tracerOf();
    const spans = Array.from({ length: 1_000 }, () => tracer.begin({ name: 'n', parent: 'none' }));
    const contexts = spans.map(({ traceparent }) => readTraceparent(traceparent));
    expect(new Set(contexts.map((context) => context?.traceId)).size).toBe(spans.length);
    expect(new Set(contexts.map((context) => context?.spanId)).size).toBe(spans.length);
  });
});

describe('what is kept', () => {
  it('is decided where a trace begins, and holds for all of it', () => {
    const tracer = tracerOf(0);
    const root = tracer.begin({ name: 'root' });
    root.within(() => tracer.begin({ name: 'inner' }).end());
    // As another process with another share finds it with a run.
    tracerOf(1)
      .begin({ name: 'step', parent: { kept: root.traceparent } })
      .end();
    root.end();
    expect(ended).toEqual([]);
    expect(readTraceparent(root.traceparent)?.sampled).toBe(false);
  });

  it('goes by the process that kept it, not by the share of this one', () => {
    const kept = tracerOf(1).begin({ name: 'request' }).traceparent;
    tracerOf(0).begin({ name: 'step', parent: { kept } }).end();
    expect(ended).toHaveLength(1);
  });

  it('is not for a caller to ask for beyond the share, but for it to refuse', () => {
    tracerOf(1)
      .begin({ name: 'asked', parent: sent('01') })
      .end();
    tracerOf(1)
      .begin({ name: 'refused', parent: sent('00') })
      .end();
    tracerOf(0.01)
      .begin({ name: 'beyond', parent: sent('01') })
      .end();
    expect(ended.map(({ name }) => name)).toEqual(['asked']);
    expect(ended[0]).toMatchObject({ traceId: callers.traceId, parentSpanId: callers.spanId });
  });

  it('begins anew below a header that is none', () => {
    tracerOf()
      .begin({ name: 'n', parent: { sent: 'nonsense' } })
      .end();
    expect(ended[0]?.parentSpanId).toBeUndefined();
  });
});

describe('lines of the log', () => {
  it('name the trace that is under way, also one that is not kept', () => {
    const tracer = tracerOf(0);
    const { mixin } = traceOfLines(tracer);
    const span = tracer.begin({ name: 'n' });
    expect(span.within(() => mixin?.())).toEqual({ trace_id: span.traceId });
    expect(mixin?.()).toEqual({});
  });

  it('cost nothing where nothing is followed', () => {
    expect(traceOfLines(noTracer)).toEqual({});
  });
});
