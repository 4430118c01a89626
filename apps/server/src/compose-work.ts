import type { Egress } from '@airdeck/connector-kit/egress';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import { hasRole, type Role } from '@airdeck/contracts/access/roles';
import { MAX_DEFINITION_BYTES } from '@airdeck/engine/definition';
import { createEngine } from '@airdeck/engine/engine';
import { createExpressions } from '@airdeck/expression';
import { Cron } from 'croner';
import type { Logger } from 'pino';
import type { ClockedJob } from './clocked-job.ts';
import { composeConnectors } from './compose-connectors.ts';
import type { OpenEventWork } from './compose-event-work.ts';
import { composeReports } from './compose-reports.ts';
import type { Config } from './config/config.ts';
import type { DiskSpace } from './events-process/disk-space.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import { createActionExecutor } from './modules/activity/action-executor.ts';
import { createActivityModule } from './modules/activity/activity-module.ts';
import type { AnswerLinkReader } from './modules/activity/answer-links.ts';
import { createApproverLeft } from './modules/activity/approver-left.ts';
import { createEnginePool } from './modules/activity/engine-pool.ts';
import type { Enqueue } from './modules/activity/enqueue-port.ts';
import { createRunEvents } from './modules/activity/run-events.ts';
import { createRunTracing } from './modules/activity/run-tracing.ts';
import { stopsWithAutomation, triggerFields } from './modules/activity/run-trigger.ts';
import { createSubPlaybooks } from './modules/activity/sub-playbooks.ts';
import { untriedOutput } from './modules/activity/untried-output.ts';
import type { AuditLog } from './modules/audit/audit-log.ts';
import { alertJobs, createAutomationRulesModule } from './modules/automation-rules/automation-rules-module.ts';
import { playbooksStartedByRules, rulesStarting } from './modules/automation-rules/rule-playbooks.ts';
import { rulesFedBy } from './modules/automation-rules/rule-uses.ts';
import { CLOCK_JOB } from './modules/cases/case-clock-watch.ts';
import { createCaseDocumentsModule } from './modules/cases/case-documents-module.ts';
import { caseExists } from './modules/cases/case-exists.ts';
import { caseFigures } from './modules/cases/case-figures.ts';
import { caseReferences } from './modules/cases/case-references.ts';
import { createCaseWorkModule } from './modules/cases/case-work-module.ts';
import { createCasesModule } from './modules/cases/cases-module.ts';
import { openedCase } from './modules/cases/opened-case.ts';
import { casesOfPolicies } from './modules/cases/policy-cases.ts';
import { connectorName } from './modules/connectors/connector-name.ts';
import { addMissingTests } from './modules/connectors/connector-work-repository.ts';
import { escalationContacts } from './modules/contacts/escalation-contacts.ts';
import { createDashboardsModule } from './modules/dashboards/dashboards-module.ts';
import { createDetectionModule } from './modules/detection/detection-module.ts';
import { groupSuppressions } from './modules/detection/group-suppression.ts';
import { droppedLately } from './modules/detection/match-limit.ts';
import { matchesByDay } from './modules/detection/match-tallies.ts';
import { createPolicyLoader } from './modules/detection/policy-loader.ts';
import type { Files } from './modules/files/files-port.ts';
import { createIngestionModule } from './modules/ingestion/ingestion-module.ts';
import type { KeyedAnswers } from './modules/keyed-answers/keyed-answers.ts';
import type { Mail } from './modules/mail/mail-port.ts';
import type { QuestionNotices } from './modules/notifications/notifications-port.ts';
import type { AuthorizeElsewhere } from './modules/playbooks/playbook-copies.ts';
import { createPlaybooksModule } from './modules/playbooks/playbooks-module.ts';
import { createPoliciesModule } from './modules/policies/policies-module.ts';
import type { AuthorizePublishing } from './modules/policies/policy-publishing.ts';
import { createAutomationBrake } from './modules/rule-responses/automation-brake.ts';
import { playbooksStartedByPolicies, responsesStarting } from './modules/rule-responses/response-playbooks.ts';
import { createRuleResponsesModule } from './modules/rule-responses/rule-responses-module.ts';
import { createLiveSources } from './modules/search/live-sources.ts';
import { createSearchModule } from './modules/search/search-module.ts';
import type { TenantSettingsPort } from './modules/settings/settings-port.ts';
import { createSilencesJob, SILENCES_JOB } from './modules/sources/source-silences.ts';
import { createSourcesModule } from './modules/sources/sources-module.ts';
import type { ChangeFeed, Changes } from './modules/stream/changes.ts';
import { approversAmong, assignableAmong, membersAmong } from './modules/tenants/member-names.ts';
import type { TenantsService } from './modules/tenants/tenants-port.ts';
import { shareTime } from './share-time.ts';
import type { Database } from './storage/database.ts';
import type { EventsStore } from './storage/events-store.ts';
import { isTransient } from './storage/sql-state.ts';
import type { TenantScope } from './tenant-scope.ts';
import type { Tracer } from './tracing/tracer.ts';

