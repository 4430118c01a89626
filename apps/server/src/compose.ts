import type { AddressInfo } from 'node:net';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import type { Logger } from 'pino';
import { type App, type AppOptions, buildApp } from './app.ts';
import { composeWork } from './compose-work.ts';
import type { Config } from './config/config.ts';
import { createAuthorization } from './http/authorization.ts';
import type { Handlers } from './http/handlers.ts';
import type { OwnOrigin } from './http/own-origin.ts';
import { createRefusalLog } from './http/refusal-log.ts';
import { createAuditModule } from './modules/audit/audit-module.ts';
import { createSignInRecord } from './modules/audit/sign-in-record.ts';
import { createIdentityModule } from './modules/identity/identity-module.ts';
import { openIdentityPool } from './modules/identity/identity-pool.ts';
import { createMeModule } from './modules/me/me-module.ts';
import { createStreamModule } from './modules/stream/stream-module.ts';
import { createSystemModule, type DemoSignIn } from './modules/system/system-module.ts';
import { ACCESS_CHANNEL } from './modules/tenants/tenants-migrations.ts';
import { createTenantsModule } from './modules/tenants/tenants-module.ts';
import type { Database } from './storage/database.ts';
import type { EventsStore } from './storage/events-store.ts';

export type Stores = { db: Database; databaseUrl: string; events: EventsStore };

/** What differs between a running server and a test of one. */
export type Surroundings = {
  log: Logger;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  dashboardFolder: string;
  identitySecret: string;
  authLimits: AppOptions['authLimits'];
  demoAccounts: () => Promise<readonly DemoSignIn[]>;
  /** Keys that open the tenants' data keys. */
  keys: KeyProvider;
  sandbox: { host: string; port: number } | undefined;
  exclusiveWorker: string | undefined;
  /** Where the syslog door is from outside; known once it is open. */
  syslogAddress: () => string | undefined;
};

export type Composition = Awaited<ReturnType<typeof compose>>;

/** The only wiring of the server: modules in the order of their dependencies. */
export async function compose(config: Config, stores: Stores, surroundings: Surroundings) {
  const { db, events } = stores;
  const { log, ids, now, randomBytes } = surroundings;
  const common = { db, ids, now, randomBytes, log };
  const { publicUrl, host } = config.http;
  const own: OwnOrigin = { publicUrl, listensOnLoopback: ['127.0.0.1', '::1', 'localhost'].includes(host) };

  const { audit } = createAuditModule({ now });
  const stream = createStreamModule(common);
  const tenants = createTenantsModule({ ...common, audit });
  const identityPool = openIdentityPool({ url: stores.databaseUrl, log });
  const identity = createIdentityModule({
    ...common,
    pool: identityPool,
    secret: surroundings.identitySecret,
    secure: publicUrl?.startsWith('https:') === true,
    productName: config.dashboard.product_name,
    record: createSignInRecord({ db, audit, findUser: tenants.service.findUser }),
  });
  const me = createMeModule({
    ...common,
    tenants: tenants.service,
    audit,
    hasMfa: ({ subject }) => identity.users.hasMfa(subject),
  });
  let isDraining = () => false;
  const system = createSystemModule({
    ...common,
    dashboard: config.dashboard,
    own,
    checks: [
      { name: 'database', check: () => db.ready() },
      { name: 'events', check: () => events.ping() },
    ],
    isDraining: () => isDraining(),
    demoAccounts: surroundings.demoAccounts,
  });

  const working = {
    ...common,
    events,
    audit,
    changes: stream.changes,
    tenants: tenants.service,
    keys: surroundings.keys,
    sandbox: surroundings.sandbox,
    exclusiveWorker: surroundings.exclusiveWorker,
    runsJobs: config.role === 'all' || config.role === 'worker',
    answersCases: true,
    doors: () => ({ http: publicUrl ?? listeningAt(), syslogTcp: surroundings.syslogAddress() }),
  };
  const work = composeWork(working);
  const handlers: Handlers = {
    ...system.handlers,
    ...stream.handlers,
    ...tenants.handlers,
    ...me.handlers,
    ...work.handlers,
  };
  const authorization = createAuthorization({
    db,
    verifier: identity.verifier,
    tenants: tenants.service,
    apiKeys: me.apiKeys,
    refusals: createRefusalLog({ db, audit, now }),
  });
  const app: App = await buildApp(
    {
      handlers,
      authorization,
      authCalls: identity.authCalls,
      onDrainReady: (draining) => {
        isDraining = draining;
      },
    },
    {
      dashboard: config.dashboard,
      dashboardFolder: surroundings.dashboardFolder,
      own,
      trustedProxies: config.http.trustedProxies,
      authLimits: surroundings.authLimits,
      ids,
      log,
    },
  );
  function listeningPort(): number {
    const address: AddressInfo | string | null = app.server.server.address();
    return address === null || typeof address === 'string' ? config.http.port : address.port;
  }
  function listeningAt(): string {
    return `http://${host === '127.0.0.1' ? 'localhost' : host}:${listeningPort()}`;
  }
  let unlistenAccess: (() => Promise<void>) | undefined;

  return {
    app,
    work,
    /** The working half on another clock, for writing the past of a demo; never started. */
    pastServer: (clock: () => Date) => {
      const { ingestion, cases } = composeWork({ ...working, now: clock, answersCases: false });
      return { http: ingestion.http, cases };
    },
    listeningAt,
    listeningPort,
    audit,
    changes: stream.changes,
    hub: stream.hub,
    tenants: tenants.service,
    apiKeys: me.apiKeys,
    identity,
    /** Starts what works in the background; the app may listen afterwards. */
    async start() {
      await stream.start();
      await identity.start(() => void stream.hub.recheckAll());
      unlistenAccess = await db.listen(
        ACCESS_CHANNEL,
        (userId) => void stream.hub.recheckUser(userId),
        () => void stream.hub.recheckAll(),
      );
      await work.start();
    },
    /** Takes no more requests, lets those in flight end, then lets go of everything but the stores. */
    async stop() {
      await stream.stop();
      await app.drain();
      await app.server.close();
      await work.stop();
      await unlistenAccess?.();
      await identity.stop();
      await identityPool.end();
    },
  };
}
