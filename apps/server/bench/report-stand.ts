/**
 * A server with 100,000 cases and the given number of events of 20 tenants over the last 89 days: `tsx report-stand.ts
 * <empty folder> <events>` prints one line of JSON with what `runReportBench` needs. Ends on SIGTERM.
 */
import { createClient } from '@clickhouse/client';
import { createActivityReportModule } from '../src/modules/activity-report/activity-report-module.ts';
import { createFactsReader } from '../src/modules/executive-reports/gather-facts.ts';
import { monthOf, rangeOfMonth } from '../src/modules/executive-reports/report-month.ts';
import { createLogReportModule } from '../src/modules/log-report/log-report-module.ts';
import { tenantSettings } from '../src/modules/settings/settings-module.ts';
import { sqlClient } from '../src/storage/database.ts';
import { trustedTenantScope } from '../src/tenant-scope.ts';
import { insertBenchCases } from './bench-cases.ts';
import { startComposedStand } from './composed-stand.ts';
import type { ReportStand } from './report-bench.ts';
import { fillBenchEvents } from './search-events.ts';

const TENANTS = 20;
const CASES = 100_000;
/** The tenants keep events for ninety; the oldest must not go while the bench runs. */
const DAYS = 89;

/** What ingestion would have counted: the events of the store, by the hour they happened in. */
const insertVolume = `
with source as (
  insert into event_source (id, tenant_id, name, kind, token_hash, token_hint, created_at)
  select gen_random_uuid(), t.id, 'Firewall', 'ndjson', sha256(t.id::text::bytea), '…', now() - make_interval(days => $3)
  from unnest($1::uuid[]) as t(id) returning id, tenant_id)
insert into source_event_hour (tenant_id, source_id, hour, events, bytes)
select s.tenant_id, s.id, date_trunc('hour', now()) - make_interval(hours => h), $2 / ($3 * 24), $2 / ($3 * 24) * 450
from source s, generate_series(0, $3 * 24 - 1) as h`;

const [dataDir, events = ''] = process.argv.slice(2);
if (dataDir === undefined || !/^\d+$/.test(events)) throw new Error('Name an empty folder and a number of events.');
const {
  db,
  events: store,
  tenants: known,
  url,
  createMember,
  freshToken,
  asOwner,
  eventsConnection,
} = await startComposedStand(dataDir);
const people: { tenant: string; userId: string }[] = [];
for (let n = 0; n < TENANTS; n++) people.push(await createMember('Admin'));
const tenants = people.map(({ tenant }) => tenant);
await insertBenchCases(db, tenants, CASES / TENANTS);
await db.system((tx) => sqlClient(tx).query(insertVolume, [tenants, Math.floor(Number(events) / TENANTS), DAYS]));
const { user: username, password } = eventsConnection;
const direct = createClient({
  ...{ url: eventsConnection.url, username, password, database: 'airdeck', request_timeout: 600_000 },
});
await fillBenchEvents(direct, { count: Number(events), end: Date.now(), tenants, days: DAYS });
await direct.close();
await asOwner('vacuum analyze');
/** What an executive report is made of, without its layout, which is nobody's wait. */
const factsOf = createFactsReader({
  db,
  now: () => new Date(),
  tenants: known,
  settings: tenantSettings,
  activity: createActivityReportModule({ db, now: () => new Date(), actionLabel: async (name) => name, keptDays: 400 })
    .read,
  volume: createLogReportModule({ db, now: () => new Date(), events: store }).volume,
  productName: 'AIRdeck',
});
const month = monthOf(new Date(), 'UTC');
const factsMs: number[] = [];
for (const tenant of [...tenants, ...tenants]) {
  const began = performance.now();
  const facts = await factsOf(trustedTenantScope(tenant), {
    ...{ month, locale: 'en-US', timeZone: 'UTC', end: new Date() },
    start: rangeOfMonth(month, 'UTC').start,
  });
  if (facts.volume.events === 0) throw new Error('The report of a month tells of no event.');
  factsMs.push(performance.now() - began);
}
const members: ReportStand['members'] = [];
for (const { tenant, userId } of people) members.push({ tenant, token: await freshToken(userId) });
console.log(JSON.stringify({ members, events: Number(events), days: DAYS, url, factsMs } satisfies ReportStand));
