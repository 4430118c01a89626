/** Takes traces as a collector does: OTLP over HTTP, as JSON. Only for tests. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

type AnyValue = { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number };
type KeyValue = { key: string; value: AnyValue };
type SpanOnTheWire = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValue[];
  status: { code?: number };
};
type Export = {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: SpanOnTheWire[] }[] }[];
};

export type CollectedSpan = Omit<SpanOnTheWire, 'attributes'> & {
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
};

export type Collector = Awaited<ReturnType<typeof startCollector>>;

export async function startCollector() {
  const seen: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
  let status: number | 'never' = 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    seen.push({ path: `${request.method} ${request.url}`, headers: request.headers, body });
    if (status === 'never') return;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1/traces`,
    seen,
    spans: () => seen.flatMap(({ body }) => spansOf(body)),
    answerWith(other: number | 'never') {
      status = other;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf(body: string): CollectedSpan[] {
  return (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        ...span,
        attributes: plain(span.attributes),
        resource: plain(resource.attributes),
      })),
    ),
  );
}

function plain(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue),
    ]),
  );
}
