import type { Role } from '@airdeck/contracts/access/roles';
import { savedSearchSchema, searchAnswerSchema } from '@airdeck/contracts/search/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { eventRow } from '../../storage/test-events.ts';

const HOUR_MS = 3_600_000;
let server: TestServer;
let tenant: string;
let analyst: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant();
  analyst = await actor('Analyst');
});

const actor = (role: Role, of = tenant) => server.createActor({ home: of, roles: { [of]: role } });
const path = (rest = '', of = tenant) => `/api/tenants/${of}/search${rest}`;
const lastHour = () => ({
  start: new Date(Date.now() - HOUR_MS).toISOString(),
  end: new Date(Date.now() + 1_000).toISOString(),
});

type Call = { method?: 'GET' | 'POST' | 'PUT' | 'DELETE'; url?: string; payload?: object; who?: Actor };

async function call({ method = 'POST', url = path(), payload, who = analyst }: Call = {}) {
  const body = payload ?? (method === 'POST' ? { time_range: lastHour() } : undefined);
  const answer = await server.inject({
    method,
    url,
    headers: who.headers,
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

async function store(message: string, of = tenant) {
  await server.stores.events.insert([eventRow({ tenant: of, message, time: Date.now() - 60_000 })]);
}

describe('a search', () => {
  it('finds what was stored, of this tenant only', async () => {
    const other = await server.createTenant();
    await store('needle here');
    await store('needle there', other);
    const answer = await call({ payload: { query: 'needle', time_range: lastHour() } });
    expect(answer.status).toBe(200);
    const { events, total } = searchAnswerSchema.parse(answer.body);
    expect(events.map(({ message }) => message)).toEqual(['needle here']);
    expect(total).toEqual({ value: 1, relation: 'eq' });
  });

  it.each([
    ['ReadOnly', 403, 'ROLE_TOO_LOW'],
    ['Analyst', 200, undefined],
    ['SystemManager', 200, undefined],
    ['Admin', 200, undefined],
  ] as const)('is for a %s: %i', async (role, status, code) => {
    const answer = await call({ who: await actor(role) });
    expect(answer).toMatchObject({ status, ...(code === undefined ? {} : { body: { code } }) });
  });

  it('is refused by a plan without search, on every route of it', async () => {
    const without = await server.createTenant({ skuInfo: { is_search_enabled: false } });
    const who = await actor('Admin', without);
    const payload = { time_range: lastHour() };
    const id = '00000000-0000-4000-8000-000000000000';
    const calls: Call[] = [
      { url: path('', without), payload },
      { url: path('/fields', without), payload },
      { method: 'GET', url: path('/values?field=user', without) },
      { method: 'GET', url: path('/integrations', without) },
      { method: 'GET', url: path(`/events/${id}`, without) },
      { method: 'GET', url: path('/tail', without) },
      { method: 'GET', url: path('/saved', without) },
    ];
    for (const one of calls) {
      expect(await call({ ...one, who })).toMatchObject({ status: 403, body: { code: 'PLAN_NOT_ENABLED' } });
    }
  });

  it('of a tenant the caller is no member of is refused like that of one that does not exist', async () => {
    const other = await server.createTenant();
    const known = await call({ url: path('', other) });
    const unknown = await call({ url: path('', '00000000-0000-4000-8000-0000000000ff') });
    expect(known.status).toBe(403);
    expect({ ...known.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it.each([
    ['a range that is reversed', { time_range: { start: '2026-11-21T00:00:00Z', end: '2026-11-20T00:00:00Z' } }],
    ['a range of nothing', { time_range: { start: '2026-11-21T00:00:00Z', end: '2026-11-21T00:00:00Z' } }],
    ['a time without a zone', { time_range: { start: '2026-11-21T00:00:00', end: '2026-11-21T00:00:00Z' } }],
    ['no range', {}],
    ['too many events', { limit: 1_001 }],
    ['an unknown key', { tenant: 'x' }],
    ['an integration that is none', { integrations: [':x'] }],
    ['an operator that is none', { filters: [{ field: 'user', op: 'sql', value: 'x' }] }],
    ['a connector that is none', { connector_id: "' or 1=1" }],
    ['a cursor that is none', { cursor: 'abc' }],
    ['a query of half a megabyte', { query: 'a'.repeat(500_000) }],
  ])('with %s is refused before it is run', async (name, parts) => {
    const range = name === 'no range' ? {} : { time_range: lastHour() };
    const answer = await call({ payload: { ...range, ...parts } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', details: expect.any(Array) } });
  });

  it.each([
    ['that is reversed', '2026-11-21T00:00:00Z', '2026-11-20T00:00:00Z'],
    ['of nothing', '2026-11-21T00:00:00Z', '2026-11-21T01:00:00%2B01:00'],
  ])('for values to filter by, in a range %s, is refused before it is run', async (_name, start, end) => {
    const answer = await call({ method: 'GET', url: path(`/values?field=user&start=${start}&end=${end}`) });
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'query.end' }] } });
  });

  it('over a hundred years, and in another zone, is one over what the plan reaches', async () => {
    await store('now');
    const time_range = { start: '1970-01-01T00:00:00+14:00', end: '2070-01-01T00:00:00-11:00' };
    const answer = await call({ payload: { time_range } });
    expect(answer).toMatchObject({ status: 200, body: { total: { value: 1 }, time_range: { clipped: true } } });
  });

  it('that cannot be read says where and why', async () => {
    const answer = await call({ payload: { query: 'port:[1 5]', time_range: lastHour() } });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        code: 'QUERY_INVALID',
        details: [{ path: 'body.query', start: expect.any(Number), message: 'This is not a range.' }],
      },
    });
  });
});

describe('a saved search', () => {
  const input = (parts: object = {}) => ({
    name: 'Failed sign-ins',
    criteria: { query: 'outcome:failure', integrations: ['sshd'] },
    time_range: { preset: 'last_24h' },
    sort: 'oldest',
    columns: ['user', 'src_ip'],
    ...parts,
  });
  const save = async (parts: object = {}, who = analyst) =>
    await call({ url: path('/saved'), payload: input(parts), who });
  const list = async (who = analyst) =>
    (await call({ method: 'GET', url: path('/saved'), who })).body.map((one: { name: string }) => one.name);
  const records = () =>
    server.stores.database.tenant(tenant, (tx) =>
      tx
        .selectFrom('audit_record')
        .select(['action', 'outcome', 'code'])
        .where('action', 'in', ['saved_search.create', 'saved_search.update', 'saved_search.delete', 'route.call'])
        .orderBy('sequence')
        .execute(),
    );

  it('is kept with everything, changed, deleted, and each is audited', async () => {
    const made = await save();
    expect(made.status).toBe(201);
    const saved = savedSearchSchema.parse(made.body);
    expect(saved).toMatchObject({ ...input(), own: true, editable: true, shared: false });
    const changed = await call({
      method: 'PUT',
      url: path(`/saved/${saved.id}`),
      payload: { ...input({ name: 'Renamed' }), replaces: saved.updated_at },
    });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Renamed' } });
    const stale = await call({
      method: 'PUT',
      url: path(`/saved/${saved.id}`),
      payload: { ...input(), replaces: saved.updated_at },
    });
    expect(stale).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await call({ method: 'DELETE', url: path(`/saved/${saved.id}`) })).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await records()).map(({ action }) => action)).toEqual([
      'saved_search.create',
      'saved_search.update',
      'saved_search.delete',
    ]);
  });

  it('is seen by others only when it is shared, and changed by its owner and Admins only', async () => {
    const colleague = await actor('Analyst');
    const admin = await actor('Admin');
    const own = (await save({ name: 'private' })).body;
    const shared = (await save({ name: 'shared', shared: true })).body;
    expect(await list(colleague)).toEqual(['shared']);
    for (const who of [colleague, admin]) {
      for (const [method, payload] of [
        ['PUT', input()],
        ['DELETE', undefined],
      ] as const) {
        const url = path(`/saved/${own.id}`);
        expect(await call({ method, url, who, ...(payload && { payload }) })).toMatchObject({ status: 404 });
      }
    }
    const refused = await call({ method: 'DELETE', url: path(`/saved/${shared.id}`), who: colleague });
    expect(refused).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
    expect(await records()).toContainEqual({ action: 'route.call', outcome: 'refused', code: 'ROLE_TOO_LOW' });
    const taken = await call({ method: 'PUT', url: path(`/saved/${shared.id}`), payload: input(), who: admin });
    expect(taken).toMatchObject({ status: 409 });
    const renamed = input({ name: 'by an Admin', shared: true });
    expect(await call({ method: 'PUT', url: path(`/saved/${shared.id}`), payload: renamed, who: admin })).toMatchObject(
      {
        status: 200,
        body: { own: false, editable: true },
      },
    );
  });

  it('of another tenant is not there', async () => {
    const saved = (await save({ shared: true })).body;
    const other = await server.createTenant();
    const stranger = await actor('Admin', other);
    for (const method of ['PUT', 'DELETE'] as const) {
      const payload = method === 'PUT' ? { payload: input() } : {};
      const answer = await call({ method, url: path(`/saved/${saved.id}`, other), who: stranger, ...payload });
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect((await call({ method: 'GET', url: path('/saved', other), who: stranger })).body).toEqual([]);
  });

  it('has a name of its own, also when saved many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => save({ name: 'SAME' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await save({ name: 'same' })).toMatchObject({ status: 409 });
  });

  it('that could not run is not saved', async () => {
    const answer = await save({ criteria: { query: '(open' } });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'QUERY_INVALID', details: [{ path: 'body.criteria.query' }] },
    });
    expect(await list()).toEqual([]);
  });
});

test('twenty searches of a tenant at once are all answered, and those beyond its line are told to wait', async () => {
  await store('needle');
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => call({ payload: { query: 'needle', time_range: lastHour() } })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});