/** Work of the installation itself belongs to no tenant. */
const NO_TENANT = '00000000-0000-0000-0000-000000000000';
const PURGE_JOB = { kind: 'retention.purge', expression: '17 * * * *' } as const;
const PURGE_TIMEOUT_MS = 30 * 60_000;
/** Ends before that: whoever has its turn then needs a moment to stop. */
const PURGE_FOR_MS = 27 * 60_000;
/** For each of what is purged: some may have more to do than there is time for. */
const PURGE_TURN_MS = 4 * 60_000;

type Dependencies = {
  db: Database;
  events: EventsStore;
  /** Where the work on events themselves is done. */
  openEventWork: OpenEventWork;
  disk: DiskSpace | undefined;
  log: Logger;
  tracer: Tracer;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  audit: AuditLog;
  refusals: Pick<RefusalLog, 'note'>;
  /** Whether a tenant calls more than it may. */
  isOverPace: (tenant: string) => boolean;
  changes: Changes;
  feed: ChangeFeed;
  notices: QuestionNotices;
  /** Reads what the links of notices carry. */
  answerLinks: AnswerLinkReader;
  tenants: TenantsService;
  keyedAnswers: KeyedAnswers;
  settings: TenantSettingsPort;
  keys: KeyProvider;
  /** The one way to the outside. */
  egress: Egress;
  /** Name of a worker that the lock on the data folder makes unique; undefined where many workers share one database. */
  exclusiveWorker: string | undefined;
  /** Both stores are ours alone: what an ended process had asked of them ended with it. */
  isOnlyWriter: boolean;
  /** What else is taken away by the hour when its time is over. Each stops when told to, and goes on the next time. */
  purges: Readonly<Record<string, (signal: AbortSignal) => Promise<void>>>;
  /** Work of other modules by the clock, which belongs to no tenant. */
  jobs: readonly ClockedJob[];
  /** Whether events come in here, rather than now and then. */
  takesEvents: boolean;
  /** Whether this process works on runs and jobs; processes that do not only start them. */
  runsJobs: boolean;
  /** Begins work at once, or when the restore fence is lifted. */
  behindFence: (work: () => Promise<void>) => Promise<void>;
  /** Whether it is up: nothing that acts is started. */
  isFenced: () => boolean;
  /** False where cases open without being answered: when the past of a demo is written. */
  answersCases: boolean;
  /** Judges a request as if it had gone to another tenant, to build playbooks there. */
  authorizeElsewhere: AuthorizeElsewhere & AuthorizePublishing;
  /** Where the doors for events are from outside; known once they are open. */
  doors: () => { http: string; syslogTcp: string | undefined };
  /** Sources of syslog senders that cannot name them, by address. */
  syslogSenders: ReadonlyMap<string, string>;
  /** Sources that have a syslog door of their own, by its port. */
  syslogPorts: ReadonlyMap<number, string>;
  runLimits: Config['runLimits'];
  eventsPerSecondMax: Config['eventsPerSecondMax'];
  /** Where files of search reports are kept, and nothing else. */
  reportFiles: Files;
  /** The same for executive reports. */
  executiveReportFiles: Files;
  mail: Mail;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  /** The installation's secret, which keys are made from. */
  secret: string;
};

