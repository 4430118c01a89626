import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createEgress } from '@airdeck/connector-kit/egress';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import type { Logger } from 'pino';
import { type App, type AppOptions, buildApp } from './app.ts';
import { composeWork } from './compose-work.ts';
import type { Config } from './config/config.ts';
import { loopbackServices } from './config/loopback-services.ts';
import type { DiskSpace } from './events-process/disk-space.ts';
import { createAuthorization } from './http/authorization.ts';
import type { Handlers } from './http/handlers.ts';
import type { OwnOrigin } from './http/own-origin.ts';
import { createRefusalLog } from './http/refusal-log.ts';
import { createAuditModule } from './modules/audit/audit-module.ts';
import { createSecurityRecord } from './modules/audit/security-record.ts';
import { createClerkModule, withoutClerk } from './modules/clerk/clerk-module.ts';
import { createConfirmations } from './modules/confirmations/confirmations-module.ts';
import { createContactsModule } from './modules/contacts/contacts-module.ts';
import { createContractModule } from './modules/contract/contract-module.ts';
import { createCustomersModule } from './modules/customers/customers-module.ts';
import { createFolderFiles } from './modules/files/folder-files.ts';
import { createIdentityModule } from './modules/identity/identity-module.ts';
import { openIdentityPool } from './modules/identity/identity-pool.ts';
import { LOCAL_ISSUER } from './modules/identity/sign-in-provider.ts';
import { endSessionsOfConnection } from './modules/identity/sso-sessions.ts';
import { createMailDelivery } from './modules/invitations/invitation-mail.ts';
import { createInvitationsModule } from './modules/invitations/invitations-module.ts';
import { createSetUp } from './modules/invitations/set-up.ts';
import { createMailModule } from './modules/mail/mail-module.ts';
import { createMarketplaceModule } from './modules/marketplace/marketplace-module.ts';
import { createMeModule } from './modules/me/me-module.ts';
import { createNotificationsModule } from './modules/notifications/notifications-module.ts';
import { silentNotices } from './modules/notifications/notifications-port.ts';
import { createOnboardingModule } from './modules/onboarding/onboarding-module.ts';
import { outgoingAddresses } from './modules/onboarding/outgoing-addresses.ts';
import { createOverviewModule } from './modules/overview/overview-module.ts';
import { createSettingsModule, tenantSettings } from './modules/settings/settings-module.ts';
import { createSsoModule } from './modules/sso/sso-module.ts';
import { createStreamModule } from './modules/stream/stream-module.ts';
import { createSystemModule, type DemoSignIn } from './modules/system/system-module.ts';
import { createAccessCache } from './modules/tenants/access-cache.ts';
import { tenantChanges } from './modules/tenants/tenant-changes.ts';
import { ACCESS_CHANNEL } from './modules/tenants/tenants-migrations.ts';
import { createTenantsModule } from './modules/tenants/tenants-module.ts';
import { createUsersModule, noteSignIn } from './modules/users/users-module.ts';
import type { Database } from './storage/database.ts';
import type { EventsStore } from './storage/events-store.ts';
import { trustedTenantScope } from './tenant-scope.ts';

