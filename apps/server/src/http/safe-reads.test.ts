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

it('changes no row of any table, whichever route is read', async () => {
  expect(reads.length).toBeGreaterThan(80);
  const before = await contents();
  expect(Object.keys(before).length).toBeGreaterThan(100);
  const faults: string[] = [];
  for (const id of reads) {
    const url = routeTable[id].path.replace('{tenant}', tenant).replace(/\{\w+\}/g, () => v7());
    const answer = await server.inject({ method: 'GET', url, headers: admin.headers, payloadAsStream: true });
    answer.stream().destroy();
    if (answer.statusCode >= 500) faults.push(`${id}: ${answer.statusCode}`);
    const after = await contents();
    const changed = Object.keys(after).filter((name) => after[name] !== before[name] && !recorded.has(name));
    if (changed.length > 0) faults.push(`${id} changes ${changed.join(', ')}`);
    Object.assign(before, after);
  }
  expect(faults).toEqual([]);
});