export type Work = ReturnType<typeof composeWork>;

/** The working half of the server: events come in, policies detect, cases open, playbooks and actions answer. */
export function composeWork(deps: Dependencies) {
  const { db, events, log, ids, now, randomBytes, audit, changes, feed, notices, tenants, settings } = deps;
  const { keyedAnswers } = deps;
  const common = { db, log, ids, now, randomBytes, audit, changes, notices, settings, keyedAnswers };
  const expressions = createExpressions();
  // What is stored is bounded when it is saved; what was before that is carried out as it is.
  const stored = createExpressions({ maxCompiledLength: MAX_DEFINITION_BYTES });
  const { check, checkTemplates } = expressions;
  const random = () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48;
  const enginePool = createEnginePool(db);
  const enqueue: Enqueue = (tx, job) => engine.enqueueJob(enginePool.client(tx), job);
  const connecting = composeConnectors({
    ...common,
    ...{ egress: deps.egress, keys: deps.keys, refusals: deps.refusals, random, enqueue },
    ingest: (delivery) => ingestion.accept(delivery),
  });
  const { connectors, catalogue, runner } = connecting;

  /** What somebody is in a tenant now; undefined for whoever could not sign in. */
  async function roleOf(scope: TenantScope, userId: string): Promise<Role | undefined> {
    const access = await db.system((tx) => tenants.findAccess(tx, { userId }, scope.tenantId));
    return access?.user.status === 'active' ? access.membership?.role : undefined;
  }

  const cases = createCasesModule({ ...common, feed, groups: groupSuppressions, membersAmong, assignableAmong });
  const policies = createPoliciesModule({
    ...common,
    ...{ events, authorizeElsewhere: deps.authorizeElsewhere, tenantName: tenants.tenantName },
    reachDays: async (tx, scope) => {
      const { sku_info: plan } = await tenants.get(tx, scope);
      const { retention_length_days: kept, search_length_days: searched } = plan;
      return plan.is_search_enabled ? Math.min(kept, searched) : kept;
    },
    figures: { casesOf: casesOfPolicies, matchesByDay, droppedLately },
  });
  const playbooks = createPlaybooksModule({
    ...common,
    ...{ actions: catalogue, connectors, evaluator: stored, triggerFields, approversAmong },
    responses: { starting: responsesStarting, startedByPolicies: playbooksStartedByPolicies },
    automations: { starting: rulesStarting, startedByRules: playbooksStartedByRules },
    tryPlaybook: (tx, trial) => activity.tryPlaybook(tx, trial),
    authorizeElsewhere: deps.authorizeElsewhere,
  });
  const reporting = composeReports({
    ...common,
    ...{ events, tenants, random, enqueue, mail: deps.mail, secret: deps.secret },
    ...{ productName: deps.productName, ownAddress: deps.ownAddress },
    ...{ reportFiles: deps.reportFiles, executiveReportFiles: deps.executiveReportFiles },
    ...{ actionLabel: catalogue.label, runsKeptDays: deps.runLimits.keptDays },
  });
  const purges = () => ({
    ...detection.purges,
    ingestion: ingestion.purge,
    ...connecting.purges,
    ...reporting.purges,
    runs: activity.purge,
    automations: automationRules.purge,
    ...deps.purges,
  });
  const byTheClock: readonly ClockedJob[] = [
    ...deps.jobs,
    {
      ...PURGE_JOB,
      handler: {
        timeoutMs: PURGE_TIMEOUT_MS,
        run: ({ signal }) =>
          shareTime(purges(), {
            ...{ signal, forMs: PURGE_FOR_MS, turnMs: PURGE_TURN_MS },
            onLeft: (left) =>
              log.warn({ left }, 'not all that is over could be taken away in time; it goes on in an hour'),
          }),
      },
    },
    ...connecting.byTheClock,
    ...reporting.byTheClock,
    { ...SILENCES_JOB, handler: createSilencesJob(common) },
    { ...CLOCK_JOB, handler: { run: (context) => caseWork.clockJob.run(context) } },
    { ...alertJobs.dueLooks, handler: { run: (context) => automationRules.jobs.dueLooks.run(context) } },
  ];
  const tracing = createRunTracing(deps.tracer);
  const engine = createEngine({
    pool: enginePool.pool,
    listen: enginePool.listen,
    keepSession: enginePool.keepSession,
    clock: { now },
    ids,
    random,
    log,
    evaluator: stored,
    ...(tracing === undefined ? {} : { tracing }),
    executeStep: createActionExecutor({
      runner,
      untried: (scope, name) =>
        db.read(scope.tenantId, async (tx) => untriedOutput((await catalogue.find(name, tx, scope))?.output_schema)),
      mayRunActions: async (scope, userId) => {
        const role = await roleOf(scope, userId);
        return role !== undefined && hasRole(role, 'Analyst');
      },
    }),
    jobHandlers: {
      // A row in which a tenant asks for what is done for all of them is not carried out.
      ...Object.fromEntries(byTheClock.map(({ kind, handler }) => [kind, { ...handler, tenantId: NO_TENANT }])),
      ...connecting.jobHandlers,
      ...reporting.jobHandlers,
      [alertJobs.notification]: { run: (context) => automationRules.jobs.notification.run(context) },
      [alertJobs.look]: { run: (context) => automationRules.jobs.look.run(context) },
    },
    holdAppliesTo: stopsWithAutomation,
    isTransient,
    resolvePlaybook: createSubPlaybooks({
      enginePool,
      playbooks: playbooks.service,
      traitsOf: catalogue.traits,
    }),
    nextSlot: (expression, after) => new Cron(expression, { timezone: 'UTC' }).nextRun(after),
    onEvents: createRunEvents({
      enginePool,
      story: cases.story,
      changes,
      notices,
      audit,
      actionLabel: catalogue.label,
      playbookRuns: playbooks.runs,
    }),
    options: { exclusiveName: deps.exclusiveWorker, maxOpenRuns: deps.runLimits.openRunsMax },
  });
  const activity = createActivityModule({
    ...common,
    engine,
    enginePool,
    traitsOf: catalogue.traits,
    playbooks: playbooks.service,
    playbookRuns: playbooks.runs,
    links: deps.answerLinks,
    roleOf,
    actions: catalogue,
    runner,
    connectors,
    tenantName: tenants.tenantName,
    ...{ caseExists, caseReferences },
    runsKeptDays: deps.runLimits.keptDays,
  });
  const caseDocuments = createCaseDocumentsModule({
    ...common,
    ...{ cases: cases.service, tenantName: tenants.tenantName, productName: deps.productName },
  });
  const caseWork = createCaseWorkModule({
    ...common,
    ...{ mail: deps.mail, escalationContacts, tenantName: tenants.tenantName, address: () => deps.doors().http },
    ...{ changeCase: cases.changeCase, assignableAmong },
    responses: { onCaseTime: (tx, opened, trigger) => ruleResponses.responses.onCaseTime(tx, opened, trigger) },
    getPlaybook: (tx, scope, id) => playbooks.service.getForRun(tx, scope, id),
    automationEnabled: settings.automationEnabled,
    expressions,
    ...{ isFenced: deps.isFenced, requirePace: activity.requirePace, runsOfKeys: activity.runsOfKeys },
    runForCase: (tx, { scope, caller, playbook, inputs, caseId, key, requestHash }) =>
      activity.startRun(tx, {
        scope,
        what: { kind: 'playbook', ...playbook },
        inputs,
        trigger: {
          ...{ trigger_type: 'manual', username: caller.username, case_id: caseId, acts_as: caller.userId },
          ...{
            user_tenant_id: scope.tenantId,
            user_tenant_name: null,
            response_name: playbook.name,
            connector_id: null,
            request_hash: requestHash,
          },
        },
        startedWith: caller.apiKey?.id,
        dedupKey: key,
      }),
  });
  const brake = createAutomationBrake({ ...common, answersMax: deps.runLimits.automationAnswersMax });
  const ruleResponses = createRuleResponsesModule({
    ...common,
    brake,
    startRun: activity.startRun,
    tryPlaybook: activity.tryPlaybook,
    playbooks: playbooks.service,
    expressions: { ...stored, check, checkTemplates },
    ...{ connectors, openedCase, actions: catalogue },
    story: cases.story,
  });
  const { answersCases } = deps;
  const loadPolicies = createPolicyLoader({ db, policies: policies.service });
  const eventWork = deps.openEventWork({ loadPolicies, log });
  const detection = createDetectionModule({
    ...common,
    keeper: eventWork,
    policies: policies.service,
    cases: cases.openings,
    responses: answersCases ? ruleResponses.responses : { onCaseOpened: () => Promise.resolve() },
  });
  const syslog = { senders: deps.syslogSenders, ports: deps.syslogPorts };
  const sources = createSourcesModule({
    ...{ ...common, ...syslog, secret: deps.secret, addresses: deps.doors },
    usesOf: rulesFedBy,
  });
  const automationRules = createAutomationRulesModule({
    ...common,
    ...{ connectors, actions: catalogue, playbooks: playbooks.service, sources: sources.service },
    ...{ egress: deps.egress, secret: deps.secret, ownAddress: deps.ownAddress, connectorName },
    startResponse: ruleResponses.start,
    brake,
    responseCheck: ruleResponses.check,
    enqueue,
    engineClient: enginePool.client,
  });
  const ingestion = createIngestionModule({
    ...common,
    ...(answersCases ? { alerts: automationRules.alerts } : {}),
    work: eventWork,
    eventsPerSecondMax: deps.eventsPerSecondMax,
    detection,
    sources,
    isOnlyWriter: deps.isOnlyWriter,
    disk: deps.disk,
    tracer: deps.tracer,
  });
  const search = createSearchModule({
    ...common,
    ...{ events, tenants, isOverPace: deps.isOverPace },
    live: createLiveSources({
      ...common,
      ...{ connectors, egress: deps.egress, searchable: connecting.searchable },
    }),
  });
  const dashboards = createDashboardsModule({ db, now, volume: sources.volume, caseFigures });

  return {
    handlers: {
      ...cases.handlers,
      ...caseWork.handlers,
      ...caseDocuments.handlers,
      ...policies.handlers,
      ...playbooks.handlers,
      ...activity.handlers,
      ...ruleResponses.handlers,
      ...automationRules.handlers,
      ...connecting.handlers,
      ...sources.handlers,
      ...ingestion.handlers,
      ...dashboards.handlers,
      ...search.handlers,
      ...reporting.handlers,
    },
    engine,
    enginePool,
    connectors,
    runner,
    circuits: connecting.circuits,
    policies: policies.service,
    playbooks: playbooks.service,
    sources: sources.service,
    addRuleResponse: ruleResponses.add,
    rewriteNotifications: automationRules.rewriteAll,
    cases: cases.service,
    casePeople: cases.people,
    approverLeft: createApproverLeft(common),
    eventUsage: reporting.eventUsage,
    search,
    ingestion,
    eventWork,
    async start() {
      const working = deps.takesEvents ? eventWork.start() : Promise.resolve();
      await cases.start();
      await detection.start();
      await db.system(async (tx) => {
        await addMissingTests(tx, now());
        for (const { kind, expression } of byTheClock) {
          await engine.schedule(enginePool.client(tx), { tenantId: NO_TENANT, name: kind, kind, expression });
        }
      });
      if (deps.runsJobs) await deps.behindFence(engine.start);
      await working;
    },
    /** Doors first, so that nothing new comes in; then what was accepted is finished; the engine hands its leases back. */
    async stop() {
      await ingestion.stop();
      await engine.stop();
      await eventWork.stop();
      await detection.stop();
      await cases.stop();
    },
  };
}
