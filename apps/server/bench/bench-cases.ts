/** Cases for measuring what reads them. */
import { type Database, sqlClient } from '../src/storage/database.ts';

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

/** As many for each of the tenants. */
export async function insertBenchCases(db: Database, tenants: readonly string[], each: number): Promise<void> {
  await db.system((tx) => sqlClient(tx).query(insertCases, [tenants, each]));
}
