/**
 * A server with the limits of the product, with cases and events of some tenants, the first of which has several members:
 * `tsx noisy-stand.ts <empty folder> <tenants>` prints one line of JSON with what `runNoisyBench` needs. Ends on SIGTERM.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@clickhouse/client';
import { callLimits } from '../src/http/call-limits.ts';
import { sqlClient } from '../src/storage/database.ts';
import { insertBenchCases } from './bench-cases.ts';
import { startComposedStand } from './composed-stand.ts';
import type { Member, NoisyStand, RunTimes } from './noisy-bench.ts';
import { fillBenchEvents } from './search-events.ts';

const CASES_PER_TENANT = 5_000;
const EVENTS = 500_000;
/** More than it takes to use up what their tenant gets. */
const NOISY_MEMBERS = 4;

const [dataDir, tenants = ''] = process.argv.slice(2);
if (dataDir === undefined || !/^\d+$/.test(tenants)) throw new Error('Name an empty folder and a number of tenants.');
const { db, url, createMember, freshToken, asOwner, eventsConnection } = await startComposedStand(dataDir, {
  callLimits,
});
const people: { tenant: string; userId: string }[] = [];
for (let n = 0; n < Number(tenants); n++) people.push(await createMember('Admin'));
const all = people.map(({ tenant }) => tenant);
const [noisyTenant] = all;
if (noisyTenant === undefined) throw new Error('There are no tenants.');
for (let n = 1; n < NOISY_MEMBERS; n++) people.push(await createMember('Admin', noisyTenant));
await insertBenchCases(db, all, CASES_PER_TENANT);
const { user: username, password } = eventsConnection;
const direct = createClient({
  ...{ url: eventsConnection.url, username, password, database: 'airdeck', request_timeout: 600_000 },
});
await fillBenchEvents(direct, { count: EVENTS, end: Date.now(), tenants: all });
await direct.close();
await asOwner('vacuum analyze');

/** How long the runs of the others so far took from their start to their end. */
async function runTimes(): Promise<RunTimes> {
  const { rows } = await db.system((tx) =>
    sqlClient(tx).query<{ ms: number[]; unfinished: number }>(
      `select coalesce(array_agg(extract(epoch from finished_at - created_at)::float8 * 1000), '{}') as ms,
         (count(*) filter (where status <> 'success'))::int as unfinished
       from engine.run where tenant_id <> $1`,
      [noisyTenant],
    ),
  );
  const [row] = rows;
  return { ms: row?.ms ?? [], unfinished: row?.unfinished ?? 0 };
}

async function members(): Promise<Member[]> {
  const signedIn: Member[] = [];
  for (const { tenant, userId } of people) signedIn.push({ tenant, token: await freshToken(userId) });
  return signedIn;
}

const asides = createServer(async ({ url: path }, response) => {
  response.end(JSON.stringify(path === '/members' ? await members() : await runTimes()));
});
await new Promise<void>((resolve) => asides.listen(0, '127.0.0.1', resolve));
process.once('SIGTERM', () => asides.close());
const asidesUrl = `http://127.0.0.1:${(asides.address() as AddressInfo).port}`;
const stand: NoisyStand = {
  url,
  membersUrl: `${asidesUrl}/members`,
  runsUrl: `${asidesUrl}/runs`,
  limits: { perSecond: callLimits.tenant.perSecond, burst: callLimits.tenant.burst },
};
console.log(JSON.stringify(stand));
