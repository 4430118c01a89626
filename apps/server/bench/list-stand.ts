/**
 * A server with 100,000 cases of some tenants: `tsx list-stand.ts <empty folder> <tenants>` prints one line of JSON with
 * what `runListBench` and `runCasesBench` need. Ends on SIGTERM.
 */
import { sqlClient } from '../src/storage/database.ts';
import { startComposedStand } from './composed-stand.ts';
import type { ListStand } from './list-bench.ts';

const CASES = 100_000;

/** Spread over the last ninety days. */
const insertCases = `
insert into case_record (id, tenant_id, number, alert_type, name, description, category, severity, severity_rank,
  status, log_sources, meta, opened_at, time_opened, time_closed, close_reason, time_updated, search_text)
select gen_random_uuid(), t.id, n, 'policy', 'Several failed sign-ins, then one that worked',
  'Somebody signed in after at least five failures from the same address.', (array['access', 'malware', 'network'])[1 + n % 3],
  (array['low', 'medium', 'high', 'critical'])[1 + n % 4], n % 4, case when n % 5 = 0 then 'open' else 'closed' end,
  case when n % 2 = 0 then array['okta'] else array['sshd', 'firewall'] end,
  jsonb_build_object('src_ip', '203.0.113.' || n % 250, 'user', 'user' || n % 500),
  at, at, case when n % 5 = 0 then null else at end, case when n % 5 = 0 then null else 'benign' end, at,
  'case-' || n || ' several failed sign-ins'
from unnest($1::uuid[]) as t(id), generate_series(1, $2::int) as n,
  lateral (select now() - make_interval(secs => n * 90 * 86400.0 / $2) as at) as times`;

const [dataDir, tenants = ''] = process.argv.slice(2);
if (dataDir === undefined || !/^\d+$/.test(tenants)) throw new Error('Name an empty folder and a number of tenants.');
const { db, url, createMember, asOwner } = await startComposedStand(dataDir);
const members: ListStand['members'][number][] = [];
for (let n = 0; n < Number(tenants); n++) members.push(await createMember('Analyst'));
await db.system((tx) =>
  sqlClient(tx).query(insertCases, [members.map(({ tenant }) => tenant), CASES / Number(tenants)]),
);
await asOwner('vacuum analyze case_record');
console.log(JSON.stringify({ members, cases: CASES, url } satisfies ListStand));
