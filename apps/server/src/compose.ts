import type { AddressInfo } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { createEgress, type EgressOptions } from '@airdeck/connector-kit/egress';
import type { Resolve } from '@airdeck/connector-kit/egress-destination';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import type { ArchiveFigures } from '@airdeck/contracts/operations/schema';
import type { DemoConnection } from '@airdeck/contracts/system/schema';
import type { JobContext } from '@airdeck/engine/interfaces';
import type { Logger } from 'pino';
import { type App, type AppOptions, buildApp } from './app.ts';
import type { OpenEventWork } from './compose-event-work.ts';
import { composeIdentity } from './compose-identity.ts';
import { composePeople } from './compose-people.ts';
import { composeWork } from './compose-work.ts';
import type { Config } from './config/config.ts';
import { loopbackServices } from './config/loopback-services.ts';
import type { DiskSpace } from './events-process/disk-space.ts';
import { authorizedElsewhere } from './http/authorized-elsewhere.ts';
import type { CallLimits } from './http/call-limits.ts';
import { createCallQuotas } from './http/call-quotas.ts';
import type { AllHandlers } from './http/handlers.ts';
import type { OwnOrigin } from './http/own-origin.ts';
import { createRefusalLog } from './http/refusal-log.ts';
import { createAnswerLinks } from './modules/activity/answer-links.ts';
import { createAuditModule } from './modules/audit/audit-module.ts';
import { createConfirmations } from './modules/confirmations/confirmations-module.ts';
import { createContactsModule } from './modules/contacts/contacts-module.ts';
import { createContractModule } from './modules/contract/contract-module.ts';
import { createFileStores } from './modules/files/file-stores.ts';
import { createMalwareScanner } from './modules/files/malware-scanner.ts';
import type { PasswordCost } from './modules/identity/password-hash.ts';
import { endUnfitSessions } from './modules/identity/sso-sessions.ts';
import { createKeyedAnswers } from './modules/keyed-answers/keyed-answers.ts';
import { createMailModule } from './modules/mail/mail-module.ts';
import { COMPARISON_JOB } from './modules/marketplace/comparison.ts';
import { createMarketplaceModule } from './modules/marketplace/marketplace-module.ts';
import { forgetHomeLayout } from './modules/me/home-layout.ts';
import { forgetNotices } from './modules/notifications/forget-person.ts';
import { createNotificationsModule } from './modules/notifications/notifications-module.ts';
import { silentNotices } from './modules/notifications/notifications-port.ts';
import { createOnboardingModule } from './modules/onboarding/onboarding-module.ts';
import { outgoingAddresses } from './modules/onboarding/outgoing-addresses.ts';
import { OBJECTIVES_JOB } from './modules/operations/objectives-job.ts';
import { createOperationsModule } from './modules/operations/operations-module.ts';
import { createOverviewModule } from './modules/overview/overview-module.ts';
import { ourAddresses } from './modules/own-networks/our-addresses.ts';
import { createOwnNetworksModule } from './modules/own-networks/own-networks-module.ts';
import { openRestoreFence } from './modules/restore-fence/restore-fence.ts';
import { forgetSavedSearches } from './modules/search/forget-person.ts';
import { createSettingsModule, tenantSettings } from './modules/settings/settings-module.ts';
import { createTxtResolver, type ResolveTxt } from './modules/sso/domain-records.ts';
import { DOMAIN_REVIEW_JOB } from './modules/sso/sso-module.ts';
import { createStreamModule } from './modules/stream/stream-module.ts';
import { createReadiness } from './modules/system/readiness.ts';
import { createSystemModule, type DemoSignIn } from './modules/system/system-module.ts';
import { createTelemetryModule } from './modules/telemetry/telemetry-module.ts';
import { tenantChanges } from './modules/tenants/tenant-changes.ts';
import { ACCESS_CHANNEL } from './modules/tenants/tenants-migrations.ts';
import { createTenantsModule } from './modules/tenants/tenants-module.ts';
import { forgetSignIn } from './modules/users/users-module.ts';
import type { Database } from './storage/database.ts';
import type { EventsStore } from './storage/events-store.ts';
import { trustedTenantScope } from './tenant-scope.ts';
import { traceEgress } from './tracing/traced-egress.ts';
import { noTracer } from './tracing/tracer.ts';
import type { Tracing } from './tracing/tracing.ts';

