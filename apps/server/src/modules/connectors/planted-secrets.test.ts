import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { connectorSchema } from '@airdeck/contracts/connectors/schema';
import { startSandbox } from '@airdeck/simulator/sandbox/sandbox';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';

/** Texts that vendors, logs and error messages treat differently: 40 of them, each unguessable. */
const wrappings: readonly ((core: string) => string)[] = [
  (core) => core,
  (core) => `Bearer ${core}`,
  (core) => `"${core}"`,
  (core) => `'${core}'`,
  (core) => `${core}\\n`,
  (core) => `${core}\n${core}`,
  (core) => `\r\nx-header: ${core}`,
  (core) => `${core}\t`,
  (core) => ` ${core} `,
  (core) => `${core}%00`,
  (core) => `${core}%2F%2e%2e`,
  (core) => `${core}+/=`,
  (core) => `${core}==`,
  (core) => `${core}&a=b`,
  (core) => `?${core}#x`,
  (core) => `https://user:${core}@vendor.example/`,
  (core) => `<script>${core}</script>`,
  (core) => `{"token":"${core}"}`,
  (core) => `{{ ${core} }}`,
  (core) => `\${${core}}`,
  (core) => `$(${core})`,
  (core) => `'; drop table connector; -- ${core}`,
  (core) => `${core}\\u0041`,
  (core) => `ключ-${core}`,
  (core) => `пароль ${core} 🔑`,
  (core) => `日本語${core}`,
  (core) => `${core}\u0000${core}`,
  (core) => `${core}\u2028${core}`,
  (core) => `\u202e${core}`,
  (core) => `é${core}é`,
  (core) => `${core}-${core}`,
  (core) => core.toUpperCase(),
  (core) => core.repeat(8),
  (core) => `-----BEGIN PRIVATE KEY-----\n${core}\n-----END PRIVATE KEY-----`,
  (core) => Buffer.from(core).toString('base64'),
  (core) => Buffer.from(core).toString('hex'),
  (core) => `eyJhbGciOiJIUzI1NiJ9.${core}.sig`,
  (core) => `xoxb-${core}`,
  (core) => `glpat_${core}`,
  (core) => `${core}.`,
];

const secrets = wrappings.map((wrap) => wrap(randomBytes(12).toString('hex')));

/** How a secret may turn up. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const spellings = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    ...encodedAmong(bytes, 'base64'),
    ...encodedAmong(bytes, 'base64url'),
    bytes.toString('hex'),
  ];
  return [...new Set(spellings)].filter((text) => text.trim().length >= 12);
}

/** Its Base64 with something else around it, of which it shares the first and the last characters: those that stay the same. */
function encodedAmong(bytes: Uint8Array, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((before) => {
    const among = (other: number) =>
      Buffer.concat([Buffer.alloc(before, other), bytes, Buffer.alloc(3, other)]).toString(encoding);
    const second = among(0xff);
    return [...among(0)].filter((character, at) => character === second[at]).join('');
  });
}

