import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

/** Many clients that take their time with what they send or read, each with a connection of its own. */

const SLOW = 500;
const A_BYTE_EACH_MS = 500;
const ORDINARY = 300;
const AT_ONCE = 10;

let server: TestServer;
let reader: Actor;
let port: number;
const opened: Socket[] = [];
let trickle: NodeJS.Timeout | undefined;

beforeAll(async () => {
  server = await createTestServer();
  const tenant = await server.createTenant();
  reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
  await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  port = server.composition.listeningPort();
});
afterEach(() => {
  clearInterval(trickle);
  for (const socket of opened.splice(0)) socket.destroy();
});
afterAll(() => server?.close());

const openConnections = () =>
  new Promise<number>((resolve, reject) => {
    server.composition.app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

/** What a slow client sends at once, and then a byte at a time; `reads` says whether it takes what it is answered. */
const modes = {
  'a head that never ends': { first: 'GET /me HTTP/1.1\r\nHost: air.example\r\nX-Slow: ', drip: 'a', reads: true },
  'a body that never ends': {
    first:
      'POST /auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n',
    drip: ' ',
    reads: true,
  },
  // More than the system holds for a connection, so that the server has to wait for the reader.
  'answers that are not read': {
    first: ['/api/openapi.json', '/api/docs']
      .map((path) => `GET ${path} HTTP/1.1\r\nHost: air.example\r\n\r\n`.repeat(5))
      .join(''),
    drip: '',
    reads: false,
  },
} as const;

it.each(Object.entries(modes))('%s, from 500 clients at once, hold nobody else up', async (_, mode) => {
  await Promise.all(
    Array.from({ length: SLOW }, async () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      opened.push(socket);
      if (mode.reads) socket.resume();
      else socket.pause();
      await new Promise<void>((resolve) => socket.write(mode.first, () => resolve()));
    }),
  );
  trickle = setInterval(() => {
    if (mode.drip !== '') for (const socket of opened) if (socket.writable) socket.write(mode.drip);
  }, A_BYTE_EACH_MS);

  const statuses: number[] = [];
  const ask = async () => {
    while (statuses.length < ORDINARY) {
      const place = statuses.push(0) - 1;
      const answer = await fetch(`http://127.0.0.1:${port}/me`, { headers: reader.headers });
      await answer.arrayBuffer();
      statuses[place] = answer.status;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  // They were there all the while, as the server sees it: a client that does not read would not notice.
  await expect.poll(openConnections).toBeGreaterThanOrEqual(SLOW);
});
