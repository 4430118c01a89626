/**
 * How the whole installation is doing, for whoever runs it: every process tells how it is, the stores say what waits, and what
 * was promised is counted against what was kept.
 */
import { type ObjectiveId, objectiveIds, objectives } from '@airdeck/contracts/operations/objectives';
import type {
  ArchiveFigures,
  EventStoreFigures,
  ObjectiveState,
  Operations,
  ProcessReport,
} from '@airdeck/contracts/operations/schema';
import type { JobHandler } from '@airdeck/engine/interfaces';
import type { Answered } from '../../http/answered.ts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import type { Tx } from '../../storage/schema.ts';
import type { IngestionStats } from '../ingestion/door-counters.ts';
import type { Notices } from '../notifications/notifications-port.ts';
import { answerMinutes } from './answer-minutes.ts';
import { objectivesOf } from './answer-objectives.ts';
import { engineTime } from './engine-time.ts';
import { countOutgoing, databaseFigures, listQueues } from './installation-repository.ts';
import { createMetrics, type MetricSources, type Metrics } from './metrics.ts';
import { BUDGET_MINUTES, burnRate, burnWindows, type Tally } from './objective-burn.ts';
import { createObjectiveCounts } from './objective-counts.ts';
import { alertsNow, foldMinutes, forgetMinutes, listProviders, minutesOf, talliesOf } from './objective-repository.ts';
import { createObjectivesJob } from './objectives-job.ts';
import { createProcessReports, type OwnWork, type ProcessIdentity } from './process-reports.ts';
import { forgetReports, listReports } from './process-repository.ts';
import { findStalledWork, type MeasuredStall, SILENT_AFTER_MS } from './stalled-work.ts';
import { createStalledWorkWatch } from './stalled-work-watch.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The longest window of an alert, and a day. */
const MINUTES_KEPT_MS = 4 * DAY_MS;

type Dependencies = {
  db: Pick<Database, 'system'>;
  events: Pick<EventsStore, 'figures'>;
  /** Undefined where no archive is kept. */
  archive: (() => ArchiveFigures) | undefined;
  disk: MetricSources['disk'];
  certificateEnds: MetricSources['certificateEnds'];
  identity: ProcessIdentity;
  ingestion: () => Promise<IngestionStats>;
  working: () => number;
  /** What the engine of this release carries out. */
  jobKinds: () => readonly string[];
  spans: MetricSources['spans'];
  refusedCalls: MetricSources['refusedCalls'];
  circuits: MetricSources['circuits'];
  /** Whether this process works on jobs. */
  runsJobs: boolean;
  notices: Pick<Notices, 'tell'>;
  /** Brings what was told into the app, also where workers that do so are away. */
  handOut: () => Promise<void>;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
};

export type OperationsModule = {
  handlers: Handlers<'operations.get'>;
  objectivesJob: JobHandler;
  onAnswer(answer: Answered): void;
  metrics: Pick<Metrics, 'contentType' | 'text'>;
  purge(): Promise<void>;
  start(): void;
  /** Tells people of work that nobody takes up; behind a restore fence it has to wait. */
  startWatch(): Promise<void>;
  stop(): Promise<void>;
};