/** Every row of every schema of the database, as its owner reads them, and of every table of the event store. */
async function everythingStored({ stores }: TestServer): Promise<string> {
  const texts: string[] = [];
  const owner = new pg.Client({ connectionString: stores.url });
  await owner.connect();
  try {
    const { rows: tables } = await owner.query<{ schema: string; name: string }>(
      `select schemaname as schema, format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.map(({ schema }) => schema)).toEqual(expect.arrayContaining(['public', 'engine', 'identity']));
    for (const { name } of tables) {
      const { rows } = await owner.query<{ text: string }>(`select t::text as text from ${name} t`);
      texts.push(...rows.map(({ text }) => text));
    }
  } finally {
    await owner.end();
  }
  const { url, user, password, placement } = stores.eventsConnection;
  const events = createClient({ url, username: user, password, database: placement.database });
  try {
    const read = async (query: string) => await (await events.query({ query, format: 'JSONEachRow' })).text();
    const names = await (await events.query({ query: 'show tables', format: 'JSON' })).json<{ name: string }>();
    expect(names.data.length).toBeGreaterThan(0);
    for (const { name } of names.data) texts.push(await read(`select * from ${name}`));
  } finally {
    await events.close();
  }
  return texts.join('\n');
}

test('forty planted secrets turn up nowhere: answers, logs, runs, audit, exports, tables', {
  timeout: 240_000,
}, async () => {
  expect(secrets).toHaveLength(40);
  const sandbox = await startSandbox({ port: 0, keys: { abuseipdb: 'a-key', fortigate: 'a-token' } });
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const server = await createTestServer({ log, sandbox: { host: '127.0.0.1', port: sandbox.port } });
  try {
    const tenant = await server.createTenant();
    const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    const answers: string[] = [];
    const call = async (
      method: 'GET' | 'PUT' | 'POST' | 'PATCH',
      path: string,
      body?: unknown,
      actor: Actor = admin,
    ) => {
      const answer = await server.inject({
        method,
        url: `/api/tenants/${tenant}/${path}`,
        headers: { ...actor.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      answers.push(answer.body);
      return answer;
    };
    let refused = 0;
    const plant = async (secret: string, index: number) => {
      const definition_id = 'abuseipdb';
      const config = { base_url: `${sandbox.url}/abuseipdb`, api_key: secret };
      const created = await call('PUT', 'connectors', { definition_id, name: `Planted ${index}`, config });
      // Some cannot stand in a header: refused as they are, which is an answer they must not be in either.
      if (created.statusCode === 400) {
        refused += 1;
        return;
      }
      expect(created.statusCode, created.body).toBe(200);
      const { id } = connectorSchema.parse(created.json());
      await call('POST', `connectors/${id}/test`);
      // Refused, with the secret in what is wrong.
      await call('PATCH', `connectors/${id}`, { config: { api_key: { $secret: secret } } });
      const action = { action_name: 'abuseipdb.check_ip', action_input: { ip: '203.0.113.7' }, connector_id: id };
      await call('POST', 'soar/synchronous_action', action);
      if (index % 4 === 0) await call('POST', 'soar/actions_activity', action);
      if (index % 4 === 1) await call('GET', `connectors/${id}/health`);
      if (index % 4 === 2) await call('GET', `connectors/${id}`);
      // The name is taken: refused with the whole configuration in the body.
      if (index % 4 === 3) await call('PUT', 'connectors', { definition_id, name: `Planted ${index}`, config });
    };
    for (let at = 0; at < secrets.length; at += 8) {
      await Promise.all(secrets.slice(at, at + 8).map((secret, index) => plant(secret, at + index)));
    }
    expect(refused).toBeLessThan(secrets.length / 3);
    for (const path of [
      'connectors',
      'soar/actions_activity?limit=100',
      'audit',
      'audit/export?format=csv',
      'audit/export',
    ]) {
      await call('GET', path);
    }
    const everywhere = [
      answers.join('\n'),
      logged.join('\n'),
      await everythingStored(server),
      JSON.stringify(sandbox.state()),
    ];
    const found = secrets.flatMap((secret, index) =>
      spellingsOf(secret).flatMap((spelling, how) =>
        everywhere.flatMap((text, place) =>
          text.includes(spelling) ? [`secret ${index}, spelling ${how}, place ${place}`] : [],
        ),
      ),
    );
    expect(found).toEqual([]);
    // The search itself finds what is there.
    expect(everywhere[0]).toContain('Planted 39');
    expect(everywhere[2]).toContain('Planted 39');
  } finally {
    await server.close();
    await sandbox.close();
  }
});

test('a password does not come back in the answer of a service that repeats the Basic credentials it was sent', async () => {
  const sent: (string | undefined)[] = [];
  const service = createServer((request, response) => {
    const { authorization } = request.headers;
    sent.push(authorization);
    response.writeHead(200, { 'content-type': 'application/json', 'x-sent': authorization });
    response.end(JSON.stringify({ headers: request.headers }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  const server = await createTestServer({ sandbox: { host: '127.0.0.1', port } });
  try {
    const tenant = await server.createTenant();
    const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    const reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
    const answers: string[] = [];
    const call = async (method: 'GET' | 'PUT' | 'POST', path: string, { actor = admin, body = {} } = {}) => {
      const given = method === 'GET' ? {} : { payload: body };
      const url = `/api/tenants/${tenant}/${path}`;
      const answer = await server.inject({ method, url, headers: actor.headers, ...given });
      answers.push(answer.body);
      return answer.json<unknown>();
    };
    // One for each place in three bytes where the password may begin.
    const users = ['a', 'ab', 'abc'];
    const passwords = users.map(() => randomBytes(12).toString('hex'));
    for (const [index, username] of users.entries()) {
      const config = { base_url: `http://127.0.0.1:${port}`, auth: 'basic', username, secret: passwords[index] };
      const connector = { definition_id: 'http_request', name: `As ${username}`, config };
      const { id: connector_id } = connectorSchema.parse(await call('PUT', 'connectors', { body: connector }));
      const action = { action_name: 'http_request.get', action_input: { path: '/headers' }, connector_id };
      await call('POST', 'soar/synchronous_action', { body: action });
      const started = actionActivitySchema.parse(await call('POST', 'soar/actions_activity', { body: action }));
      const ended = `soar/actions_activity/${started.details.context.action_uuid}`;
      await expect
        .poll(async () => await call('GET', ended, { actor: reader }), { timeout: 30_000 })
        .toMatchObject({ summary: { status: 'success' } });
    }
    const pairs = users.map((user, index) => Buffer.from(`${user}:${passwords[index]}`).toString('base64'));
    expect(new Set(sent)).toEqual(new Set(pairs.map((pair) => `Basic ${pair}`)));
    // It is what was repeated that is looked through.
    for (const pair of pairs) expect(answers.join('\n')).toContain(`Basic ${pair.slice(0, 2)}`);
    const everywhere = [answers.join('\n'), await everythingStored(server)];
    const found = passwords.flatMap((password, index) =>
      spellingsOf(password)
        .filter((spelling) => everywhere.some((text) => text.includes(spelling)))
        .map((spelling) => `user ${users[index]}: ${spelling}`),
    );
    expect(found).toEqual([]);
  } finally {
    await server.close();
    service.closeAllConnections();
    service.close();
  }
});