export type Stores = {
  db: Database;
  databaseUrl: string;
  events: EventsStore;
  /** Where the work on events themselves is done. */
  openEventWork: OpenEventWork;
  /** The disk of what is embedded. */
  disk?: DiskSpace | undefined;
  /** Of what is embedded, where one is kept. */
  archive?: { figures(): ArchiveFigures } | undefined;
};

/** What differs between a running server and a test of one. */
export type Surroundings = {
  log: Logger;
  tracing: Tracing;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  dashboardFolder: string;
  identitySecret: string;
  /** What a hash of a password costs; that of the product when left out. */
  passwordCost?: PasswordCost;
  authLimits: AppOptions['authLimits'];
  callLimits: CallLimits;
  demoAccounts: () => Promise<readonly DemoSignIn[]>;
  demoConnections: readonly DemoConnection[];
  /** Keys that open the tenants' data keys. */
  keys: KeyProvider;
  sandbox: { host: string; port: number } | undefined;
  exclusiveWorker: string | undefined;
  /** Where the syslog door is from outside; known once it is open. */
  syslogAddress: () => string | undefined;
  /** When the certificate of that door ends; known once it is read. */
  syslogCertificateEnds?: () => Date | undefined;
  /** Name servers; those of this machine when left out. */
  resolveTxt?: ResolveTxt | undefined;
  resolveHost?: Resolve | undefined;
};

export type Composition = Awaited<ReturnType<typeof compose>>;

