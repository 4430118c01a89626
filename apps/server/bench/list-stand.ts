/**
 * The whole server on stores of its own, in a process of its own, with 100,000 cases of 20 tenants:
 * `tsx list-stand.ts <empty folder>` prints one line of JSON with what `runListBench` needs. Ends on SIGTERM.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config/config.ts';
import { LOCAL_ISSUER } from '../src/modules/identity/sign-in-provider.ts';
import { newTotpSecret } from '../src/modules/identity/totp.ts';
import { openDatabase, sqlClient } from '../src/storage/database.ts';
import { startEmbeddedEvents } from '../src/storage/embedded-events.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded-postgres.ts';
import { createEventsStore } from '../src/storage/events-store.ts';
import { migrationList } from '../src/storage/migration-list.ts';
import { migrate } from '../src/storage/migrations.ts';
import { createIds } from '../src/unique-ids.ts';
import type { ListStand } from './list-bench.ts';

const TENANTS = 20;
const CASES_PER_TENANT = 5000;

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
  lateral (select now() - make_interval(mins => n * 25) as at) as times`;

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) throw new Error('Name an empty folder.');
const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: console.error, error: console.error };

const postgres = await startEmbeddedPostgres({ dataDir, log });
const embedded = await startEmbeddedEvents({ dataDir, log });
await migrate({ url: postgres.url, migrations: migrationList, log });
const db = openDatabase({ url: postgres.url, log });
const events = createEventsStore({ ...embedded, log });
await events.prepare();
const config = readConfig({ LOG_LEVEL: 'warn', AIRDECK_DATA_DIR: dataDir, TARGET_STAGE: 'dev', PORT: '0' }, '0.0.0');
const key = { id: 'bench', key: new Uint8Array(randomBytes(32)) };
const composition = await compose(
  config,
  { db, databaseUrl: postgres.url, events },
  {
    log: pino({ level: 'warn' }, process.stderr),
    ids: createIds(randomBytes),
    now: () => new Date(),
    randomBytes,
    dashboardFolder: '/nonexistent',
    identitySecret: randomBytes(48).toString('base64url'),
    authLimits: { callsPerMinute: 1000 },
    demoAccounts: async () => [],
    demoConnections: [],
    keys: { current: async () => key, get: async () => key },
    sandbox: undefined,
    exclusiveWorker: 'embedded',
    syslogAddress: () => undefined,
  },
);
await composition.start();
const stand = await seed();
await composition.app.server.listen({ host: '127.0.0.1', port: 0 });
process.once('SIGTERM', async () => {
  await composition.stop();
  await Promise.all([db.close(), events.close()]);
  await embedded.stop();
  await postgres.stop();
});
console.log(JSON.stringify({ ...stand, url: composition.listeningAt() } satisfies ListStand));

/** Tenants with one Analyst each, and their cases, spread over the last ninety days. */
async function seed(): Promise<Omit<ListStand, 'url'>> {
  const by = { actor: { kind: 'system', id: null, name: 'Bench' }, requestId: null } as const;
  const { tenants, identity } = composition;
  const members: ListStand['members'][number][] = [];
  for (let n = 0; n < TENANTS; n++) {
    const skuInfo = {
      sku_name: 'Enterprise',
      is_mdr_enabled: true,
      is_search_enabled: true,
      retention_length_days: 90,
      search_length_days: 30,
    };
    const [id, email, fullname] = [v7(), `analyst${n}@example.com`, `Analyst ${n}`];
    const password = randomBytes(12).toString('base64url');
    const { subject } = await identity.users.create({
      ...{ externalId: id, email, password, fullname },
      totpSecret: newTotpSecret(randomBytes),
    });
    const tenant = await db.system(async (tx) => {
      const created = await tenants.createTenant(tx, { name: `Tenant ${n}`, managedBy: null, skuInfo }, by);
      const issued = { issuer: LOCAL_ISSUER, subject };
      await tenants.createUser(tx, { id, uname: email, fullname, email, homeTenant: created, identity: issued }, by);
      await tenants.addMembership(tx, { tenant: created, user: id, role: 'Analyst' }, by);
      return created;
    });
    const { token } = await identity.users.openSession(id);
    members.push({ tenant, token });
  }
  await db.system((tx) => sqlClient(tx).query(insertCases, [members.map(({ tenant }) => tenant), CASES_PER_TENANT]));
  await asOwner('vacuum analyze case_record');
  return { members, cases: TENANTS * CASES_PER_TENANT };
}

/** Statistics as they are after a while of running. */
async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
