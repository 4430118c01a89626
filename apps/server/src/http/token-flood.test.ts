import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

/** A flood of invalid tokens, next to people with valid ones at the same address. Whom it may cost nothing: them. */
let server: TestServer;
let tenant: string;
let actor: Actor;
let port: number;
let agent: Agent;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  port = server.composition.listeningPort();
  agent = new Agent({ keepAlive: true, maxSockets: 32 });
});
afterAll(async () => {
  agent?.destroy();
  await server?.close();
});

type Answer = { status: number | undefined; headers: object; body: { code?: string; request_id?: string } };

function ask(token: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const call = request({ host: '127.0.0.1', port, path: `/api/tenants/${tenant}`, agent, headers }, (answer) => {
      const { 'x-request-id': _id, date: _date, ...rest } = answer.headers;
      json(answer).then(
        (body) => resolve({ status: answer.statusCode, headers: rest, body: body as Answer['body'] }),
        reject,
      );
    });
    call.on('error', reject);
    call.end();
  });
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Of every kind: none at all, unknown key, past end, other issuer, half a key, and a forged signature. */
function invalid(n: number): string {
  const [head = '', body = ''] = actor.token.split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
  const signature = randomBytes(64).toString('base64url');
  switch (n % 6) {
    case 0:
      return randomBytes(100).toString('base64url');
    case 1:
      return `${part({ alg: 'EdDSA', kid: `key-${n}` })}.${body}.${signature}`;
    case 2:
      return `${head}.${part({ ...claims, exp: 1_700_000_000 + n })}.${signature}`;
    case 3:
      return `${head}.${part({ ...claims, iss: 'https://elsewhere.example', n })}.${signature}`;
    case 4:
      return `aird_${n}`;
    default:
      return `${head}.${part({ ...claims, n })}.${signature}`;
  }
}

async function refusedRecords(): Promise<number> {
  const rows = await server.stores.database.system((tx) =>
    tx.selectFrom('audit_record').select('action').where('outcome', '=', 'refused').execute(),
  );
  return rows.length;
}

describe('a flood of invalid tokens', () => {
  it('costs people behind the same address nothing, whether their token is known or new', async () => {
    const before = await refusedRecords();
    expect((await ask(actor.token)).status).toBe(200);
    const newcomers = await Promise.all(
      Array.from({ length: 5 }, () => server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } })),
    );
    const flood = Array.from({ length: 900 }, (_, n) => ask(invalid(n)));
    const good = [...Array.from({ length: 50 }, () => actor), ...newcomers].map(({ token }) => ask(token));
    const more = Array.from({ length: 900 }, (_, n) => ask(invalid(n + 900)));
    expect((await Promise.all(good)).map(({ status }) => status)).toEqual(good.map(() => 200));

    const refused = await Promise.all([...flood, ...more]);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['401 TOKEN_INVALID']),
    );
    // Nothing in an answer tells one kind from another.
    expect(new Set(refused.map(({ headers }) => JSON.stringify(headers))).size).toBe(1);
    expect(new Set(refused.map(({ body }) => body.request_id)).size).toBe(refused.length);
    expect(await refusedRecords()).toBe(before);
  });
});
