import type { Route } from '@airdeck/contracts/route';
import { routeTable } from '@airdeck/contracts/route-table';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FuzzRequest, requestsOf } from './fuzz-requests-fixture.ts';
import { createTestServer, type TestServer } from './test-server.ts';

/**
 * A-A5, A-A7 and A-A8 of the attack cases, and more. Every route, asked by an Admin for things that fit and for things that do not: whatever comes, the answer is one of those
 * documented, and tells nothing of the inside. Not asked are routes that keep their answer open.
 */
const REQUESTS = 20_000;
const SEED = 20_261_123;
/** Requests may take the caller's rights or the tenant's plan away, so others go on after a while. */
const PER_CALLER = 400;
const AT_ONCE = 4;
const inside =
  /node_modules|\bat [\w.<>]+ \(|\.ts:\d+|\bselect \S+ from\b|syntax error at|violates \w+ constraint|ECONNREFUSED/i;

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer({ resolveHost: async () => [] });
});
afterAll(() => server?.close());

type Caller = { tenant: string; headers: { authorization: string }; ids: readonly string[] };

/** An Admin of a tenant that has a little of everything a list can name. */
async function newCaller(): Promise<Caller> {
  const tenant = await server.createTenant();
  const actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const ids = new Set<string>();
  for (const route of Object.values<Route>(routeTable)) {
    if (route.method !== 'GET' || route.response === 'stream' || route.path.replace('{tenant}', '').includes('{'))
      continue;
    const { body } = await server.inject({ url: route.path.replace('{tenant}', tenant), headers: actor.headers });
    for (const [found] of body.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
      if (ids.size < 60) ids.add(found);
  }
  return { tenant, headers: actor.headers, ids: [...ids] };
}

async function complaintAbout(request: FuzzRequest, caller: Caller): Promise<{ status: number; complaint?: string }> {
  const { method, url, headers, payload } = request;
  const answer = await server.inject({
    ...{ method, url, headers: { ...headers, ...caller.headers } },
    ...(payload === undefined ? {} : { payload }),
  });
  const told = `${answer.statusCode} ${answer.body.slice(0, 300)}`;
  const asked = `${request.id} ${method} ${url.slice(0, 300)} ${String(payload ?? '').slice(0, 300)} -> ${told}`;
  const status = answer.statusCode;
  // Told before anything else is looked at, so nothing that is missing can be the reason.
  const isRightlyRefused = request.isPlain ? status === 400 : status >= 400 && status < 500;
  if (request.isRefused && !isRightlyRefused) return { status, complaint: `misfits, ${asked}` };
  if (status >= 500 && !isMissingService(answer.body)) return { status, complaint: asked };
  if (answer.body !== '' && !isTyped(answer.headers['content-type'])) return { status, complaint: asked };
  if (status >= 400 && (!answer.body.startsWith('{') || inside.test(answer.body))) return { status, complaint: asked };
  return { status };
}

/** Says what it is, and of texts in which characters: otherwise a browser guesses. */
function isTyped(type: unknown): boolean {
  if (typeof type !== 'string' || !/^[\w.+-]+\/[\w.+-]+(?:;|$)/.test(type)) return false;
  return !/^text\/|xml\b/.test(type) || /; charset=utf-8$/i.test(type);
}

/** Something that is asked, or is to be connected first, and is not there. What we did not think of is 500 and INTERNAL. */
function isMissingService(body: string): boolean {
  return /"code":"(?!INTERNAL")[A-Z_]+"/.test(body);
}

test(`${REQUESTS} requests of all routes get documented answers`, { timeout: 600_000 }, async () => {
  const routes = server.composition.app.routes.filter((id) => routeTable[id].response !== 'stream');
  const complaints: string[] = [];
  const statuses = new Map<number, number>();
  let misfits = 0;
  const per = Math.ceil(PER_CALLER / routes.length);
  for (let sent = 0, round = 0; sent < REQUESTS; round++) {
    const caller = await newCaller();
    const requests = routes.flatMap((id) => fc.sample(requestsOf(id, caller), { numRuns: per, seed: SEED + round }));
    const left = requests.slice(0, REQUESTS - sent);
    sent += left.length;
    const worker = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const { status, complaint } = await complaintAbout(next, caller);
        if (next.isRefused && next.isPlain) misfits += 1;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (complaint !== undefined) complaints.push(complaint);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
  expect([...new Set(complaints)].slice(0, 20)).toEqual([]);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  // Nor would requests that all fit.
  expect(misfits).toBeGreaterThan(REQUESTS / 20);
  // Requests that are all refused would show little.
  const fine = [...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
  expect(fine).toBeGreaterThan(REQUESTS / 20);
});
