import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

/** Tenancy cases of the attack catalogue that belong to no single module; `docs/attack-cases.md` lists all of them. */

let server: TestServer;
let ours: string;
let theirs: string;
let admin: Actor;
let stranger: Actor;

beforeAll(async () => {
  server = await createTestServer();
  ours = await server.createTenant({ name: 'Ours' });
  theirs = await server.createTenant({ name: 'Theirs' });
  admin = await server.createActor({ home: ours, roles: { [ours]: 'Admin' } });
  stranger = await server.createActor({ home: theirs, roles: { [theirs]: 'Admin' } });
});
afterAll(() => server?.close());

type Init = {
  headers?: Record<string, string>;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  payload?: object;
};

async function call(actor: Actor, url: string, { headers = {}, method = 'GET', payload }: Init = {}) {
  const answer = await server.inject({
    method,
    url,
    headers: { ...actor.headers, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  const { 'x-request-id': _id, date: _date, ...rest } = answer.headers;
  return {
    status: answer.statusCode,
    headers: rest,
    text: answer.body.replace(/"request_id":"[^"]+"/, '"request_id":""'),
  };
}

const codeOf = (text: string) => (JSON.parse(text) as { code?: string }).code;

function servedRoutes(fits: (route: Route) => boolean): [RouteId, Route][] {
  return server.composition.app.routes
    .map((id): [RouteId, Route] => [id, routeTable[id]])
    .filter(([, route]) => route.access.kind === 'tenant' && route.response !== 'stream' && fits(route));
}

const pathOf = (route: Route, tenant: string) => route.path.replace('{tenant}', tenant);

describe('what belongs to another tenant', () => {
  it('is found under our path no more than what does not exist (A-T2)', async () => {
    const made = async (name: string, payload: object) => {
      const answer = await call(stranger, `/api/tenants/${theirs}/${name}`, { method: 'POST', payload });
      expect(answer, name).toMatchObject({ status: 201 });
      return (JSON.parse(answer.text) as { id: string }).id;
    };
    const contact = { name: 'Their Desk', email: 'desk@example.com', kind: 'technical' };
    const objects = { contacts: await made('contacts', contact) };
    const methods = ['PUT', 'DELETE'] as const;
    for (const [name, id] of Object.entries(objects)) {
      for (const method of methods) {
        const payload = method === 'PUT' ? { ...contact, updated_at: new Date().toISOString() } : undefined;
        const at = (object: string) =>
          call(admin, `/api/tenants/${ours}/${name}/${object}`, { method, ...(payload ? { payload } : {}) });
        const [foreign, unknown] = [await at(id), await at(v7())];
        expect(foreign.status, `${method} ${name}`).toBe(404);
        expect(foreign).toEqual(unknown);
      }
    }
    expect((await call(stranger, `/api/tenants/${theirs}/contacts`)).text).toContain('Their Desk');
  });

  it('is not reached with any id on any route that has one (A-T2)', async () => {
    const surprises: string[] = [];
    for (const [id, route] of servedRoutes(({ path, method }) => method === 'GET' && /\{(?!tenant)/.test(path))) {
      const url = pathOf(route, ours).replace(/\{\w+\}/g, () => v7());
      const { status, text } = await call(admin, url);
      // Ours manages nobody, whatever is asked for.
      if (status === 403 && text.includes('NOT_A_PROVIDER')) continue;
      if (status !== 404 && status !== 400) surprises.push(`${id}: ${status}`);
    }
    expect(surprises).toEqual([]);
  });
});

describe('a body that names another tenant', () => {
  it('is refused by every route that takes one, and nothing is written (A-T3)', async () => {
    const surprises: string[] = [];
    for (const [id, route] of servedRoutes(({ body }) => body !== undefined)) {
      const url = pathOf(route, ours).replace(/\{\w+\}/g, () => v7());
      const payload = { tenant: theirs, tenant_id: theirs };
      const answer = await call(admin, url, { method: route.method, payload });
      if (answer.status !== 400 && answer.status !== 404) surprises.push(`${id}: ${answer.status}`);
    }
    expect(surprises).toEqual([]);
  });

  it('is refused for that, however complete it is otherwise', () => {
    const takers = servedRoutes(({ body }) => typeof body === 'object');
    expect(takers.length).toBeGreaterThan(50);
    const lenient = takers.filter(([, { body }]) => {
      const parsed = typeof body === 'object' ? body.safeParse({ tenant: theirs, tenant_id: theirs }) : undefined;
      const problems = parsed?.error?.issues ?? [];
      return !problems.some(
        (problem) =>
          problem.code === 'unrecognized_keys' && ['tenant', 'tenant_id'].every((key) => problem.keys.includes(key)),
      );
    });
    // Read, and refused where it is another: `contacts.test.ts`, `connector-routes.test.ts`; copies go where their maker may build.
    expect(lenient.map(([id]) => id).toSorted()).toEqual(['connectors.put', 'contacts.update', 'playbooks.duplicate']);
  });
});

describe('parameters that would widen a list', () => {
  /** What a list would show that is widened to other people of the tenant, or to other tenants. */
  beforeAll(async () => {
    const colleague = await server.createActor({ home: ours, roles: { [ours]: 'Admin' } });
    const search = {
      ...{ name: 'Of somebody else', criteria: { query: 'needle' }, time_range: { preset: 'last_24h' } },
      ...{ sort: 'oldest', columns: ['user'] },
    };
    for (const [actor, tenant] of [
      [colleague, ours],
      [stranger, theirs],
    ] as const) {
      const url = `/api/tenants/${tenant}/search/saved`;
      expect((await call(actor, url, { method: 'POST', payload: search })).status).toBe(201);
      expect((await call(actor, url)).text).toContain(search.name);
    }
    expect((await call(admin, `/api/tenants/${ours}/search/saved`)).text).not.toContain(search.name);
  });

  it.each([
    (other: string) => `tenant=${other}`,
    () => 'scope=all',
    () => 'user=*',
    () => 'show_all=true',
    (other: string) => `tenant_id=${other}&tenants=${other}`,
  ])('are refused or change nothing, on every route that reads (A-T5, %#)', async (query) => {
    const surprises: string[] = [];
    for (const [id, route] of servedRoutes(({ path, method }) => method === 'GET' && !/\{(?!tenant)/.test(path))) {
      const plain = await call(admin, pathOf(route, ours));
      const widened = await call(admin, `${pathOf(route, ours)}?${query(theirs)}`);
      if (widened.status !== 400 && !(widened.status === plain.status && widened.text === plain.text))
        surprises.push(`${id}: ${widened.status} ${widened.text.slice(0, 300)}`);
    }
    expect(surprises).toEqual([]);
  });
});

describe('the tenant of a call', () => {
  it('is the one of the path, whatever headers say (A-T6)', async () => {
    const url = `/api/tenants/${ours}`;
    const plain = await call(admin, url);
    for (const name of ['x-tenant-id', 'x-forwarded-tenant', 'x-tenant', 'tenant']) {
      const answer = await call(admin, url, { headers: { [name]: theirs } });
      expect(answer.text, name).toBe(plain.text);
      const other = await call(admin, `/api/tenants/${theirs}`, { headers: { [name]: ours } });
      expect(codeOf(other.text), name).toBe('TENANT_FORBIDDEN');
    }
  });

  it.each(['undefined', 'null', '', '..', '%2e%2e', '%00', '%20', '*', '-', '0', 'THEIRS'])(
    '%j is none, and there is no default (A-T6)',
    async (spelt) => {
      const answer = await call(admin, `/api/tenants/${spelt === 'THEIRS' ? theirs.toUpperCase() : spelt}/contacts`);
      expect([400, 403, 404]).toContain(answer.status);
      expect(answer.text).not.toContain('"contacts"');
    },
  );

  it('stays what it is while one person asks for two of them at once (A-T10)', { timeout: 120_000 }, async () => {
    const both = await server.createActor({ home: ours, roles: { [ours]: 'Admin', [theirs]: 'Admin' } });
    const tags = new Map<string, Set<string>>([
      [ours, new Set()],
      [theirs, new Set()],
    ]);
    for (let round = 0; round < 50; round++) {
      const asked = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? ours : theirs));
      const answers = await Promise.all(asked.map((tenant) => call(both, `/api/tenants/${tenant}`)));
      for (const [n, { status, text, headers }] of answers.entries()) {
        const tenant = asked[n] ?? '';
        expect(status).toBe(200);
        expect((JSON.parse(text) as { id: string }).id).toBe(tenant);
        tags.get(tenant)?.add(String(headers.etag));
      }
    }
    expect([...(tags.get(ours) ?? [])].filter((tag) => tags.get(theirs)?.has(tag))).toEqual([]);
  });

  it('is asked before a tag is compared: what another has in its cache is never confirmed (A-T11)', async () => {
    const seen = await call(admin, `/api/tenants/${ours}`);
    const tag = String(seen.headers.etag);
    expect(tag).toMatch(/"/);
    const headers = { 'if-none-match': tag };
    expect((await call(admin, `/api/tenants/${ours}`, { headers })).status).toBe(304);
    expect((await call(stranger, `/api/tenants/${ours}`, { headers })).status).toBe(403);
    expect((await call(stranger, `/api/tenants/${theirs}`, { headers })).status).toBe(200);
  });
});
