/**
 * Every way people can make the server call an address, tried with every address nobody may reach from here. A listener on
 * all local addresses counts what arrives. That each way does call out is shown by the one exception, a second listener.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forbiddenNames, forbiddenUrls } from '@airdeck/connector-kit/forbidden-url-payloads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from './test-server.ts';

type Listener = { server: Server; port: number; calls: () => number };

async function startListener(host: string): Promise<Listener> {
  let calls = 0;
  // A kept connection would hide the calls after the first; connections are what is counted, because mail has no requests.
  const server = createServer((_request, response) => response.writeHead(200, { connection: 'close' }).end('{}'));
  server.on('connection', () => {
    calls += 1;
  });
  await new Promise<void>((resolve) => server.listen({ host, port: 0, ipv6Only: false }, resolve));
  return { server, port: (server.address() as AddressInfo).port, calls: () => calls };
}

let forbidden: Listener;
let open: Listener;
let server: TestServer;
let tenant: string;
let headers: { authorization: string };
/** Moved on between calls, past every limit per minute. */
let clock = Date.now();

const resolveHost = async (host: string) =>
  forbiddenNames[host] ?? (host.toLowerCase() === 'localhost' ? ['127.0.0.1', '::1'] : []);

beforeAll(async () => {
  forbidden = await startListener('::');
  open = await startListener('127.0.0.1');
  server = await createTestServer({
    sandbox: { host: '127.0.0.1', port: open.port },
    now: () => new Date(clock),
    resolveHost,
    // What the operator opens and a tenant names does not widen any of these.
    env: { TENANT_NETWORKS: '10.99.0.0/16', EGRESS_ADDRESSES: '93.184.216.35' },
  });
});
afterAll(async () => {
  await server?.close();
  for (const { server: one } of [forbidden, open]) {
    one?.closeAllConnections();
    one?.close();
  }
});
beforeEach(async () => {
  tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const expiresAt = new Date(clock + 300 * 24 * 3_600_000);
  headers = { authorization: `Bearer ${await server.createApiKey(admin, { tenant, role: 'Admin', expiresAt })}` };
  await call('PUT', 'settings/own_networks', { networks: [{ network: '10.99.0.0/16' }] });
});
let arrived = 0;
beforeEach(() => {
  arrived = forbidden.calls();
});
afterEach(() => {
  expect(forbidden.calls()).toBe(arrived);
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';

async function call(method: Method, path: string, payload: object) {
  clock += 7_000;
  const answer = await server.inject({ method, url: `/api/tenants/${tenant}/${path}`, headers, payload });
  return { status: answer.statusCode, text: answer.body, body: answer.json<Record<string, unknown>>() };
}

const urls = [...new Set(forbiddenUrls)];
const openUrl = () => `http://127.0.0.1:${open.port}`;
const withPort = (url: string) => url.replace('PORT', String(forbidden.port));

/** How a try ended: called, or refused by the guard or by what is checked before it. */
type Try = (url: string) => Promise<'called' | 'refused'>;

async function expectRefused(attempt: Try, tried = urls): Promise<void> {
  const before = open.calls();
  expect(await attempt(openUrl())).toBe('called');
  expect(open.calls()).toBeGreaterThan(before);
  const letThrough: string[] = [];
  for (const url of tried) if ((await attempt(withPort(url))) === 'called') letThrough.push(url);
  expect(letThrough).toEqual([]);
}

describe(`${urls.length} addresses nobody may reach`, () => {
  it('are at least 120', () => {
    expect(urls.length).toBeGreaterThanOrEqual(120);
  });

  const validated =
    (definitionId: string, config: (url: string) => object): Try =>
    async (url) => {
      const body = { definition_id: definitionId, config: config(url) };
      const answer = await call('POST', 'validate_connector_configuration', body);
      expect(answer.status, answer.text).toBe(200);
      const { valid, test } = answer.body as { valid: boolean; test: { message: string } };
      return valid && !isGuards(test.message) ? 'called' : 'refused';
    };

  it('are not reached by testing a connector', async () => {
    await expectRefused(validated('http_request', (url) => ({ base_url: url })));
    await expectRefused(
      validated('graylog', (url) => ({ base_url: url, api_token: 'token-for-this-test-of-the-guard' })),
    );
  }, 120_000);

  it('are not reached as mail servers', async () => {
    const mail = (url: string) => `smtp://${/^[a-z]+:\/\/([^/]*)/i.exec(url)?.[1] ?? url}`;
    await expectRefused(
      validated('smtp_mail', (url) => ({
        server: mail(url),
        from_address: 'alerts@example.com',
        allow_plaintext: true,
      })),
      // Refused for more than their host, which is public: as mail servers they are in order.
      urls.filter((url) => !url.includes('93.184.216.34')),
    );
  }, 120_000);

  /** A connector whose address is changed before each run of its action. */
  async function throughAction(definitionId: string, action: string, input: object): Promise<Try> {
    const body = { definition_id: definitionId, name: 'Any service', config: { base_url: openUrl() } };
    const saved = await call('PUT', 'connectors', body);
    expect(saved.status, saved.text).toBe(200);
    const { id } = saved.body;
    return async (url) => {
      const changed = await call('PATCH', `connectors/${String(id)}`, { config: { base_url: url } });
      if (changed.status === 400) return 'refused';
      expect(changed.status, changed.text).toBe(200);
      const asked = { action_name: `${definitionId}.${action}`, action_input: input, connector_id: id };
      const ran = await call('POST', 'soar/synchronous_action', asked);
      return ran.status === 502 && isGuards(ran.text) ? 'refused' : 'called';
    };
  }

  it('are not reached by the action of a saved connector', async () => {
    await expectRefused(await throughAction('http_request', 'get', { path: '/x' }));
  }, 180_000);

  it('are not reached by the action of an imported integration, whose document may name any address', async () => {
    const document = {
      openapi: '3.0.3',
      info: { title: 'Any API', version: '1' },
      servers: [{ url: `http://127.0.0.1:${forbidden.port}` }],
      paths: { '/x': { get: { operationId: 'look', responses: { 200: { description: 'ok' } } } } },
    };
    const uploaded = await call('POST', 'openapi/documents', document);
    expect(uploaded.status, uploaded.text).toBe(201);
    const chosen = { document_id: uploaded.body.id, operations: ['GET /x'] };
    const imported = await call('POST', 'openapi/integrations', chosen);
    expect(imported.status, imported.text).toBe(201);
    await expectRefused(await throughAction(String(imported.body.definition_id), 'look', {}));
  }, 180_000);

  it('are not reached by the reachability check', async () => {
    await expectRefused(async (url) => {
      const answer = await call('POST', 'onboarding/reachability_check', { url });
      if (answer.status === 400) return 'refused';
      expect(answer.status, answer.text).toBe(200);
      const { reachable, message } = answer.body as { reachable: boolean; message: string };
      return !reachable && isGuards(message) ? 'refused' : 'called';
    });
  }, 120_000);
});

it('the address of this installation is not called through it, although it is public', async () => {
  const answer = await call('POST', 'onboarding/reachability_check', { url: 'https://93.184.216.35/api' });
  expect(answer.body).toMatchObject({ reachable: false, message: expect.stringContaining('this installation itself') });
});

/** The guard's own words, so that a call that merely failed is not taken for one that was never made. */
function isGuards(text: string): boolean {
  return /leads to an address that is not allowed|leads to this installation itself|Only http and https are allowed|not a valid URL|must not contain a user name|is not allowed|is not a port of mail servers|is not valid|base address|mail server must be/i.test(
    text,
  );
}