export type Stores = {
  db: Database;
  databaseUrl: string;
  events: EventsStore;
  /** The disk of what is embedded. */
  disk?: DiskSpace | undefined;
};

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

  const sandboxes = surroundings.sandbox ? [surroundings.sandbox] : [];
  const egress = createEgress({ allowLoopback: [...sandboxes, ...loopbackServices(config)], now });
  const { audit, handlers: auditHandlers } = createAuditModule(common);
  const stream = createStreamModule(common);
  const tenants = createTenantsModule({ ...common, audit, settings: tenantSettings });
  const mailing = createMailModule({
    ...common,
    own,
    server: config.mailServer,
    sends: config.role === 'all' || config.role === 'worker',
    showsOutbox: config.stage === 'local' && config.mockData,
    warnsWithoutServer: config.stage !== 'local',
  });
  const { mail } = mailing;
  const notifications = createNotificationsModule({
    ...common,
    ...{ audit, egress, mail, changes: stream.changes, secret: surroundings.identitySecret },
    productName: config.dashboard.product_name,
    ownAddress: () => (publicUrl ?? listeningAt()).replace(/\/$/, ''),
  });
  const files = createFolderFiles(join(config.dataDir, 'files'));
  const contract = createContractModule({
    ...common,
    ...{ audit, files, tenants: tenants.service, secret: surroundings.identitySecret },
  });
  const redirectUri = () => `${(publicUrl ?? listeningAt()).replace(/\/$/, '')}/auth/external/callback`;
  const sso = createSsoModule({
    ...common,
    ...{ audit, egress, redirectUri, keys: surroundings.keys },
    installation: config.signIn,
    endSessions: endSessionsOfConnection,
  });
  const clerk =
    config.clerk &&
    createClerkModule({
      ...common,
      ...config.clerk,
      ...{ egress, tenants: tenants.service, ownAddress: () => publicUrl ?? listeningAt() },
      runsJobs: config.role === 'all' || config.role === 'worker',
    });
  const identityPool = openIdentityPool({ url: stores.databaseUrl, log });
  const identity = createIdentityModule({
    ...common,
    pool: identityPool,
    secret: surroundings.identitySecret,
    secure: publicUrl?.startsWith('https:') === true,
    productName: config.dashboard.product_name,
    mail,
    ownAddress: () => publicUrl ?? listeningAt(),
    record: createSecurityRecord({
      ...{ db, audit },
      findUser: tenants.service.findUser,
      notices: notifications.accountNotices,
      onSignIn: (tx, userId) => noteSignIn(tx, userId, now()),
    }),
    ...{ audit, redirectUri, tenants: tenants.service, settings: tenantSettings },
    ...{ connections: sso.connections, oidcClient: sso.client, issuers: clerk === undefined ? [] : [clerk.issuer] },
    tickets: {
      find: (ticket, requestId) => invitations.invitations.find(ticket, requestId),
      lock: (tx, ticket) => invitations.service.lockTicket(tx, ticket),
    },
    purchases: config.azureMarketplace && { isGenuine: (token) => marketplace.isGenuine(token) },
  });
  /** What the provider of an identity knows of it. */
  const findSignIn = async ({ issuer, subject }: { issuer: string; subject: string }) =>
    issuer === LOCAL_ISSUER ? await identity.users.findProfile(subject) : await clerk?.findSignIn({ issuer, subject });
  const me = createMeModule({
    ...common,
    tenants: tenants.service,
    audit,
    findSignIn,
    removeSignIn: async (tx, user) => {
      await identity.users.remove(tx, user);
      await clerk?.removeSignIn(tx, user);
    },
    cases: { unassign: (tx, leaving) => work.casePeople.unassign(tx, leaving) },
  });
  let isDraining = () => false;
  const system = createSystemModule({
    ...common,
    dashboard: config.dashboard,
    own,
    checks: [
      { name: 'database', check: () => db.ready() },
      { name: 'events', check: () => events.ping() },
      { name: 'disk', check: async () => refuseShortDisk(stores.disk) },
    ],
    isDraining: () => isDraining(),
    demoAccounts: surroundings.demoAccounts,
  });

  const working = {
    ...common,
    events,
    disk: stores.disk,
    audit,
    changes: stream.changes,
    notices: notifications.notices,
    purges: [contract.sweep, notifications.purge, ...(clerk === undefined ? [] : [clerk.purge])],
    tenants: tenants.service,
    settings: tenantSettings,
    keys: surroundings.keys,
    egress,
    exclusiveWorker: surroundings.exclusiveWorker,
    runsJobs: config.role === 'all' || config.role === 'worker',
    answersCases: true,
    doors: () => ({ http: publicUrl ?? listeningAt(), syslogTcp: surroundings.syslogAddress() }),
  };
  const work = composeWork(working);
  const settings = createSettingsModule({
    ...common,
    audit,
    tenants: tenantChanges,
    automation: {
      hold: (tx, tenantId) => work.engine.hold(work.enginePool.client(tx), tenantId),
      release: async (tx, tenantId) => {
        await marketplace.requirePaid(tx, tenantId);
        await work.engine.release(work.enginePool.client(tx), tenantId);
      },
    },
  });
  const naming = { productName: config.dashboard.product_name, ownAddress: () => publicUrl ?? listeningAt() };
  const refusals = createRefusalLog({ db, audit, now });
  const invitations = createInvitationsModule({
    ...common,
    ...{ audit, refusals, tenants: tenants.service },
    deliver: clerk?.deliver ?? createMailDelivery({ mail, ...naming }),
    findProfile: findSignIn,
    findHosted: clerk?.findInvitation,
  });
  const users = createUsersModule({
    ...{ db, audit, tenants: tenants.service, apiKeys: me.apiKeys, identity: identity.users },
    invitations: invitations.service,
    cases: work.casePeople,
  });
  const customers = createCustomersModule({
    ...{ db, audit, refusals, tenantChanges, tenants: tenants.service, apiKeys: me.apiKeys },
    invitations: invitations.invitations,
  });
  const marketplace = createMarketplaceModule({
    ...common,
    ...{ audit, egress, refusals, tenantChanges, contract: contract.service, settings: tenantSettings },
    config: config.azureMarketplace,
    tenants: tenants.service,
    setAutomation: async (tx, tenantId, enabled, by) => {
      await settings.service.update(tx, trustedTenantScope(tenantId), { automation: { enabled } }, by);
    },
    findProfile: findSignIn,
  });
  const handlers: Handlers = {
    ...marketplace.handlers,
    ...(clerk?.handlersWith(me.apiKeys) ?? withoutClerk),
    ...customers.handlers,
    ...createOverviewModule(common).handlers,
    ...invitations.handlers,
    ...users.handlers,
    ...system.handlers,
    ...mailing.handlers,
    ...stream.handlers,
    ...tenants.handlers,
    ...me.handlers,
    ...work.handlers,
    ...createContactsModule({ ...common, audit }).handlers,
    ...contract.handlers,
    ...notifications.handlers,
    ...createOnboardingModule({
      ...common,
      ...{ audit, egress, changes: stream.changes },
      addresses: () => outgoingAddresses(config.egressAddresses, networkInterfaces),
    }).handlers,
    ...settings.handlers,
    ...sso.handlers,
    ...auditHandlers,
  };
  const access = createAccessCache({ db, now, tenants: tenants.service, apiKeys: me.apiKeys });
  const verifier = clerk?.verifierWith(identity.verifier) ?? identity.verifier;
  const authorization = createAuthorization({ verifier, access, refusals });
  const app: App = await buildApp(
    {
      handlers,
      authorization,
      confirmations: createConfirmations({ ...common, refusals }),
      authCalls: clerk === undefined ? identity.authCalls : undefined,
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
      const { ingestion, cases } = composeWork({ ...working, now: clock, answersCases: false, notices: silentNotices });
      return { http: ingestion.http, cases };
    },
    listeningAt,
    listeningPort,
    audit,
    mail,
    files,
    contract,
    changes: stream.changes,
    hub: stream.hub,
    tenants: tenants.service,
    apiKeys: me.apiKeys,
    invitations: invitations.invitations,
    clerk,
    openSetUp: createSetUp({ ...common, ...naming, audit, tenants: tenants.service }),
    identity,
    /** Starts what works in the background; the app may listen afterwards. */
    async start() {
      // Before those who ask again who may stay: they must not hear it from what was kept.
      await access.start();
      await stream.start();
      await identity.start(() => void stream.hub.recheckAll());
      await mailing.start();
      await clerk?.start();
      unlistenAccess = await db.listen(
        ACCESS_CHANNEL,
        (userId) => void stream.hub.recheckUser(userId),
        () => void stream.hub.recheckAll(),
      );
      await work.start();
      if (working.runsJobs) await notifications.start();
    },
    /** Takes no more requests, lets those in flight end, then lets go of everything but the stores. */
    async stop() {
      await stream.stop();
      await app.drain();
      await app.server.close();
      await work.stop();
      await notifications.stop();
      await unlistenAccess?.();
      await access.stop();
      await identity.stop();
      await mailing.stop();
      await clerk?.stop();
      await identityPool.end();
      await egress.close();
    },
  };
}

function refuseShortDisk(disk: DiskSpace | undefined): void {
  if (disk?.isShort() === true) throw new Error(`only ${Math.floor(disk.free() / 1_048_576)} MiB are free`);
}
