/** A small HTTP server in a vendor's place and the real egress module with it as the only exception. For tests. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ActionContext } from './definition.ts';
import type { GuardedEgress } from './egress.ts';
import { createEgress } from './egress.ts';

export type SeenRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};
export type GivenAnswer = { status?: number; headers?: Record<string, string>; json?: unknown; text?: string };

export type VendorServer = {
  readonly url: string;
  readonly seen: SeenRequest[];
  readonly egress: GuardedEgress;
  context(parts?: Partial<ActionContext>): ActionContext;
  close(): Promise<void>;
};

export const FIXED_NOW = new Date('2026-11-20T12:00:00Z');

export async function startVendorServer(
  answerOf: (request: SeenRequest) => GivenAnswer | Promise<GivenAnswer>,
): Promise<VendorServer> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8');
    });
    request.on('end', async () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
      seen.push(one);
      const { status = 200, headers = {}, json, text } = await answerOf(one);
      response.writeHead(status, headers);
      response.end(text ?? (json === undefined ? '' : JSON.stringify(json)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }], totalTimeoutMs: 5000 });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    seen,
    egress,
    context: (parts = {}) => ({
      tenant: 'tenant-for-tests',
      config: { base_url: `${url}/base` },
      egress,
      signal: new AbortController().signal,
      now: () => FIXED_NOW,
      input: {},
      idempotencyKey: 'run:action:0',
      ...parts,
    }),
    async close() {
      await egress.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a call failed with. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ code: string; message: string; retryAfterS?: number }> {
  const error: unknown = await work.then(
    () => ({ code: 'fine', message: '' }),
    (thrown: unknown) => thrown,
  );
  const { code, message, retryAfterS } = error as { code: string; message: string; retryAfterS?: number };
  return { code, message, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
}
