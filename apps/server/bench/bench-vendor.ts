/** A vendor that answers at once: an Okta log without news, and changes that always work. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type BenchVendor = {
  readonly url: string;
  readonly port: number;
  /** How often the log was asked for. */
  polls(): number;
  /** Resolves with when the next change was asked for, by `performance.now()`. */
  nextChange(): Promise<number>;
  /** Calls `handler` with the text of every change, and when it was asked for. */
  onChange(handler: (change: { at: number; text: string }) => void): void;
  close(): void;
};

export async function startBenchVendor(): Promise<BenchVendor> {
  let polls = 0;
  let told: (at: number) => void = () => undefined;
  let changed: (change: { at: number; text: string }) => void = () => undefined;
  const server = createServer((request, response) => {
    const isLog = request.url?.startsWith('/api/v1/logs') === true;
    if (isLog) polls += 1;
    if (request.url?.startsWith('/things/') === true) {
      const at = performance.now();
      told(at);
      request.toArray().then((chunks) => changed({ at, text: Buffer.concat(chunks).toString() }), console.error);
    } else {
      request.resume();
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(isLog ? '[]' : '{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    polls: () => polls,
    nextChange: () =>
      new Promise((resolve) => {
        told = resolve;
      }),
    onChange(handler) {
      changed = handler;
    },
    close: () => void server.close(),
  };
}
