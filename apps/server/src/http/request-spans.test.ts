import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createRecordingTracer, type EndedSpan } from '../tracing/recording-tracer.ts';
import { noTracer, type Tracer } from '../tracing/tracer.ts';
import { installRequestSpans } from './request-spans.ts';

const ended: EndedSpan[] = [];
let app: FastifyInstance | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
  ended.length = 0;
});

function tracerOfTest(): Tracer {
  return createRecordingTracer({
    ...{ share: 1, now: () => new Date(), elapsedMs: () => performance.now(), randomBytes },
    onEnd: (span) => ended.push(span),
  });
}

/** `/wait/:id` is answered when `answer` is called; `seen` tells which trace a handler finds itself in. */
async function serve(tracer: Tracer) {
  const seen: (string | undefined)[] = [];
  let answer: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  app = Fastify();
  installRequestSpans(app, tracer);
  app.get('/wait/:id', { config: { routeId: 'things.wait' } }, async () => {
    seen.push(tracer.current()?.traceId);
    await waiting;
    return {};
  });
  app.post('/fail', async () => {
    seen.push(tracer.current()?.traceId);
    throw new Error('no');
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, seen, answer };
}

describe('the span of a request', () => {
  it('is what the handler works in, and names the route but nothing of the address', async () => {
    const { url, seen, answer } = await serve(tracerOfTest());
    answer();
    await fetch(`${url}/wait/a-name?q=a-search`, { headers: { traceparent: 'nonsense' } });
    await expect.poll(() => ended).toHaveLength(1);
    expect(seen).toEqual([ended[0]?.traceId]);
    expect(ended[0]).toMatchObject({
      ...{ name: 'things.wait', kind: 'server', failed: false, parentSpanId: undefined },
      attributes: { 'http.route': '/wait/:id', 'http.request.method': 'GET', 'http.response.status_code': 200 },
    });
    expect(JSON.stringify(ended)).not.toMatch(/a-name|a-search/);
  });

  it('is named by method and pattern where there is no row in the route table, and fails with a fault of ours', async () => {
    const { url } = await serve(tracerOfTest());
    await fetch(`${url}/fail`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    await fetch(`${url}/a-guess`);
    await expect.poll(() => ended).toHaveLength(2);
    expect(ended.map(({ name, failed }) => [name, failed])).toEqual([
      ['POST /fail', true],
      ['GET', false],
    ]);
    expect(JSON.stringify(ended)).not.toContain('a-guess');
  });

  it('ends as failed when the caller hangs up before there is an answer', async () => {
    const { url, seen } = await serve(tracerOfTest());
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write('GET /wait/1 HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(() => seen).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => ended).toHaveLength(1);
    expect(ended[0]).toMatchObject({ failed: true });
    expect(ended[0]?.attributes['http.response.status_code']).toBeUndefined();
  });

  it('is not there, nor any hook for it, while nothing is followed', () => {
    const hooks: string[] = [];
    installRequestSpans({ addHook: (name: string) => hooks.push(name) } as unknown as FastifyInstance, noTracer);
    expect(hooks).toEqual([]);
  });
});
