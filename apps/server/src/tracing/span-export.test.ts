import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Collector, startCollector } from './collector-stand-in.ts';
import { otlpBody } from './otlp-body.ts';
import type { EndedSpan } from './recording-tracer.ts';
import { createSpanExport, type SpanExportDeps } from './span-export.ts';

const GROUP = 256;
const QUEUE = 2_048;
const warnings: object[] = [];
let elapsed = 0;
let collector: Collector;

beforeEach(async () => {
  warnings.length = 0;
  elapsed = 0;
  collector = await startCollector();
});
afterEach(() => collector.close());

function exportTo(changed: Partial<SpanExportDeps> = {}) {
  return createSpanExport({
    url: collector.url,
    headers: { 'x-key': 'k' },
    body: (spans) => otlpBody({ resource: {}, release: '1' }, spans),
    log: { warn: (fields) => warnings.push(fields) },
    elapsedMs: () => elapsed,
    ...changed,
  });
}

const span = (name: string): EndedSpan => ({
  ...{ traceId: '1'.repeat(32), spanId: '2'.repeat(16), parentSpanId: undefined, name },
  ...{ kind: 'internal', startMs: 1, endMs: 2, attributes: {}, failed: false },
});

function addMany(spans: { add(span: EndedSpan): void }, count: number): void {
  for (let n = 0; n < count; n += 1) spans.add(span(`s${n}`));
}

describe('spans on their way to the collector', () => {
  it('go out in groups as soon as one is full, with the headers that were configured', async () => {
    const spans = exportTo();
    addMany(spans, GROUP);
    await expect.poll(() => spans.counts()).toEqual({ sent: GROUP, dropped: 0 });
    expect(collector.seen).toHaveLength(1);
    expect(collector.seen[0]).toMatchObject({
      path: 'POST /v1/traces',
      headers: { 'x-key': 'k', 'content-type': 'application/json' },
    });
    await spans.stop();
  });

  it('go out at a stop, each once, and none after it', async () => {
    const spans = exportTo();
    addMany(spans, GROUP + 3);
    await spans.stop();
    expect(collector.spans().map(({ name }) => name)).toEqual(Array.from({ length: GROUP + 3 }, (_, n) => `s${n}`));
    spans.add(span('late'));
    await spans.stop();
    expect(spans.counts()).toEqual({ sent: GROUP + 3, dropped: 1 });
  });

  it('are counted as dropped when the collector refuses them, and the log says so once a minute', async () => {
    collector.answerWith(500);
    const spans = exportTo();
    for (let round = 1; round <= 3; round += 1) {
      addMany(spans, GROUP);
      await expect.poll(() => spans.counts()).toEqual({ sent: 0, dropped: round * GROUP });
    }
    expect(warnings).toEqual([{ spans: GROUP, reason: 'answered 500' }]);
    elapsed = 60_000;
    addMany(spans, GROUP);
    await expect.poll(() => warnings).toHaveLength(2);
    expect(warnings[1]).toEqual({ spans: 3 * GROUP, reason: 'answered 500' });
    await spans.stop();
  });

  it('are counted as dropped when nobody is there to take them', async () => {
    await collector.close();
    const spans = exportTo();
    addMany(spans, GROUP);
    await expect.poll(() => spans.counts()).toEqual({ sent: 0, dropped: GROUP });
    expect(warnings).toEqual([{ spans: GROUP, reason: 'ECONNREFUSED' }]);
    await spans.stop();
  });

  it('are not followed to where an answer sends them: keys would go with them', async () => {
    const calls: string[] = [];
    const spans = exportTo({
      fetch: async (url, init) => {
        calls.push(`${url} ${init?.redirect}`);
        return new Response(null, { status: 200 });
      },
    });
    spans.add(span('s'));
    await spans.stop();
    expect(calls).toEqual([`${collector.url} error`]);
  });

  it('are never more than fit, nor kept by a stop, while the collector does not answer', async () => {
    const spans = exportTo({
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
    });
    addMany(spans, GROUP);
    // The first group is in the collector's hands then.
    await new Promise((resolve) => setImmediate(resolve));
    addMany(spans, QUEUE + 7);
    expect(spans.counts()).toEqual({ sent: 0, dropped: 7 });
    await spans.stop();
    expect(spans.counts()).toEqual({ sent: 0, dropped: GROUP + QUEUE + 7 });
  });
});
