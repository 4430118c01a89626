import { setTimeout as wait } from 'node:timers/promises';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

/** What was exported or refused is written down, as of every other route. */
const recorded: ReadonlySet<string> = new Set(['public.audit_chain', 'public.audit_record']);
/**
 * GET is what a browser does unasked: by an image, a prefetch, a link in a mail. Whatever changes something has another
 * method, so that none of these can.
 */
const reads = (Object.keys(routeTable) as RouteId[]).filter((id) => routeTable[id].method === 'GET');

/** The same for everybody, and asked for again each time. */
const sameForAll: ReadonlySet<RouteId> = new Set(['system.config', 'system.openapi']);

let server: TestServer;
let tenant: string;
let admin: Actor;
let database: pg.Client;

beforeAll(async () => {
  server = await createTestServer();
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  database = new pg.Client({ connectionString: server.stores.url });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await server?.close();
});

/** A hash over the rows of each table. */
async function contents(): Promise<Record<string, string>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema)' order by 1`,
  );
  const hashes = await database.query<{ name: string; hash: string }>(
    tables
      .map(
        ({ name }) =>
          `select '${name}' as name, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as hash from ${name} t`,
      )
      .join(' union all '),
  );
  return Object.fromEntries(hashes.rows.map(({ name, hash }) => [name, hash]));
}

async function visit(id: RouteId) {
  const url = routeTable[id].path.replace('{tenant}', tenant).replace(/\{\w+\}/g, () => v7());
  const answer = await server.inject({ method: 'GET', url, headers: admin.headers, payloadAsStream: true });
  answer.stream().destroy();
  return answer;
}

/**
 * Schedules write, too, at times of their own, and on a busy machine for a while: what a route changes is changed at every
 * visit, however long one waits between them.
 */
const VISITS = 12;
const PAUSE_MS = 250;

it('changes no row of any table, whichever route is read', async () => {
  expect(reads.length).toBeGreaterThan(80);
  let before = await contents();
  expect(Object.keys(before).length).toBeGreaterThan(100);
  const faults: string[] = [];
  for (const id of reads) {
    let changed = Object.keys(before);
    for (let visits = 0; visits < VISITS && changed.length > 0; visits++) {
      if (visits > 0) {
        await wait(PAUSE_MS);
        before = await contents();
      }
      const { statusCode } = await visit(id);
      if (statusCode >= 500) faults.push(`${id}: ${statusCode}`);
      const after = await contents();
      changed = changed.filter((name) => after[name] !== before[name] && !recorded.has(name));
      before = after;
    }
    if (changed.length > 0) faults.push(`${id} changes ${changed.join(', ')}`);
  }
  expect(faults).toEqual([]);
});

it('lets no browser keep what a route answered', async () => {
  const faults: string[] = [];
  for (const id of reads) {
    const answer = await visit(id);
    const kept = String(answer.headers['cache-control']);
    if (!(sameForAll.has(id) ? /^no-cache$/ : /(^|, )no-store$/).test(kept))
      faults.push(`${id}: ${answer.statusCode} ${kept}`);
  }
  expect(faults).toEqual([]);
});
