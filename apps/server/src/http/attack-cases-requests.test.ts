import { connect } from 'node:net';
import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

/** Requests that are none, or break off, sent byte by byte; `docs/attack-cases.md` lists all cases of the catalogue. */

/** Also the last try of a busy machine ends the test, should it never happen. */
const eventually = { timeout: 60_000, interval: 20 };

let server: TestServer;
let tenant: string;
let admin: Actor;
let source: { id: string; token: string };
let port: number;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const created = await server.inject({
    ...{ method: 'POST', url: `/api/${tenant}/event/sources/new`, headers: admin.headers },
    payload: { name: 'Sender', kind: 'ndjson' },
  });
  source = created.json();
  // Read when it begins to listen: how often Node.js looks for requests that take too long, instead of every half a minute.
  Object.assign(server.composition.app.server.server, { connectionsCheckingInterval: 50 });
  await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  port = server.composition.listeningPort();
});
afterAll(() => server?.close());

const openConnections = () =>
  new Promise<number>((resolve, reject) => {
    server.composition.app.server.server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

function requestOf(line: string, { headers = [], body = '' }: { headers?: readonly string[]; body?: string } = {}) {
  const own = ['Host: air.example', `Authorization: ${admin.headers.authorization}`, ...headers];
  return `${[`${line} HTTP/1.1`, ...own].join('\r\n')}\r\n\r\n${body}`;
}

const json = 'Content-Type: application/json';
const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;
const chunked = (body: string) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;

function servedRoutes(fits: (route: Route) => boolean): [RouteId, string][] {
  const served = server.composition.app.routes.map((id): [RouteId, Route] => [id, routeTable[id]]);
  return served.filter(([, route]) => fits(route)).map(([id, { path }]) => [id, path.replace(/\{\w+\}/g, tenant)]);
}

describe('an address that looks like a public one (A-A1)', () => {
  it.each([
    '/health',
    '/health/live',
    '/login',
    '/configs',
    '/config.json',
    ';x',
    ';/health',
    '/',
    '//',
    '%2f',
    '/..;/login',
  ])('lets nobody into what is not: %s behind the address of each route', async (suffix) => {
    const surprises: string[] = [];
    for (const [id, path] of servedRoutes(({ access }) => access.kind !== 'public')) {
      const { statusCode } = await server.inject({ method: routeTable[id].method, url: `${path}${suffix}` });
      if (![400, 401, 404, 405].includes(statusCode)) surprises.push(`${id}: ${statusCode}`);
    }
    expect(surprises).toEqual([]);
  });
});

describe('a method an address does not have (A-A2)', () => {
  /** By address, which methods it has. */
  function methodsOfAddresses(): Map<string, Set<string>> {
    const methods = new Map<string, Set<string>>();
    for (const [id, path] of servedRoutes(() => true)) {
      methods.set(path, (methods.get(path) ?? new Set()).add(routeTable[id].method));
    }
    return methods;
  }

  it('is answered with those it has, on every route, whatever a header says', async () => {
    const surprises: string[] = [];
    for (const [path, own] of methodsOfAddresses()) {
      const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'] as const;
      for (const method of all.filter((other) => !own.has(other))) {
        const headers = { ...admin.headers, 'x-http-method-override': [...own][0] ?? '' };
        const { statusCode, headers: told } = await server.inject({ method: method as 'GET', url: path, headers });
        const allowed = String(told.allow ?? '').split(', ');
        if (statusCode !== 405 || allowed.some((name) => !own.has(name)))
          surprises.push(`${method} ${path}: ${statusCode}`);
      }
    }
    expect(surprises).toEqual([]);
  });

  it.each([
    ['FOO', [400]],
    ['get', [400]],
    ['PROPFIND', [404]],
    ['CONNECT', [405]],
  ])('is refused on every route where it is %s', async (method, statuses) => {
    const surprises: string[] = [];
    const left = [...methodsOfAddresses().keys()];
    const worker = async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) {
        const answer = await reply(requestOf(`${method} ${path}`, { headers: ['X-HTTP-Method-Override: GET'] }));
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
        if (!statuses.includes(status)) surprises.push(`${path}: ${answer.slice(0, 40)}`);
      }
    };
    await Promise.all(Array.from({ length: 10 }, worker));
    expect(surprises).toEqual([]);
  });
});

