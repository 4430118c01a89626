/**
 * Every way people can make the server call an address, tried with every address nobody may reach from here. A listener on
 * all local addresses counts what arrives. That each way does call out is shown by the one exception, a second listener.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { forbiddenNames, forbiddenUrls } from '@airdeck/connector-kit/forbidden-urls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from './test-server.ts';

type Listener = { server: Server; port: number; calls: () => number };

async function startListener(host: string): Promise<Listener> {
  let calls = 0;
  const server = createServer((_request, response) => response.end('{}'));
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
    env: { TENANT_NETWORKS: '10.99.0.0/16' },
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

async function expectRefused(attempt: Try): Promise<void> {
  const before = open.calls();
  expect(await attempt(openUrl())).toBe('called');
  expect(open.calls()).toBeGreaterThan(before);
  const let_through: string[] = [];
  for (const url of urls) if ((await attempt(withPort(url))) === 'called') let_through.push(url);
  expect(let_through).toEqual([]);
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
      validated('graylog', (url) => ({ base_url: url, access_token: 'token-for-this-test-of-the-guard' })),
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
    );
  }, 120_000);

  it('are not reached by the action of a saved connector', async () => {
    const saved = await call('PUT', 'connectors', {
      definition_id: 'http_request',
      name: 'Any service',
      config: { base_url: openUrl() },
    });
    expect(saved.status, saved.text).toBe(200);
    const { id } = saved.body;
    await expectRefused(async (url) => {
      const changed = await call('PATCH', `connectors/${String(id)}`, { config: { base_url: url } });
      if (changed.status === 400) return 'refused';
      expect(changed.status, changed.text).toBe(200);
      const ran = await call('POST', 'soar/synchronous_action', {
        action_name: 'http_request.get',
        action_input: { path: '/x' },
        connector_id: id,
      });
      return ran.status === 502 && isGuards(ran.text) ? 'refused' : 'called';
    });
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

/** The guard's own words, so that a call that merely failed is not taken for one that was never made. */
function isGuards(text: string): boolean {
  return /leads to an address that is not allowed|Only http and https are allowed|not a valid URL|must not contain a user name|is not allowed|is not a port of mail servers|is not valid|base address|mail server must be/i.test(
    text,
  );
}
