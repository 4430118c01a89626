/** Figures of this process in the text format of Prometheus. No label carries a tenant, a person or an address. */
import { setTimeout as wait } from 'node:timers/promises';
import { type ArchiveFigures, archiveStates, type WorkQueue } from '@airdeck/contracts/operations/schema';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Answered } from '../../http/answered.ts';
import type { RefusedCalls } from '../../http/call-quotas.ts';
import type { SpanCounts } from '../../tracing/span-export.ts';
import type { CircuitCounts } from '../actions/circuit-breaker.ts';
import type { IngestionStats } from '../ingestion/door-counters.ts';
import type { MeasuredStall } from './stalled-work.ts';

const ANSWER_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const doors = ['http', 'syslog_tcp', 'syslog_udp', 'syslog_tls'] as const;
/** Well within the ten seconds that Prometheus waits: everything else is shown without the database. */
const STORE_WITHIN_MS = 3_000;
const outcomes = ['accepted', 'rejected', 'dropped', 'malformed'] as const;

export type MetricSources = {
  release: string;
  role: string;
  ingestion: () => Promise<IngestionStats>;
  working: () => number;
  /** Undefined where nothing is followed. */
  spans: () => SpanCounts | undefined;
  /** By the limit that was in the way, since the start. */
  refusedCalls: () => RefusedCalls;
  circuits: () => CircuitCounts;
  /** Undefined in processes that do not work on jobs: the same figures from each would count twice. */
  queues: (() => Promise<readonly WorkQueue[]>) | undefined;
  /**
   * Also of processes that work on no jobs, because those that do may all be away. Undefined in those whose figures have to be
   * seen whatever the database does.
   */
  stalled: (() => Promise<Pick<MeasuredStall, 'seconds'> | null>) | undefined;
  /** For tests. Default: three seconds. */
  storeWithinMs?: number;
  /** Undefined where no archive is kept. */
  archive: (() => ArchiveFigures) | undefined;
  /** Of what is embedded; without merges where the event store is elsewhere. */
  disk: { free(): number; mergesStopped: (() => boolean) | undefined } | undefined;
  /** Of encrypted syslog; undefined until it is read, and where there is none. */
  certificateEnds: () => Date | undefined;
  now: () => Date;
};

export type Metrics = {
  onAnswer(answer: Answered): void;
  contentType: string;
  /**
   * Leaves out what the database does not say in time. Rejects when another source cannot be read: figures of before would look
   * like those of now.
   */
  text(): Promise<string>;
};

export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const { release, role } = sources;
  const info = { name: 'airdeck_info', help: 'Release and role of this process; always 1.' };
  new Gauge({ ...info, labelNames: ['release', 'role'], registers }).set({ release, role }, 1);
  const answers = new Histogram({
    name: 'airdeck_http_answer_seconds',
    help: 'Time until an answer was out, by route of the API and class of status.',
    labelNames: ['route', 'status'],
    buckets: ANSWER_BUCKETS_S,
    registers,
  });
  const working = new Gauge({ name: 'airdeck_working', help: 'Steps and jobs this process works on.', registers });
  const showIngestion = ingestionMetrics(registers);
  const showSpans = spanMetrics(registers);
  const showRefused = refusedMetrics(registers);
  const showCircuits = circuitMetrics(registers);
  const showQueues = sources.queues && queueMetrics(registers);
  const showStalled = sources.stalled && stalledMetric(registers);
  const showArchive = sources.archive && archiveMetrics(registers, sources.now);
  const showDisk = sources.disk && diskMetrics(registers, sources.disk);
  const showCertificate = certificateMetric(registers);
  return {
    onAnswer: ({ routeId = 'other', status, ms }) =>
      answers.observe({ route: routeId, status: `${Math.floor(status / 100)}xx` }, ms / 1_000),
    contentType: registry.contentType,
    async text() {
      working.set(sources.working());
      showIngestion(await sources.ingestion());
      showSpans(sources.spans());
      showRefused(sources.refusedCalls());
      showCircuits(sources.circuits());
      const { queues, stalled, storeWithinMs } = sources;
      const [waiting, standing] = await Promise.all([
        queues && ifKnown(queues, storeWithinMs),
        stalled && ifKnown(stalled, storeWithinMs),
      ]);
      showQueues?.(waiting ?? []);
      showStalled?.(standing);
      if (sources.archive !== undefined) showArchive?.(sources.archive());
      showDisk?.();
      showCertificate(sources.certificateEnds());
      return await registry.metrics();
    },
  };
}

function ingestionMetrics(registers: Registry[]): (stats: IngestionStats) => void {
  const lines = new Counter({
    name: 'airdeck_events_total',
    help: 'Events by door and what became of them.',
    labelNames: ['door', 'outcome'],
    registers,
  });
  const held = new Gauge({
    name: 'airdeck_held_bytes',
    help: 'Events in memory that are not acknowledged yet.',
    registers,
  });
  const spool = new Gauge({
    name: 'airdeck_syslog_spool_bytes',
    help: 'Lines of syslog on disk that wait for the stores.',
    registers,
  });
  const damaged = new Counter({
    name: 'airdeck_syslog_spool_damaged_total',
    help: 'Places of the spool that could not be read.',
    registers,
  });
  const repeated = new Counter({
    name: 'airdeck_deliveries_repeated_total',
    help: 'Deliveries over HTTP that equalled one of the last ten minutes and were not stored again.',
    registers,
  });
  return (stats) => {
    // They are counted elsewhere, since the start; here they are only shown.
    lines.reset();
    for (const door of doors) for (const outcome of outcomes) lines.inc({ door, outcome }, stats[door][outcome]);
    held.set(stats.held_bytes);
    spool.set(stats.spool.bytes);
    damaged.reset();
    damaged.inc(stats.spool.damaged);
    repeated.reset();
    repeated.inc(stats.http.repeated);
  };
}