/** The only wiring of the server: modules in the order of their dependencies. */
export async function compose(config: Config, stores: Stores, surroundings: Surroundings) {
  const { db, events } = stores;
  const { log, ids, now, randomBytes } = surroundings;
  const { tracer } = surroundings.tracing;
  const common = { db, ids, now, randomBytes, log };
  const { publicUrl, host } = config.http;
  const ownAddress = () => publicUrl ?? listeningAt();
  const own: OwnOrigin = { publicUrl, listensOnLoopback: ['127.0.0.1', '::1', 'localhost'].includes(host) };

  const fence = await openRestoreFence({ db, log });
  const sandboxes = surroundings.sandbox ? [surroundings.sandbox] : [];
  const openEgress = (options: EgressOptions) => traceEgress(createEgress(options), tracer);
  const egress = openEgress({
    allowLoopback: sandboxes,
    ownNetworks: (tenant) => ownNetworks.networksOf(tenant),
    ...(surroundings.resolveHost === undefined ? {} : { resolve: surroundings.resolveHost }),
    isOurs: ourAddresses(config, { interfaces: networkInterfaces, now }),
    now,
  });
  /** For everything but signing in, which people may do at any time. */
  const fencedEgress = fence.guard(egress);
  const loopback = loopbackServices(config);
  /** For calls to what the configuration names, which may be on this machine. */
  const ownEgress = {
    signIn: openEgress({ allowLoopback: loopback.signIn, now }),
    marketplace: openEgress({ allowLoopback: loopback.marketplace, now }),
    clerk: openEgress({ allowLoopback: loopback.clerk, now }),
  };
  const { audit, handlers: auditHandlers } = createAuditModule(common);
  const stream = createStreamModule(common);
  const tenants = createTenantsModule({
    ...common,
    ...{ audit, settings: tenantSettings, fence },
    subscriptionOf: (tx, tenant) => marketplace.stateOf(tx, tenant),
    // Those who keep keys, cases and questions ask this module who is a member.
    apiKeys: { revokeAll: (tx, keys, by) => people.apiKeys.revokeAll(tx, keys, by) },
    cases: { unassign: (tx, username, from) => work.casePeople.unassign(tx, username, from) },
    approverLeft: (tx, username, from) => work.approverLeft(tx, username, from),
    forget: [forgetNotices, forgetSignIn, forgetHomeLayout, forgetSavedSearches],
  });
  const mailing = createMailModule({
    ...common,
    own,
    server: config.mailServer,
    sends: config.role === 'all' || config.role === 'worker',
    showsOutbox: config.stage === 'local' && config.mockData,
    warnsWithoutServer: config.stage !== 'local',
  });
  const { mail } = mailing;
  const keyedAnswers = createKeyedAnswers({ ...common, secret: surroundings.identitySecret });
  const answerLinks = createAnswerLinks({ keys: surroundings.keys, now });
  const notifications = createNotificationsModule({
    ...common,
    ...{ audit, egress: fencedEgress, mail, answerLinks, changes: stream.changes, secret: surroundings.identitySecret },
    ...{ keyedAnswers, keys: surroundings.keys },
    productName: config.dashboard.product_name,
    ownAddress: () => ownAddress().replace(/\/$/, ''),
  });
  const filesOf = createFileStores(config);
  const files = filesOf('files');
  const scanner = config.malwareScanner && createMalwareScanner(config.malwareScanner, log);
  const contract = createContractModule({
    ...common,
    ...{ audit, files, scanner, keyedAnswers, tenants: tenants.service, secret: surroundings.identitySecret },
  });
  const identity = composeIdentity({
    ...common,
    ...{ config, audit, egress, ownEgress, mail, ownAddress, keyedAnswers, tenants: tenants.service },
    resolveTxt: surroundings.resolveTxt ?? createTxtResolver(config.dnsServers),
    databaseUrl: stores.databaseUrl,
    secret: surroundings.identitySecret,
    passwordCost: surroundings.passwordCost,
    keys: surroundings.keys,
    accountNotices: notifications.accountNotices,
    notices: notifications.notices,
    tickets: {
      find: (ticket, requestId) => people.invitations.invitations.find(ticket, requestId),
      lock: (tx, ticket) => people.invitations.service.lockTicket(tx, ticket),
      findPending: (tx, of) => people.invitations.service.findPending(tx, of),
      revoke: (tx, id, by) => people.invitations.service.revoke(tx, id, by),
    },
    purchases: config.azureMarketplace && { isGenuine: (token) => marketplace.isGenuine(token) },
  });
  const { clerk, findSignIn } = identity;
  let isDraining = () => false;
  const system = createSystemModule({
    ...common,
    dashboard: config.dashboard,
    own,
    readiness: createReadiness({
      role: config.role,
      checks: {
        database: () => db.ready(),
        events: () => events.ping(),
        disk: async () => refuseShortDisk(stores.disk),
      },
      nowMs: () => performance.now(),
      log,
    }),
    isDraining: () => isDraining(),
    demoAccounts: surroundings.demoAccounts,
    lastCodeSteps: identity.local.users.lastCodeSteps,
    demoConnections: surroundings.demoConnections,
  });

  const isOwnSink = config.dashboard.analytics_host.startsWith('/');
  const telemetry = createTelemetryModule({ db, now, isOwnSink });
  const refusals = createRefusalLog({ db, audit, now, log });
  const quotas = createCallQuotas({ limits: surroundings.callLimits, nowMs: () => performance.now(), log });
  const operations = createOperationsModule({
    ...{ db, events, now, log, notices: notifications.notices, handOut: notifications.handOut },
    identity: {
      ...{ id: ids(), role: config.role, host: hostname(), startedAt: now() },
      ...{ release: config.dashboard.release, node: process.version },
    },
    ingestion: () => work.ingestion.stats(),
    working: () => work.engine.stats().running,
    jobKinds: () => work.engine.jobKinds,
    spans: surroundings.tracing.counts,
    archive: stores.archive?.figures,
    disk: stores.disk && {
      free: stores.disk.free,
      mergesStopped: config.stores.eventsUrl === undefined ? stores.disk.mergesStopped : undefined,
    },
    certificateEnds: surroundings.syslogCertificateEnds ?? (() => undefined),
    refusedCalls: quotas.counts,
    circuits: () => work.circuits(),
    runsJobs: config.role === 'all' || config.role === 'worker',
  });
  const working = {
    ...common,
    tracer,
    events,
    openEventWork: stores.openEventWork,
    disk: stores.disk,
    audit,
    refusals,
    isOverPace: quotas.isOverPace,
    changes: stream.changes,
    feed: stream.feed,
    notices: notifications.notices,
    answerLinks,
    jobs: [
      { ...DOMAIN_REVIEW_JOB, handler: { run: identity.sso.reviewDomains } },
      { ...OBJECTIVES_JOB, handler: operations.objectivesJob },
      { ...COMPARISON_JOB, handler: { run: (context: JobContext) => marketplace.compare(context) } },
    ],
    purges: {
      contractFiles: contract.sweep,
      keyedAnswers: keyedAnswers.purge,
      notifications: notifications.purge,
      signOnKeys: identity.sso.renewKeys,
      telemetry: telemetry.purge,
      operations: operations.purge,
      ...(clerk === undefined ? {} : { clerk: clerk.purge }),
    },
    ...{ keyedAnswers, tenants: tenants.service },
    settings: tenantSettings,
    keys: surroundings.keys,
    egress: fencedEgress,
    ...{ behindFence: fence.behind, isFenced: fence.isUp },
    exclusiveWorker: surroundings.exclusiveWorker,
    isOnlyWriter: surroundings.exclusiveWorker !== undefined && config.stores.eventsUrl === undefined,
    takesEvents: config.role === 'all' || config.role === 'ingest',
    runsJobs: config.role === 'all' || config.role === 'worker',
    answersCases: true,
    doors: () => ({ http: ownAddress(), syslogTcp: surroundings.syslogAddress() }),
    syslogSenders: config.syslogSenders,
    syslogPorts: config.syslogPorts,
    runLimits: config.runLimits,
    eventsPerSecondMax: config.eventsPerSecondMax,
    reportFiles: filesOf('reports'),
    executiveReportFiles: filesOf('executive-reports'),
    mail,
    productName: config.dashboard.product_name,
    ownAddress: () => ownAddress().replace(/\/$/, ''),
    secret: surroundings.identitySecret,
    authorizeElsewhere: authorizedElsewhere(() => people.authorization),
  };
  const work = composeWork(working);
  const settings = createSettingsModule({
    ...common,
    ...{ audit, endUnfitSessions, tenants: tenantChanges, sso: tenantSettings },
    automation: {
      hold: (tx, tenantId) => work.engine.hold(work.enginePool.client(tx), tenantId),
      release: async (tx, tenantId) => {
        await marketplace.requirePaid(tx, tenantId);
        await work.engine.release(work.enginePool.client(tx), tenantId);
      },
    },
  });
  const ownNetworks = createOwnNetworksModule({ ...common, audit, refusals, permitted: config.tenantNetworks });
  /** Whoever becomes a tenant begins with what is shipped. */
  const startingTenants: typeof tenants.service = {
    ...tenants.service,
    createTenant: async (tx, tenant, by) => {
      const id = await tenants.service.createTenant(tx, tenant, by);
      await work.policies.addShipped(tx, trustedTenantScope(id), by);
      return id;
    },
  };
  const people = composePeople({
    ...common,
    ...{ audit, refusals, quotas, mail, identity, ownAddress, tenants: startingTenants, casePeople: work.casePeople },
    keyedAnswers,
    eventUsage: work.eventUsage,
    productName: config.dashboard.product_name,
    secret: surroundings.identitySecret,
  });
  const marketplace = createMarketplaceModule({
    ...common,
    ...{
      audit,
      egress: ownEgress.marketplace,
      refusals,
      tenantChanges,
      contract: contract.service,
      settings: tenantSettings,
    },
    config: config.azureMarketplace,
    tenants: startingTenants,
    setAutomation: async (tx, tenantId, enabled, by) => {
      await settings.service.update(tx, trustedTenantScope(tenantId), { automation: { enabled } }, by);
    },
    findProfile: findSignIn,
    onSignIn: identity.onSignIn,
  });
  const handlers: AllHandlers = {
    ...marketplace.handlers,
    ...people.handlers,
    ...createOverviewModule(common).handlers,
    ...system.handlers,
    ...mailing.handlers,
    ...stream.handlers,
    ...tenants.handlers,
    ...work.handlers,
    ...createContactsModule({ ...common, audit }).handlers,
    ...contract.handlers,
    ...notifications.handlers,
    ...createOnboardingModule({
      ...common,
      ...{ audit, egress: fencedEgress, changes: stream.changes },
      addresses: () => outgoingAddresses(config.egressAddresses, networkInterfaces),
    }).handlers,
    ...settings.handlers,
    ...ownNetworks.handlers,
    ...telemetry.handlers,
    ...operations.handlers,
    ...identity.sso.handlers,
    ...auditHandlers,
  };
  const app: App = await buildApp(
    {
      handlers: fence.refuseActing(handlers),
      authorization: people.authorization,
      confirmations: createConfirmations({ ...common, refusals }),
      quotas,
      refusals,
      authCalls: identity.authCalls,
      onDrainReady: (draining) => {
        isDraining = draining;
      },
    },
    {
      role: config.role,
      dashboard: config.dashboard,
      dashboardFolder: surroundings.dashboardFolder,
      own,
      trustedProxies: config.http.trustedProxies,
      authLimits: surroundings.authLimits,
      ids,
      log,
      tracer,
      onAnswer: operations.onAnswer,
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
    egress,
    /** The working half on another clock, for writing the past of a demo; never started. */
    pastServer: (clock: () => Date) => {
      const { ingestion, cases } = composeWork({
        ...working,
        now: clock,
        // The policies are the same, and what stops it is the end of the living server.
        openEventWork: () => work.eventWork,
        eventsPerSecondMax: undefined,
        answersCases: false,
        notices: silentNotices,
        tracer: noTracer,
      });
      return { http: ingestion.http, cases };
    },
    listeningAt,
    listeningPort,
    audit,
    refusals,
    mail,
    files,
    contract,
    changes: stream.changes,
    notices: notifications.notices,
    compareMarketplace: marketplace.compare,
    operations,
    hub: stream.hub,
    tenants: tenants.service,
    apiKeys: people.apiKeys,
    invitations: people.invitations.invitations,
    clerk,
    openSetUp: people.openSetUp,
    identity: identity.local,
    /** Starts what works in the background; the app may listen afterwards. */
    async start() {
      // Before those who ask again who may stay: they must not hear it from what was kept.
      await people.access.start();
      await stream.start();
      await identity.local.start(() => stream.hub.recheckAll());
      await fence.behind(mailing.start);
      await fence.behind(async () => await clerk?.start());
      unlistenAccess = await db.listen(
        ACCESS_CHANNEL,
        (userId) => stream.hub.recheckUser(userId),
        () => stream.hub.recheckAll(),
      );
      await work.start();
      if (working.runsJobs) await fence.behind(notifications.start);
      operations.start();
      await fence.behind(operations.startWatch);
      refusals.start();
    },
    /** Takes no more requests, lets those in flight end, then lets go of everything but the stores. */
    async stop() {
      await fence.stop();
      await stream.stop();
      work.search.stop();
      await app.drain();
      await app.server.close();
      await refusals.stop();
      await work.stop();
      await notifications.stop();
      await operations.stop();
      await unlistenAccess?.();
      await people.access.stop();
      await identity.local.stop();
      await mailing.stop();
      await clerk?.stop();
      await identity.closePool();
      for (const each of [egress, ...Object.values(ownEgress)]) await each.close();
    },
  };
}

function refuseShortDisk(disk: DiskSpace | undefined): void {
  if (disk?.isShort() === true) throw new Error(`only ${Math.floor(disk.free() / 1_048_576)} MiB are free`);
}
