import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installUnreadAnswers } from './unread-answers.ts';

const LONG = 'x'.repeat(16 * 1024 * 1024);
const UNREAD_MS = 200;

let app: FastifyInstance;
let finishLate: () => void;
const clients: Socket[] = [];

beforeAll(async () => {
  app = Fastify();
  installUnreadAnswers(app, UNREAD_MS);
  app.get('/long', async () => LONG);
  const late = new Promise<string>((resolve) => {
    finishLate = () => resolve('late');
  });
  app.get('/late', () => late);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await app?.close();
});

function ask(path: string): Socket {
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  client.write(`GET ${path} HTTP/1.1\r\nHost: air.example\r\n\r\n`);
  return client;
}

async function sideOfServer(client: Socket): Promise<Socket> {
  const [socket] = await once(app.server, 'connection');
  expect((socket as Socket).remotePort).toBe(client.localPort);
  return socket as Socket;
}

it('an answer nobody takes ends its connection', async () => {
  const client = ask('/long').pause();
  const socket = await sideOfServer(client);
  await once(socket, 'close');
  expect(socket.bytesRead).toBeGreaterThan(0);
});

it('one that is taken bit by bit comes whole, however long that takes', { timeout: 120_000 }, async () => {
  const client = ask('/long');
  const socket = await sideOfServer(client);
  const closed = once(socket, 'close');
  let taken = 0;
  const done = new Promise<void>((resolve, reject) => {
    client.on('data', (part) => {
      taken += part.length;
      if (taken >= LONG.length) return resolve();
      client.pause();
      setTimeout(() => client.resume(), 1);
    });
    client.on('close', () => reject(new Error(`Ended after ${taken} bytes.`)));
  });
  await done;
  client.destroy();
  await closed;
});

it('one that takes long to be made is waited for', async () => {
  const client = ask('/late');
  const socket = await sideOfServer(client);
  const waited = new Promise((resolve) => socket.once('timeout', resolve));
  await waited;
  finishLate();
  const [part] = await once(client, 'data');
  expect(String(part)).toMatch(/^HTTP\/1\.1 200 [\s\S]*late$/);
});
