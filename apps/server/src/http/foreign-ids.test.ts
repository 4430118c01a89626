import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace } from '../modules/activity/runs-fixture.ts';
import { guessingRule } from '../modules/detection/detection-fixture.ts';
import { requestsOf } from './fuzz-requests-fixture.ts';
import type { Actor } from './test-server.ts';

/**
 * Every route with an id, asked in our tenant once for each thing of another tenant and once for what does not exist. How
 * long the two take is a bench's to tell.
 */
const SEED = 20_261_123;
const PER_ROUTE = 400;
const ASKED_PER_ROUTE = 4;
/** What their own Admin reads with the same ids. */
const READ: readonly RouteId[] = [
  ...(['cases.get', 'policies.get', 'playbooks.get', 'connectors.get'] as const),
  ...(['playbook-activity.get', 'actions-activity.get'] as const),
];
/** Ours manages nobody, which is said before; names of steps are not made by chance, and the id is another one's for each person. */
const neverLooked: readonly RouteId[] = ['customers.update', 'customers.usage', 'onboarding.save'];
const NOBODYS = '018f0000-0000-7000-8000-00000000dead';
const idPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

let fixture: RunsFixture;
let ours: RunsWorkspace;
let theirs: RunsWorkspace;

beforeAll(async () => {
  fixture = await createRunsFixture();
  [ours, theirs] = [await fixture.workspace(), await fixture.workspace()];
});
afterAll(() => fixture?.close());

const servedRoutes = () =>
  fixture.server.composition.app.routes
    .map((id): [RouteId, Route] => [id, routeTable[id]])
    .filter(([, route]) => route.access.kind === 'tenant' && route.response !== 'stream');

/** One of each kind, and the ids its lists name. */
async function idsOfTheirs(): Promise<string[]> {
  const { admin, path, soar } = theirs;
  const made = async (url: string, payload: object) => {
    const { status, body } = await fixture.call(admin, 'POST', url, payload);
    expect(status, `${url} ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  };
  const run = await theirs.start(await theirs.add([node.ask('ask')]));
  await theirs.reaches(run, 'waiting');
  await made(`${soar}/rules`, { rule: guessingRule() });
  await made(`${path}/case`, { alert_name: 'Theirs' });
  await made(`${path}/contacts`, { name: 'Their Desk', email: 'desk@example.com', kind: 'technical' });
  await made(`${soar}/actions_activity`, {
    ...{ action_name: 'http_request.get', action_input: { path: '/x' }, connector_id: null },
  });
  await made(`${path}/reports/air/schedules`, {
    ...{ name: 'Theirs', search: { query: '' }, format: 'csv', period: 'daily', at_minute: 0 },
    ...{ time_zone: 'UTC', contact_ids: [], enabled: true },
  });
  const ids = new Set<string>((await theirs.promptPath(run)).match(idPattern) ?? []);
  for (const [, { method, path: pattern }] of servedRoutes()) {
    const rest = pattern.replace('{tenant}', theirs.tenant);
    if (method !== 'GET' || rest.includes('{')) continue;
    const { body } = await fixture.server.inject({ url: rest, headers: admin.headers });
    for (const [id] of body.matchAll(idPattern)) ids.add(id);
  }
  const common = [theirs.tenant, admin.id, theirs.analyst.id];
  return [...ids].filter((id) => !common.includes(id));
}

async function told(actor: Actor, request: { method: Route['method']; url: string; payload?: string }, id: string) {
  const { method, url, payload } = request;
  const answer = await fixture.server.inject({
    ...{ method, url: url.replaceAll(NOBODYS, id) },
    headers: { ...actor.headers, ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(payload === undefined ? {} : { payload: payload.replaceAll(NOBODYS, id) }),
  });
  const { 'x-request-id': _id, date: _date, ...headers } = answer.headers;
  const body = answer.body.replace(/"request_id":"[^"]+"/, '').replaceAll(id, NOBODYS);
  return JSON.stringify({ status: answer.statusCode, headers, body });
}

function fits({ body }: Route, payload: string | undefined): boolean {
  if (typeof body !== 'object') return true;
  try {
    return body.safeParse(JSON.parse(payload ?? 'null')).success;
  } catch {
    return false;
  }
}

/** Without whatever of it need not be there. */
function barest(route: Route, payload: string | undefined): { payload?: string } {
  if (payload === undefined) return {};
  let left = JSON.parse(payload) as object;
  for (const key of Object.keys(left)) {
    const without = Object.fromEntries(Object.entries(left).filter(([name]) => name !== key));
    if (fits(route, JSON.stringify(without))) left = without;
  }
  return { payload: JSON.stringify(left) };
}

test('a thing of another tenant is told of as one that does not exist: status, headers and body (A-T2)', {
  timeout: 600_000,
}, async () => {
  const foreign = await idsOfTheirs();
  expect(foreign.length).toBeGreaterThan(8);
  const differences: string[] = [];
  const reached = new Set<RouteId>();
  /** Where the id was looked for: a request that fails before that shows nothing. */
  const looked = new Set<RouteId>();
  const asked: RouteId[] = [];
  for (const [id, route] of servedRoutes()) {
    if (!/\{(?!tenant)/.test(route.path)) continue;
    asked.push(id);
    const all = fc.sample(requestsOf(id, { tenant: ours.tenant, ids: [NOBODYS] }), { numRuns: PER_ROUTE, seed: SEED });
    const requests = all.flatMap(({ method, url, payload }) =>
      url.split('?')[0]?.includes(NOBODYS) && !Buffer.isBuffer(payload)
        ? [{ method, url, ...(payload === undefined || route.body === undefined ? {} : { payload }) }]
        : [],
    );
    // The barest first: it names nothing besides the id that could be refused before it is looked for.
    const sound = requests
      .filter(({ payload }) => fits(route, payload))
      .toSorted((a, b) => (a.payload ?? '').length - (b.payload ?? '').length);
    const bare = sound.slice(0, 1).map((request) => ({ ...request, ...barest(route, request.payload) }));
    const others = requests.filter((request) => !sound.includes(request));
    const chosen = [...bare, ...sound, ...others].slice(0, ASKED_PER_ROUTE);
    for (const request of chosen) {
      const unknown = await told(ours.admin, request, v7());
      if (unknown.includes('"status":404')) looked.add(id);
      for (const one of foreign) {
        const answer = await told(ours.admin, request, one);
        // Some may be asked only so often a minute, whatever they are asked for.
        if (answer.includes('"status":429')) break;
        if (answer !== unknown) differences.push(`${id} ${request.url}: ${answer} instead of ${unknown}`);
        if (request.method !== 'GET' || reached.has(id)) continue;
        const there = { ...request, url: request.url.replace(ours.tenant, theirs.tenant) };
        if ((await told(theirs.admin, there, one)).includes('"status":200')) reached.add(id);
      }
    }
  }
  expect(differences.slice(0, 20)).toEqual([]);
  expect(asked.filter((id) => !looked.has(id)).toSorted()).toEqual(neverLooked.toSorted());
  expect([...reached]).toEqual(expect.arrayContaining([...READ]));
});
