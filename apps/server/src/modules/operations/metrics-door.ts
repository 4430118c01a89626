/**
 * Where a Prometheus server asks. On a port of its own and without a sign-in: whoever may reach that port is decided by the
 * network, and no proxy in front of the dashboard leads there by accident. It knows one address and takes no body.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

const HEADERS_WITHIN_MS = 5_000;

type Options = {
  host: string;
  port: number;
  metrics: Pick<Metrics, 'contentType' | 'text'>;
  log: { warn(fields: object, message: string): void };
};

export type MetricsDoor = { port: number; close(): Promise<void> };

/** Rejects with the system's error when it cannot listen. */
export async function openMetricsDoor({ host, port, metrics, log }: Options): Promise<MetricsDoor> {
  const server = createServer(
    { headersTimeout: HEADERS_WITHIN_MS, requestTimeout: HEADERS_WITHIN_MS },
    (request, reply) => {
      const isKnown = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
      if (!isKnown) {
        reply.writeHead(404).end();
        return;
      }
      metrics.text().then(
        (text) => reply.writeHead(200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' }).end(text),
        (error: unknown) => {
          log.warn({ error: error instanceof Error ? error.message : String(error) }, 'metrics could not be read');
          reply.writeHead(503).end();
        },
      );
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
