import { Agent, request } from 'node:http';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';

/** Where a bench sends events to. */
export type IngestTarget = { url: string; tenant: string; source: string; token: string };

export type Sent = { status: number; answer: IngestAnswer; ms: number; retryAfter: string | undefined };

/** A sender that keeps its connections, as a log shipper does. */
export function createSender(target: IngestTarget, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(target.url);
  const path = `/api/${target.tenant}/event/ingest/${target.source}`;
  return {
    send(body: Buffer, contentType = 'application/x-ndjson'): Promise<Sent> {
      // From when it can be sent: connecting a hundred at once takes this process as long as an answer.
      let started = performance.now();
      const headers = {
        authorization: `Bearer ${target.token}`,
        'content-type': contentType,
        'content-length': body.length,
      };
      return new Promise((resolve, reject) => {
        const call = request({ hostname, port, path, agent, method: 'POST', headers }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const ms = performance.now() - started;
            resolve({
              status: response.statusCode ?? 0,
              ms,
              retryAfter: response.headers['retry-after'],
              answer: JSON.parse(Buffer.concat(chunks).toString()) as IngestAnswer,
            });
          });
        });
        call.on('error', reject);
        call.on('socket', (socket) => {
          if (!socket.connecting) return;
          socket.once('connect', () => {
            started = performance.now();
          });
        });
        call.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

const EVENT_BYTES = 450;

/** NDJSON of events of 450 bytes, all different; `from` numbers them on. */
export function ndjsonBatch(from: number, count: number, time: number): Buffer {
  return Buffer.from(Array.from({ length: count }, (_, index) => event(from + index, time)).join('\n'));
}

function event(n: number, time: number): string {
  const record = {
    timestamp: new Date(time + (n % 1_000)).toISOString(),
    host: `web-${n % 40}.meridian-foods.example`,
    service: 'checkout',
    level: n % 50 === 0 ? 'warning' : 'info',
    user: `user-${n % 500}@meridian-foods.example`,
    src_ip: `198.51.100.${n % 250}`,
    dst_ip: '192.0.2.10',
    action: 'http_request',
    outcome: 'success',
    method: 'GET',
    path: `/orders/${n}`,
    status: 200,
    duration_ms: n % 300,
    request_id: `req-${n}`,
    message: '',
  };
  const length = Buffer.byteLength(JSON.stringify(record));
  record.message = `GET answered ${'of the shop '.repeat(20)}`.slice(0, Math.max(0, EVENT_BYTES - length));
  return JSON.stringify(record);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