describe('parameters that name prototypes (A-A4)', () => {
  it('are inert or refused, on every route that reads', async () => {
    const query =
      'a[__proto__][polluted]=1&__proto__[polluted]=1&__proto__.polluted=1&constructor[prototype][polluted]=1';
    const surprises: string[] = [];
    for (const [id, path] of servedRoutes(({ method, response }) => method === 'GET' && response !== 'stream')) {
      const { statusCode } = await server.inject({ url: `${path}?${query}`, headers: admin.headers });
      if (statusCode >= 500 && statusCode !== 503) surprises.push(`${id}: ${statusCode}`);
    }
    expect(surprises).toEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('a request that can be read in two ways, or is too much to read (A-A15)', () => {
  const contact = JSON.stringify({ name: 'Smuggled', email: 'in@example.com', kind: 'technical' });
  const creation = (headers: readonly string[], body: string) =>
    requestOf(`POST /api/tenants/${tenant}/contacts`, { headers: [json, ...headers], body });

  /** What the server says until it closes; the client itself closes nothing before that. */
  async function answersTo(bytes: string, { allowHalfOpen = false } = {}): Promise<number[]> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    // Closed in the middle of what is sent.
    socket.on('error', () => undefined);
    const gone = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
    socket.write(bytes);
    await gone;
    await expect.poll(openConnections, eventually).toBe(0);
    socket.destroy();
    return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  }

  const contacts = async () =>
    (await server.inject({ url: `/api/tenants/${tenant}/contacts`, headers: admin.headers })).body;

  it.each<[string, () => string]>([
    ['a length and chunks', () => creation([lengthOf(contact), 'Transfer-Encoding: chunked'], chunked(contact))],
    ['chunks and a length', () => creation(['Transfer-Encoding: chunked', 'Content-Length: 5'], chunked(contact))],
    ['two lengths', () => creation([lengthOf(contact), 'Content-Length: 5'], contact)],
    ['the same length twice', () => creation([lengthOf(contact), lengthOf(contact)], contact)],
    ['two lengths in one', () => creation([`${lengthOf(contact)}, 5`], contact)],
    ['a length with a sign', () => creation([`Content-Length: +${contact.length}`], contact)],
    ['a length with a space before the colon', () => creation([lengthOf(contact).replace(':', ' :')], contact)],
    ['another encoding behind the chunks', () => creation(['Transfer-Encoding: chunked, identity'], chunked(contact))],
    ['an unknown encoding', () => creation(['Transfer-Encoding: xchunked'], chunked(contact))],
    ['a chunk without a size', () => creation(['Transfer-Encoding: chunked'], `zz\r\n${contact}\r\n0\r\n\r\n`)],
    [
      'an extension of a chunk of 1 MB',
      () =>
        creation(['Transfer-Encoding: chunked'], chunked(contact).replace('\r\n', `;x=${'a'.repeat(1_048_576)}\r\n`)),
    ],
    ['a header of 256 kB', () => creation([lengthOf(contact), `X-Large: ${'a'.repeat(262_144)}`], contact)],
    ['an address of 256 kB', () => requestOf(`GET /${'a'.repeat(262_144)}`)],
    ['a header with NUL', () => creation([lengthOf(contact), 'X-Odd: a\0b'], contact)],
    ['a line that goes on in the next', () => creation([lengthOf(contact), 'X-Odd: a\r\n b: c'], contact)],
    ['something else than HTTP', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ])('is refused and its connection closed: %s', async (_name, bytes) => {
    const answers = await answersTo(`${bytes()}${creation([lengthOf(contact)], contact)}`);
    expect(answers).toHaveLength(1);
    expect([400, 431]).toContain(answers[0]);
    expect(await contacts()).not.toContain('Smuggled');
  });

  it('is refused with 1,000 headers', async () => {
    const headers = Array.from({ length: 1_000 }, (_, n) => `a${n}: 1`);
    expect(await answersTo(creation([lengthOf(contact), ...headers], contact))).toEqual([400]);
    expect(await contacts()).not.toContain('Smuggled');
  });

  it('does not keep its connection by a client that leaves its half open', async () => {
    expect(await answersTo(creation(['Content-Length: 5, 5'], contact), { allowHalfOpen: true })).toEqual([400]);
  });

  it('is refused behind a good one on the same connection, and what follows it is not read', async () => {
    const broken = creation([lengthOf(contact), 'Transfer-Encoding: chunked'], chunked(contact));
    const following = creation([lengthOf(contact)], contact);
    const answers = await answersTo(`${requestOf('GET /health/live')}${broken}${following}`);
    expect(answers.at(-1)).toBe(400);
    expect(answers.filter((status) => status !== 200)).toEqual([400]);
    expect(await contacts()).not.toContain('Smuggled');
  });
});

/** The first that is said to these bytes. */
async function reply(head: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  // Closed in the middle of what is sent.
  socket.on('error', () => undefined);
  socket.write(head);
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (bytes) => resolve(bytes.toString())).once('close', () => resolve('closed without a word'));
  });
  socket.destroy();
  return answer;
}

describe('an address that is long', () => {
  const values = (sizeBytes: number) => encodeURIComponent(JSON.stringify(['x'.repeat(sizeBytes)]));

  it('opens what it says, as long as a search with all its filters may be', async () => {
    // Tests have no dashboard: its page would be the answer.
    expect(await reply(requestOf(`GET /search?filters=${values(60_000)}`))).toMatch(/^HTTP\/1\.1 404 /);
    const tail = await reply(requestOf(`GET /api/tenants/${tenant}/search/tail?filters=${values(59_000)}`));
    expect(tail).toMatch(/^HTTP\/1\.1 400 [\s\S]*"query\.filters\./);
  });

  it('is refused beyond that with what is wrong with it', async () => {
    const answer = await reply(requestOf(`GET /search?filters=${values(150_000)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(answer).toContain('"Address and headers of this request are too long together."');
  });
});

describe('a body that does not come', () => {
  it('is not waited for where nothing is served', async () => {
    const heads = ['POST /nowhere', 'PUT /api/nowhere', 'DELETE /'];
    for (const line of heads) {
      const answer = await reply(requestOf(line, { headers: [json, 'Content-Length: 900000'], body: '{' }));
      expect(answer).toMatch(/^HTTP\/1\.1 404 /);
      expect(answer).toContain('"ROUTE_NOT_FOUND"');
    }
  });

  it('is held in small parts where strangers may send one', async () => {
    const payload = { email: 'kim@example.com', password: 'x'.repeat(66_000) };
    const headers = { origin: 'http://localhost', host: 'localhost' };
    const answer = await server.inject({ method: 'POST', url: '/auth/sign-in/email', headers, payload });
    expect(answer.json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
  });

  it('is given up after two minutes, in the shape of every answer', async () => {
    const { server: http } = server.composition.app.server;
    expect(http.requestTimeout).toBe(120_000);
    // Nobody waits for them here.
    http.requestTimeout = 100;
    try {
      const head = `POST /api/tenants/${tenant}/contacts`;
      const answer = await reply(requestOf(head, { headers: [json, 'Content-Length: 9'], body: '{' }));
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*"The request took too long to arrive\."/);
      await expect.poll(openConnections, eventually).toBe(0);
    } finally {
      http.requestTimeout = 120_000;
    }
  });
});

describe('a client that goes away (A-A18)', () => {
  const TRIES = 10_000;
  const AT_ONCE = 20;
  const lines = '{"message":"one"}\n{"message":"two"}\n';

  /** Sends the first bytes of a request and is gone. */
  async function leaveAfterSending(bytes: Buffer): Promise<void> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    if (bytes.length === 0) socket.once('connect', () => socket.destroy());
    else socket.write(bytes, () => socket.destroy());
    await closed;
  }

  /** Sends all of it, reads so many bytes of the answer, and is gone. */
  async function leaveAfterReading(request: Buffer, wanted: number): Promise<void> {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    let read = 0;
    socket.on('readable', () => {
      while (read < wanted && socket.read(1) !== null) read++;
      if (read >= wanted) socket.destroy();
    });
    socket.write(request);
    await closed;
  }

  it(`leaves nothing behind at any byte of its request or answer, ${TRIES} times`, { timeout: 600_000 }, async () => {
    const requests = [
      requestOf(`GET /api/tenants/${tenant}`),
      requestOf('PATCH /me', { headers: [json, lengthOf('{"job_title":"Gone"}')], body: '{"job_title":"Gone"}' }),
      requestOf(`POST /api/${tenant}/event/ingest/${source.id}`, {
        headers: ['Content-Type: application/x-ndjson', lengthOf(lines)],
        body: lines,
      }).replace(admin.headers.authorization, `Bearer ${source.token}`),
    ].map((text) => Buffer.from(text));
    const ways = requests.flatMap((request) => [
      ...Array.from({ length: request.length + 1 }, (_, n) => () => leaveAfterSending(request.subarray(0, n))),
      ...Array.from({ length: 200 }, (_, n) => () => leaveAfterReading(request, n)),
    ]);
    let next = 0;
    const worker = async () => {
      for (let n = next++; n < TRIES; n = next++) await ways[n % ways.length]?.();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));

    await expect.poll(openConnections, eventually).toBe(0);
    const held = async () => (await server.composition.work.ingestion.stats()).held_bytes;
    await expect.poll(held, eventually).toBe(0);
    const { database, events } = server.stores;
    const openTransactions = async () => {
      const { rows } = await database.system((tx) =>
        sql<{ count: number }>`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and state like 'idle in transaction%'`.execute(tx),
      );
      return rows[0]?.count;
    };
    await expect.poll(openTransactions, eventually).toBe(0);
    const stored = await events.query<{ raw: string }>({
      tenant,
      sql: 'select raw from events where tenant = {tenant:UUID}',
    });
    expect(stored.map(({ raw }) => raw).sort()).toEqual(lines.trim().split('\n').sort());
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => fetch(`http://127.0.0.1:${port}/me`, { headers: admin.headers })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await server.composition.app.drain()).toBe(0);
  });
});
