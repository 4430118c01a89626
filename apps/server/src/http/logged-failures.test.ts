import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer, type TestServer } from './test-server.ts';

const SECRET = 'hunter2-never-to-be-seen';
const lines: string[] = [];
let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
});
afterAll(() => server?.close());

it('a change the audit log cannot take fails, and the log says why under the id of the request, without what was sent', async () => {
  const tenant = await server.createTenant({ name: 'Harbour' });
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  // The next record would be one that exists already.
  await server.stores.database.system((tx) =>
    tx.updateTable('audit_chain').set({ sequence: 0 }).where('tenant_id', '=', tenant).execute(),
  );
  lines.length = 0;
  const { headers } = admin;
  const url = `/api/tenants/${tenant}/settings`;
  const answer = await server.inject({ method: 'PATCH', url, headers, payload: { name: SECRET } });
  const { request_id, ...body } = answer.json<{ request_id: string }>();
  expect([answer.statusCode, body]).toMatchObject([500, { code: 'INTERNAL' }]);
  expect((await server.inject({ url, headers })).json()).toMatchObject({ name: 'Harbour' });
  const failed = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ level }) => level === 50);
  expect(failed).toMatchObject([{ reqId: request_id, msg: 'request failed', err: { stack: expect.any(String) } }]);
  expect(lines.join('')).not.toContain(SECRET);
  expect(lines.join('')).not.toContain(admin.token);
});

it('a sign-in whose calls cannot be counted does not take place, and the log says why under the id of the request', async () => {
  const tenant = await server.createTenant({ name: 'Harbour' });
  const { email, password } = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const signIn = () =>
    server.inject({
      method: 'POST',
      url: '/auth/sign-in/email',
      headers: { origin: 'http://localhost:80' },
      payload: { email, password },
    });
  expect((await signIn()).statusCode).toBe(200);
  const owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
  try {
    await owner.query('alter table identity.auth_call_window rename to away');
    lines.length = 0;
    const refused = await signIn();
    expect([refused.statusCode, refused.headers['set-cookie']]).toEqual([500, undefined]);
    const failed = lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ level }) => level === 50);
    const { request_id } = refused.json<{ request_id: string }>();
    expect(failed).toMatchObject([{ reqId: request_id, err: { stack: expect.stringContaining('auth_call_window') } }]);
    expect(lines.join('')).not.toContain(password);
    await owner.query('alter table identity.away rename to auth_call_window');
    expect((await signIn()).statusCode).toBe(200);
  } finally {
    await owner.end();
  }
});