function refusedMetrics(registers: Registry[]): (counts: RefusedCalls) => void {
  const refused = new Counter({
    name: 'airdeck_calls_refused_total',
    help: 'Calls refused because there were too many, by the limit in the way.',
    labelNames: ['limit'],
    registers,
  });
  return (counts) => {
    refused.reset();
    for (const [limit, count] of Object.entries(counts)) refused.inc({ limit }, count);
  };
}

function circuitMetrics(registers: Registry[]): (counts: CircuitCounts) => void {
  const opened = new Counter({
    name: 'airdeck_circuits_opened_total',
    help: 'Connectors that did not answer five calls of actions in a row.',
    registers,
  });
  const refused = new Counter({
    name: 'airdeck_circuits_refused_total',
    help: 'Calls of actions that were not made, as their connector had not answered.',
    registers,
  });
  return (counts) => {
    opened.reset();
    opened.inc(counts.opened);
    refused.reset();
    refused.inc(counts.refused);
  };
}

function spanMetrics(registers: Registry[]): (counts: SpanCounts | undefined) => void {
  const spans = new Counter({
    name: 'airdeck_trace_spans_total',
    help: 'Spans of traces and whether the collector took them.',
    labelNames: ['outcome'],
    registers,
  });
  return (counts) => {
    spans.reset();
    for (const [outcome, count] of Object.entries(counts ?? {})) spans.inc({ outcome }, count);
  };
}

function queueMetrics(registers: Registry[]): (queues: readonly WorkQueue[]) => void {
  const jobs = new Gauge({
    name: 'airdeck_jobs',
    help: 'Jobs of the whole installation by kind and state.',
    labelNames: ['kind', 'state'],
    registers,
  });
  const oldest = new Gauge({
    name: 'airdeck_jobs_oldest_ready_seconds',
    help: 'Age of the oldest job of a kind that could begin.',
    labelNames: ['kind'],
    registers,
  });
  return (queues) => {
    jobs.reset();
    oldest.reset();
    for (const { kind, oldest_seconds, ...states } of queues) {
      for (const [state, count] of Object.entries(states)) jobs.set({ kind, state }, count);
      oldest.set({ kind }, oldest_seconds ?? 0);
    }
  };
}

/** Undefined while the database does not say: then the figure is left out, which an alert can tell from 0. */
async function ifKnown<T>(ask: () => Promise<T>, withinMs = STORE_WITHIN_MS): Promise<T | undefined> {
  const late = wait(withinMs, undefined, { ref: false });
  return await Promise.race([ask().catch(() => undefined), late]);
}

function stalledMetric(registers: Registry[]): (stalled: Pick<MeasuredStall, 'seconds'> | null | undefined) => void {
  const seconds = new Gauge({
    name: 'airdeck_work_stalled_seconds',
    help: 'Age of the oldest job or schedule that is due while no worker takes any; 0 while they do.',
    registers,
  });
  return (stalled) => {
    if (stalled === undefined) seconds.remove();
    else seconds.set(Math.max(0, stalled?.seconds ?? 0));
  };
}

function archiveMetrics(registers: Registry[], now: () => Date): (figures: ArchiveFigures) => void {
  const age = new Gauge({
    name: 'airdeck_archive_age_seconds',
    help: 'What would be lost with the disk; not there before anything is secured.',
    registers,
  });
  const states = new Gauge({
    name: 'airdeck_archive_state',
    help: 'How the continuous archive is: 1 for the present state.',
    labelNames: ['state'],
    registers,
  });
  return ({ state, secured_until }) => {
    age.remove();
    if (secured_until !== null) age.set(Math.max(0, now().getTime() - Date.parse(secured_until)) / 1_000);
    for (const each of archiveStates) states.set({ state: each }, each === state ? 1 : 0);
  };
}

function diskMetrics(registers: Registry[], { free, mergesStopped }: NonNullable<MetricSources['disk']>): () => void {
  const bytes = new Gauge({
    name: 'airdeck_disk_free_bytes',
    help: 'Free space of the disk of the data folder.',
    registers,
  });
  const stopped = mergesStopped && {
    isSo: mergesStopped,
    gauge: new Gauge({
      name: 'airdeck_merges_stopped',
      help: '1 while the event store merges nothing, and takes away little that is old, for want of space.',
      registers,
    }),
  };
  return () => {
    bytes.set(free());
    stopped?.gauge.set(stopped.isSo() ? 1 : 0);
  };
}

function certificateMetric(registers: Registry[]): (ends: Date | undefined) => void {
  const seconds = new Gauge({
    name: 'airdeck_syslog_certificate_ends_seconds',
    help: 'When the certificate of encrypted syslog that is in use ends, in seconds since 1970; not there without one.',
    registers,
  });
  return (ends) => {
    if (ends === undefined) seconds.remove();
    else seconds.set(ends.getTime() / 1_000);
  };
}