export function createOperationsModule(deps: Dependencies): OperationsModule {
  const { db, now, log, identity } = deps;
  const counts = createObjectiveCounts({ db, now });
  const { ingestion, working, spans, refusedCalls, circuits } = deps;
  const reports = createProcessReports({ ...deps, counts, ownWork: () => ownWork(deps) });
  const watch = createStalledWorkWatch(deps);
  const metrics = createMetrics({
    ...{ release: identity.release, role: identity.role, ingestion, working, spans, refusedCalls, circuits, now },
    ...{ archive: deps.archive, disk: deps.disk, certificateEnds: deps.certificateEnds },
    queues: deps.runsJobs ? () => db.system(listQueues) : undefined,
    // What waits on its own disk is seen best while the database is away.
    stalled:
      identity.role === 'ingest' ? undefined : () => db.system((tx) => findStalledWork(sqlClient(tx), deps.jobKinds())),
  });

  async function read(at: Date): Promise<Operations> {
    const [found, eventStore] = await Promise.all([
      db.system((tx) => readDatabase(tx, at, deps.jobKinds())),
      deps.events.figures().catch((error: unknown): EventStoreFigures | null => {
        log.warn({ error: error instanceof Error ? error.message : String(error) }, 'the event store did not answer');
        return null;
      }),
    ]);
    return {
      at: at.toISOString(),
      release: identity.release,
      ...found,
      event_store: eventStore,
      archive: deps.archive?.() ?? null,
    };
  }

  return {
    handlers: {
      'operations.get': async (_request, { scope }) => {
        const providers = await db.system(listProviders);
        if (!providers.includes(scope.tenantId)) {
          throw new AppError('NOT_A_PROVIDER');
        }
        return await read(now());
      },
    },
    objectivesJob: createObjectivesJob(deps),
    metrics,
    onAnswer(answer) {
      metrics.onAnswer(answer);
      for (const [objective, isGood] of objectivesOf(answer)) counts.add(objective, isGood);
    },
    async purge() {
      const at = now().getTime();
      await db.system(async (tx) => {
        await foldMinutes(tx, new Date(at - MINUTES_KEPT_MS));
        await forgetMinutes(tx, new Date(at - BUDGET_MINUTES * 60_000 - DAY_MS));
        await forgetReports(tx, new Date((await engineTime(tx)).getTime() - DAY_MS));
      });
    },
    start: reports.start,
    async startWatch() {
      // Whoever only takes events in has nobody to show a notice to.
      if (identity.role !== 'ingest') watch.start();
    },
    async stop() {
      await watch.stop();
      await reports.stop();
    },
  };
}

async function ownWork({ ingestion, working }: Dependencies): Promise<OwnWork> {
  const { held_bytes, spool, syslog_tcp, syslog_udp, syslog_tls } = await ingestion();
  const lines_lost = syslog_tcp.dropped + syslog_udp.dropped + syslog_tls.dropped;
  return { held_bytes, spool_bytes: spool.bytes, lines_lost, working: working() };
}

async function readDatabase(tx: Tx, at: Date, kinds: readonly string[]) {
  const tallies = await talliesOf(tx, at);
  const alerts = await alertsNow(tx);
  const reportedAt = await engineTime(tx);
  return {
    processes: (await listReports(tx)).map((row) => processOnTheWire(row, reportedAt)),
    queues: await listQueues(tx),
    stalled: stalledOnTheWire(await findStalledWork(sqlClient(tx), kinds)),
    outgoing: await countOutgoing(tx, at),
    database: await databaseFigures(tx),
    objectives: objectiveIds.map((id) => objectiveState(id, tallies.get(id) ?? new Map(), alerts.get(id))),
    answers: answerMinutes(await minutesOf(tx, 'api_answers', new Date(at.getTime() - HOUR_MS)), at),
  };
}

function processOnTheWire(row: Awaited<ReturnType<typeof listReports>>[number], at: Date): ProcessReport {
  const { started_at, seen_at, figures, ...identity } = row;
  return {
    ...identity,
    started_at: started_at.toISOString(),
    seen_at: seen_at.toISOString(),
    is_silent: at.getTime() - seen_at.getTime() > SILENT_AFTER_MS,
    ...figures,
  };
}

function stalledOnTheWire(found: MeasuredStall | null): Operations['stalled'] {
  if (found === null) return null;
  const { since, due, workers } = found;
  return { since, due, workers };
}

function objectiveState(
  id: ObjectiveId,
  tallies: ReadonlyMap<number, Tally>,
  alert: { severity: 'urgent' | 'slow'; since: Date } | undefined,
): ObjectiveState {
  const whole = tallies.get(BUDGET_MINUTES) ?? { good: 0, bad: 0 };
  return {
    id,
    target: objectives[id].target,
    ...whole,
    budget_used: burnRate(id, whole),
    burn: burnWindows.map((minutes) => ({ minutes, rate: burnRate(id, tallies.get(minutes) ?? { good: 0, bad: 0 }) })),
    alert: alert === undefined ? null : { severity: alert.severity, since: alert.since.toISOString() },
  };
}
