/** The whole server on stores of its own, for benches that ask over HTTP. What each of them needs in it, it seeds itself. */
import { randomBytes } from 'node:crypto';
import type { Role } from '@airdeck/contracts/access/roles';
import pg from 'pg';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { compose } from '../src/compose.ts';
import { readConfig } from '../src/config/config.ts';
import { createEventThread } from '../src/entry/event-thread.ts';
import { leaveRoomInHeaps } from '../src/entry/heap-room.ts';
import type { CallLimits } from '../src/http/call-limits.ts';
import { wideCallLimits } from '../src/http/wide-call-limits-fixture.ts';
import { LOCAL_ISSUER } from '../src/modules/identity/sign-in-provider.ts';
import { newTotpSecret } from '../src/modules/identity/totp.ts';
import { openDatabase } from '../src/storage/database.ts';
import { startEmbeddedEvents } from '../src/storage/embedded-events.ts';
import { startEmbeddedPostgres } from '../src/storage/embedded-postgres.ts';
import { createEventsStore } from '../src/storage/events-store.ts';
import { migrationList } from '../src/storage/migration-list.ts';
import { migrate } from '../src/storage/migrations.ts';
import { noTracing } from '../src/tracing/tracing.ts';
import { createIds } from '../src/unique-ids.ts';

const quiet = () => undefined;
const log = { debug: quiet, info: quiet, warn: console.error, error: console.error };
const by = { actor: { kind: 'system', id: null, name: 'Bench' }, requestId: null } as const;
const plan = {
  sku_name: 'Enterprise',
  is_mdr_enabled: true,
  is_search_enabled: true,
  retention_length_days: 90,
  search_length_days: 30,
};

export type ComposedStand = Awaited<ReturnType<typeof startComposedStand>>;

type Options = {
  /** The only service on this machine that connectors may call. */
  vendor?: { host: string; port: number };
  /** Wide when left out: what is measured is the pace itself. */
  callLimits?: CallLimits;
};

/** Ends on SIGTERM. */
export async function startComposedStand(dataDir: string, { vendor, callLimits = wideCallLimits }: Options = {}) {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  const embedded = await startEmbeddedEvents({ dataDir, log });
  await migrate({ url: postgres.url, migrations: migrationList, log });
  const db = openDatabase({ url: postgres.url, log });
  const events = createEventsStore({ ...embedded, log });
  await events.prepare();
  const { url, user, password } = embedded;
  const store = { url, user, password };
  const config = readConfig(
    {
      ...{ LOG_LEVEL: 'warn', AIRDECK_DATA_DIR: dataDir, TARGET_STAGE: 'dev', PORT: '0' },
      // What is measured is the pace itself.
      AUTOMATION_ANSWERS_MAX: '9999999',
    },
    '0.0.0',
  );
  const key = { id: 'bench', key: new Uint8Array(randomBytes(32)) };
  const composition = await compose(
    config,
    { db, databaseUrl: postgres.url, events, openEventWork: createEventThread({ store, log }) },
    {
      log: pino({ level: 'warn' }, process.stderr),
      tracing: noTracing,
      ids: createIds(randomBytes),
      now: () => new Date(),
      randomBytes,
      dashboardFolder: '/nonexistent',
      identitySecret: randomBytes(48).toString('base64url'),
      authLimits: { callsPerMinute: 1000, refreshesPerMinute: 1000 },
      callLimits,
      demoAccounts: async () => [],
      demoConnections: [],
      keys: { current: async () => key, get: async () => key },
      sandbox: vendor,
      exclusiveWorker: 'embedded',
      syslogAddress: () => undefined,
    },
  );
  await composition.start();
  await composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  leaveRoomInHeaps();
  process.once('SIGTERM', async () => {
    await composition.stop();
    await Promise.all([db.close(), events.close()]);
    await embedded.stop();
    await postgres.stop();
  });
  let members = 0;

  return {
    db,
    events,
    tenants: composition.tenants,
    url: composition.listeningAt(),
    eventsConnection: embedded,

    /** One signed-in member, of a new tenant where none is named. */
    async createMember(role: Role, existing?: string): Promise<{ tenant: string; token: string; userId: string }> {
      members += 1;
      const [id, email, fullname] = [v7(), `member${members}@example.com`, `Member ${members}`];
      const password = randomBytes(12).toString('base64url');
      const { subject } = await composition.identity.users.create({
        ...{ externalId: id, email, password, fullname },
        totpSecret: newTotpSecret(randomBytes),
      });
      const tenant = await db.system(async (tx) => {
        const { tenants } = composition;
        const created =
          existing ??
          (await tenants.createTenant(tx, { name: `Tenant ${members}`, managedBy: null, skuInfo: plan }, by));
        const issued = { issuer: LOCAL_ISSUER, subject };
        await tenants.createUser(tx, { id, uname: email, fullname, email, homeTenant: created, identity: issued }, by);
        await tenants.addMembership(tx, { tenant: created, user: id, role }, by);
        return created;
      });
      const { token } = await composition.identity.users.openSession(id);
      return { tenant, token, userId: id };
    },

    /** A token lives for minutes; filling the stores may take longer. */
    async freshToken(userId: string): Promise<string> {
      return (await composition.identity.users.openSession(userId)).token;
    },

    /** As the owner of the database; for statistics as they are after a while of running. */
    async asOwner(statement: string): Promise<void> {
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      await client.query(statement);
      await client.end();
    },
  };
}
