import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { installUnreadAnswers } from './unread-answers.ts';

const LONG = 'x'.repeat(16 * 1024 * 1024);
/** Long enough for a busy machine to take something meanwhile. */
const UNREAD_MS = 1_000;
const HELD_MAX = 3 * LONG.length;

let app: FastifyInstance;
let patient: FastifyInstance;
const clients: Socket[] = [];
let finishLate: () => void = () => undefined;
const late = new Promise<string>((resolve) => {
  finishLate = () => resolve('late');
});

async function serving(ms: number): Promise<FastifyInstance> {
  const made = Fastify();
  installUnreadAnswers(made, { ms, bytes: HELD_MAX }, ({ headers }) => String(headers['x-name']));
  made.get('/long', async () => LONG);
  made.get('/late', () => late);
  await made.listen({ host: '127.0.0.1', port: 0 });
  return made;
}

beforeAll(async () => {
  app = await serving(UNREAD_MS);
  patient = await serving(600_000);
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await Promise.all([app?.close(), patient?.close()]);
});

function ask(path: string, { of = app, name = 'one' } = {}): Socket {
  const client = connect((of.server.address() as AddressInfo).port, '127.0.0.1');
  clients.push(client);
  client.write(`GET ${path} HTTP/1.1\r\nHost: air.example\r\nX-Name: ${name}\r\n\r\n`);
  return client;
}

async function sideOfServer(client: Socket, of = app): Promise<Socket> {
  const [socket] = await once(of.server, 'connection');
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
      setTimeout(() => client.resume(), 12);
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

it('of answers nobody takes, those of whoever has the most are ended when they are too many together', async () => {
  const whole = async (client: Socket) => {
    let taken = 0;
    for await (const part of client) {
      taken += (part as Buffer).length;
      if (taken > LONG.length) return taken;
    }
    return taken;
  };
  const of = patient;
  const quiet = ask('/long', { of, name: 'quiet' }).pause();
  await sideOfServer(quiet, of);
  const ended: Promise<unknown>[] = [];
  for (let more = 1; more <= 3; more++) {
    const loud = ask('/long', { of, name: 'loud' }).pause();
    ended.push(once(await sideOfServer(loud, of), 'close'));
  }
  await Promise.all(ended);
  await expect(whole(quiet)).resolves.toBeGreaterThan(LONG.length);
});

it('of answers whose readers had gone before they were made, nothing is kept that counts', async () => {
  const made = Fastify();
  installUnreadAnswers(made, { ms: 600_000, bytes: LONG.length }, () => 'one');
  let goOn: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  made.get('/long', async () => LONG);
  made.get('/left', async () => {
    await gone;
    return LONG;
  });
  const answered: Promise<unknown>[] = [];
  made.addHook('onRequest', (_, reply, done) => {
    answered.push(once(reply.raw, 'close'));
    done();
  });
  const sent: unknown[] = [];
  made.addHook('onSend', (_request, _reply, payload, done) => {
    sent.push(payload);
    done(null, payload);
  });
  await made.listen({ host: '127.0.0.1', port: 0 });
  try {
    for (let left = 1; left <= 3; left++) {
      const client = ask('/left', { of: made });
      await sideOfServer(client, made);
      await vi.waitFor(() => expect(answered).toHaveLength(left));
      client.destroy();
      await answered[left - 1];
    }
    goOn();
    await vi.waitFor(() => expect(sent).toHaveLength(3));
    const answer = await fetch(`http://127.0.0.1:${(made.server.address() as AddressInfo).port}/long`);
    expect((await answer.text()).length).toBe(LONG.length);
  } finally {
    await made.close();
  }
});
