/** What connectors are given to break: configurations that do not fit, and an end while they are in use. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ActionActivity, actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

let vendor: Server;
/** Calls that are kept waiting, and what ends them. */
let held: ServerResponse[] = [];
let holds = false;
let base: string;
let server: TestServer;
let tenant: string;
let admin: Actor;

beforeAll(async () => {
  vendor = createServer((request, response) => {
    if (holds && request.url?.startsWith('/hold')) held.push(response);
    else response.end('{}');
  });
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  const { port } = vendor.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  server = await createTestServer({ sandbox: { host: '127.0.0.1', port } });
});
afterAll(async () => {
  release();
  await server?.close();
  vendor.closeAllConnections();
  vendor.close();
});
beforeEach(async () => {
  release();
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

function release(): void {
  holds = false;
  for (const response of held) response.end('{}');
  held = [];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

async function call(method: Method, path: string, payload?: object, headers = {}) {
  const answer = await server.inject({
    method,
    url: `/api/tenants/${tenant}/${path}`,
    headers: { ...admin.headers, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? {} : answer.json() };
}

async function connector(): Promise<string> {
  const body = { definition_id: 'http_request', name: 'Any service', config: { base_url: base } };
  const saved = await call('PUT', 'connectors', body);
  expect(saved.status, saved.text).toBe(200);
  return String((saved.body as { id: string }).id);
}

const start = async (id: string): Promise<string> => {
  const started = await call('POST', 'soar/actions_activity', {
    action_name: 'http_request.send',
    action_input: { path: '/hold', json: {} },
    connector_id: id,
  });
  expect(started.status, started.text).toBe(202);
  return actionActivitySchema.parse(started.body).details.context.action_uuid;
};

const ended = (ids: readonly string[]): Promise<ActionActivity[]> =>
  vi.waitFor(
    async () => {
      const runs: ActionActivity[] = [];
      for (const id of ids) {
        runs.push(actionActivitySchema.parse((await call('GET', `soar/actions_activity/${id}`)).body));
        expect(['success', 'error', 'cancelled']).toContain(runs.at(-1)?.summary.status);
      }
      return runs;
    },
    { timeout: 60_000, interval: 500 },
  );

const outcomeOf = ({ summary, details }: ActionActivity) => details.error_info?.code ?? summary.status;

/** More than a process carries out at once, which are 64. */
const RUNS = 80;

describe('a connector that ends while eighty runs use it (A-C12)', () => {
  it.each<[string, (id: string) => Promise<{ status: number }>]>([
    [
      'deleted',
      async (id) => {
        expect(await call('DELETE', `connectors/${id}`)).toMatchObject({ status: 449 });
        return await call('DELETE', `connectors/${id}`, undefined, { 'x-air-confirm': 'true' });
      },
    ],
    ['paused', (id) => call('POST', `connectors/${id}/pause`)],
  ])(
    'by being %s lets calls under way end, and later ones say that it is not there',
    async (_how, end) => {
      const id = await connector();
      holds = true;
      const first = await start(id);
      await vi.waitFor(() => expect(held.length).toBe(1), { timeout: 30_000 });
      const others = await Promise.all(Array.from({ length: RUNS - 1 }, () => start(id)));
      expect([200, 204]).toContain((await end(id)).status);
      release();
      const [one, ...rest] = await ended([first, ...others]);
      expect(one && outcomeOf(one)).toBe('success');
      // Begun before its end they reached the vendor; afterwards they say why not. Nothing else happens to any of them.
      const kinds = new Set(rest.map(outcomeOf));
      expect([...kinds].filter((kind) => !['success', 'CONNECTOR_UNAVAILABLE'].includes(kind))).toEqual([]);
      expect(kinds).toContain('CONNECTOR_UNAVAILABLE');
      const late = await call('POST', 'soar/synchronous_action', {
        action_name: 'http_request.get',
        action_input: { path: '/x' },
        connector_id: id,
      });
      expect([404, 409]).toContain(late.status);
      expect((await call('GET', 'connectors')).status).toBe(200);
    },
    120_000,
  );
});

describe('a configuration that does not fit its schema', () => {
  it.each<[string, string, object, string]>([
    ['an extra key', 'http_request', { admin: true }, 'config.admin'],
    ['a key of the prototype', 'http_request', { constructor: 'x' }, 'config.constructor'],
    ['a number for a text', 'http_request', { base_url: 5 }, 'config.base_url'],
    ['a list for a text', 'http_request', { base_url: ['http://a.example'] }, 'config.base_url'],
    ['an object for a secret', 'http_request', { secret: { a: 1 } }, 'config.secret'],
    ['a kind nobody knows', 'http_request', { auth: 'everything' }, 'config.auth'],
    ['a header with a line break', 'http_request', { header_name: 'X-A\r\nX-B' }, 'config.header_name'],
    ['a certificate of a megabyte', 'graylog', { ca_certificate: 'x'.repeat(900_000) }, 'config.ca_certificate'],
    ['a certificate that is none', 'graylog', { ca_certificate: 'none' }, 'config.ca_certificate'],
    ['an address that is none', 'http_request', { base_url: 'javascript:alert(1)' }, 'config.base_url'],
  ])('%s is refused by its name, and nothing is saved', async (_what, definition, wrong, path) => {
    const token = definition === 'graylog' ? { api_token: 'token' } : {};
    const config = { base_url: 'https://a.example', ...token, ...wrong };
    const saved = await call('PUT', 'connectors', { definition_id: definition, name: 'X', config });
    expect(saved.status, saved.text.slice(0, 300)).toBe(400);
    expect(saved.text).toContain(path);
    expect((await call('GET', 'connectors')).body).toEqual([]);
  });

  it.each(['http://192.0.2.1:99999', 'http://[1:2:3:4:5:6:7:8:9]', 'http://', 'http://a b', 'http://256.1.1.1:80'])(
    'the address %s is not called',
    async (base_url) => {
      const checked = await call('POST', 'validate_connector_configuration', {
        definition_id: 'http_request',
        config: { base_url },
      });
      const { valid, test } = checked.body as { valid: boolean; test: { status: string } };
      expect(checked.status).toBe(200);
      expect(valid && test.status === 'success').toBe(false);
    },
  );

  it('twice as large as a body may be is refused before it is read', async () => {
    const config = { base_url: 'https://a.example', ca_certificate: 'x'.repeat(2_000_000) };
    expect((await call('PUT', 'connectors', { definition_id: 'graylog', name: 'X', config })).status).toBe(413);
  });
});
