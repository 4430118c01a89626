import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyReply } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { requestSignal } from './request-signal.ts';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.closeAllConnections();
});

/** An answer that waits, and the client it is for. */
async function asked() {
  const server = createServer().listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, raw] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { client, raw, reply: { raw } as unknown as FastifyReply };
}

it('is aborted when the client goes away', async () => {
  const { client, raw, reply } = await asked();
  const signal = requestSignal(reply);
  expect(signal.aborted).toBe(false);
  client.destroy();
  await once(raw, 'close');
  expect(signal.aborted).toBe(true);
});

it('is aborted from the start when the client had gone already', async () => {
  const { client, raw, reply } = await asked();
  client.destroy();
  await once(raw, 'close');
  expect(requestSignal(reply).aborted).toBe(true);
});

it('is not aborted by an answer that is complete', async () => {
  const { raw, reply } = await asked();
  const signal = requestSignal(reply);
  raw.end('done');
  await once(raw, 'close');
  expect(signal.aborted).toBe(false);
});
