import { telemetryLimits } from '@airdeck/contracts/telemetry/limits';
import { type ReportedError, usageSchema } from '@airdeck/contracts/telemetry/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';

let server: TestServer;
let tenant: string;
let admin: Actor;
let reader: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
});

async function report(body: object, who = reader, of = tenant): Promise<number> {
  const url = `/api/tenants/${of}/telemetry`;
  return (await server.inject({ method: 'POST', url, headers: who.headers, payload: body })).statusCode;
}

async function usage(who = admin, of = tenant) {
  const answer = await server.inject({ url: `/api/tenants/${of}/telemetry/usage?days=7`, headers: who.headers });
  return usageSchema.parse(answer.json());
}

const errorWith = (n: number, message = 'It failed.'): ReportedError => ({
  fingerprint: n.toString(16).padStart(16, '0'),
  level: 'error',
  message,
  route: '/home',
  call: 'GET /api/tenants/{tenant}/case',
  status: 500,
  request_id: 'r-1',
  release: '1.14.2',
});

describe('telemetry of the dashboard', () => {
  it('counts what everybody in the tenant opens, people once a day, and shows it to its Admin only', async () => {
    expect(await report({ views: ['/home', '/home', '/search'], errors: [] })).toBe(204);
    expect(await report({ views: ['/home'], errors: [] }, admin)).toBe(204);
    const found = await usage();
    expect(found.days).toHaveLength(7);
    expect(found.days.at(-1)).toMatchObject({ views: 4, people: 2 });
    expect(found.routes).toEqual([
      { route: '/home', views: 3 },
      { route: '/search', views: 1 },
    ]);
    const url = `/api/tenants/${tenant}/telemetry/usage`;
    expect((await server.inject({ url, headers: reader.headers })).statusCode).toBe(403);
  });

  it('keeps one row for an error however often it comes, freed of what is personal', async () => {
    await report({ views: [], errors: [errorWith(1, 'ann@example.com typed 123456')] });
    await report({ views: [], errors: [errorWith(1, 'ann@example.com typed 123456'), errorWith(2)] });
    const { errors } = await usage();
    expect(errors.map(({ fingerprint, count, message }) => [fingerprint.at(-1), count, message]).sort()).toEqual([
      ['1', 2, '[e-mail] typed [number]'],
      ['2', 1, 'It failed.'],
    ]);
  });

  it('stores no more different errors than it keeps, so that a broken browser cannot fill the tables', async () => {
    const batches = telemetryLimits.errorsKept / telemetryLimits.errorsPerCall;
    const batch = (n: number) =>
      Array.from({ length: telemetryLimits.errorsPerCall }, (_, k) => errorWith(n * telemetryLimits.errorsPerCall + k));
    for (let n = 0; n <= batches; n++) expect(await report({ views: [], errors: batch(n) })).toBe(204);
    const rows = await server.stores.database.tenant(tenant, (tx) =>
      tx.selectFrom('dashboard_error').select('fingerprint').execute(),
    );
    expect(rows).toHaveLength(telemetryLimits.errorsKept);
  });

  it.each([
    ['an address instead of a pattern', { views: ['/confirm-code?email=ann@example.com'], errors: [] }],
    ['a call with a query', { views: [], errors: [{ ...errorWith(1), call: 'GET /me?code=1' }] }],
    ['too many views', { views: Array.from({ length: 51 }, () => '/home'), errors: [] }],
  ])('refuses %s', async (_what, body) => {
    expect(await report(body)).toBe(400);
  });

  it('shows nothing of another tenant, and takes nothing for one', async () => {
    const other = await server.createTenant();
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    await report({ views: ['/home'], errors: [errorWith(1)] });
    expect(await report({ views: ['/home'], errors: [] }, stranger)).toBe(403);
    const found = await usage(stranger, other);
    expect([found.routes, found.errors]).toEqual([[], []]);
  });
});
