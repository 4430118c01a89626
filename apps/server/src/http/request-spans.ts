import type { RouteId } from '@airdeck/contracts/route-table';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Span, Tracer } from '../tracing/tracer.ts';

/**
 * A span for each request, from its head to the end of its answer; what is done for it hangs below. It names the route as a
 * pattern, never the address. Has to be installed before hooks whose lines of the log are to carry the trace.
 */
export function installRequestSpans(server: FastifyInstance, tracer: Tracer): void {
  if (!tracer.isOn) return;
  const spans = new WeakMap<FastifyRequest, Span>();

  server.addHook('onRequest', (request, reply, done) => {
    const { url: route, config } = request.routeOptions;
    const { routeId } = config as { routeId?: RouteId };
    const { traceparent } = request.headers;
    const span = tracer.begin({
      name: routeId ?? [request.method, route].filter((part) => part !== undefined).join(' '),
      kind: 'server',
      parent: { sent: typeof traceparent === 'string' ? traceparent : undefined },
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'airdeck.request_id': request.id,
      },
    });
    spans.set(request, span);
    // Also of an answer that nobody waited for.
    reply.raw.once('close', () => endSpan(span, reply));
    span.within(done);
  });

  server.addHook('onResponse', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.within(done);
  });
}

function endSpan(span: Span, { raw }: FastifyReply): void {
  const status = raw.headersSent ? raw.statusCode : undefined;
  span.note({ 'http.response.status_code': status });
  if (status === undefined || status >= 500) span.fail();
  span.end();
}
