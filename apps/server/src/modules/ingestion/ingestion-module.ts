import type { IncomingHttpHeaders } from 'node:http';
import type { DiskSpace } from '../../events-process/disk-space.ts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import { noTracer, type Tracer } from '../../tracing/tracer.ts';
import type { AlertAnswers } from '../automation-rules/automation-rules-port.ts';
import type { Detection } from '../detection/detection-port.ts';
import type { EventVolume } from '../sources/event-volume.ts';
import type { SourceFinder } from '../sources/ingest-source.ts';
import type { LineLosses } from '../sources/line-losses.ts';
import type { SourceRepeats } from '../sources/source-repeats.ts';
import { createBatchWriter } from './batch-writer.ts';
import { createByteBudget } from './byte-budget.ts';
import { type IngestionStats, newDoorCounters } from './door-counters.ts';
import { createEventQuota } from './event-quota.ts';
import type { EventWork } from './event-work.ts';
import { createFlusher } from './flusher.ts';
import { createHttpDoor, type HttpDoor } from './http-door.ts';
import { deleteBatchesBefore } from './ingestion-repository.ts';
import { createIngestionService, type IngestionService } from './ingestion-service.ts';
import { startLossReports } from './loss-reports.ts';
import { createRepeatCounts } from './repeat-counts.ts';
import { openSyslogDoor, type SpoolPlace, type SyslogDoor } from './syslog-door.ts';
import type { SyslogOptions } from './syslog-servers.ts';
import type { UdpSocketTable } from './syslog-udp.ts';

/** Original bytes that may be in memory at a time; decoded and encoded they are several times as many. */
const HELD_BYTES_MAX = 48 * 1_048_576;
/** As long as an Idempotency-Key is kept (docs/events.md). */
const BATCH_KEPT_MS = 24 * 3_600_000;

/** More of a body that nobody will read is not worth the connection it comes over. */
const READ_OVER_MAX_BYTES = 1_048_576;

export type IngestionModule = {
  handlers: Handlers<'sources.ingest'>;
  http: HttpDoor;
  /** The door of what connectors fetch: the same path as everything else. Throws OVERLOADED while others hold all room. */
  accept: IngestionService['accept'];
  /** Opens the syslog doors and says on which ports; rejects with the system's error when one is taken. */
  openSyslog(
    options: SyslogOptions & { spool: SpoolPlace },
  ): Promise<Pick<SyslogDoor, 'tcpPort' | 'udpPort' | 'tlsPort'>>;
  stats(): Promise<IngestionStats>;
  /** Forgets batches older than a day; a delivery repeated after that is a new one. Returns how many. */
  purge(): Promise<number>;
  /** Closes the syslog doors, refuses new deliveries and finishes those that were taken. */
  stop(): Promise<void>;
};

export type IngestionDependencies = {
  db: Pick<Database, 'system' | 'ready'>;
  work: EventWork;
  detection: Pick<Detection, 'apply'>;
  /** What alerts of a log management start by themselves. */
  alerts?: AlertAnswers;
  sources: {
    finder: SourceFinder;
    volume: Pick<EventVolume, 'add'>;
    losses: Pick<LineLosses, 'add'>;
    repeats: Pick<SourceRepeats, 'add'>;
  };
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
  /** Default: none, nothing is followed. */
  tracer?: Tracer;
  /**
   * True where no other process can write to these stores (embedded). A batch that a killed process left half written can
   * then be taken over at once; otherwise its repetition is put off for 90 seconds.
   */
  isOnlyWriter?: boolean;
  /** Of each tenant over HTTP; undefined: no limit. */
  eventsPerSecondMax?: number | undefined;
  /** The disk of the embedded stores; while it is short of space nothing is taken in. */
  disk?: Pick<DiskSpace, 'isShort' | 'onLook'> | undefined;
  /** For tests. */
  heldBytesMax?: number;
  answerMs?: number;
  renewEveryMs?: number;
  udpSockets?: UdpSocketTable;
};

export function createIngestionModule(deps: IngestionDependencies): IngestionModule {
  const { db, work, detection, now, ids, log, sources, isOnlyWriter = false, heldBytesMax = HELD_BYTES_MAX } = deps;
  const writer = ids();
  const batchWriter = createBatchWriter({
    ...{ db, work, detection, alerts: deps.alerts, volume: sources.volume },
    ...{ now, writer, log, renewEveryMs: deps.renewEveryMs },
  });
  const ingestion = createIngestionService({
    db,
    work,
    flusher: createFlusher({ writer: batchWriter }),
    now,
    writer,
    isOnlyWriter,
    tracer: deps.tracer ?? noTracer,
  });
  const isShort = () => deps.disk?.isShort() === true;
  const budget = createByteBudget(heldBytesMax, isShort);
  let lineBudget = createByteBudget(heldBytesMax, isShort);
  deps.disk?.onLook(() => {
    budget.recheck();
    lineBudget.recheck();
  });
  const counters = { http: newDoorCounters(), tcp: newDoorCounters(), udp: newDoorCounters(), tls: newDoorCounters() };
  const { finder } = sources;
  const repeats = createRepeatCounts({ db, repeats: sources.repeats, now, log });
  const http = createHttpDoor({
    ...{ finder, ingestion, budget, counters: counters.http, repeats, now },
    quota: createEventQuota({ perSecond: deps.eventsPerSecondMax }),
    answerMs: deps.answerMs,
  });
  let syslog: SyslogDoor | undefined;
  let reports: { stop(): Promise<void> } | undefined;

  async function stats(): Promise<IngestionStats> {
    const { http: byHttp, tcp, udp, tls } = counters;
    const dropped = udp.dropped + ((await syslog?.kernelDrops()) ?? 0);
    return {
      http: { ...byHttp },
      syslog_tcp: { ...tcp },
      syslog_udp: { ...udp, dropped },
      syslog_tls: { ...tls },
      held_bytes: budget.used + lineBudget.used,
      spool: syslog?.spool() ?? { bytes: 0, damaged: 0 },
    };
  }

  async function lost(): Promise<number> {
    const { syslog_tcp, syslog_udp, syslog_tls } = await stats();
    return syslog_tcp.dropped + syslog_udp.dropped + syslog_tls.dropped;
  }

  return {
    http,
    accept: async (delivery) => {
      if (budget.isFull) throw new AppError('OVERLOADED', { retryAfterS: 5 });
      return await ingestion.accept(delivery);
    },
    handlers: {
      'sources.ingest': async ({ params, query }, { raw }) => {
        const { headers, raw: stream } = raw.request;
        try {
          return await http.deliver({
            tenantId: params.tenant,
            sourceId: params.source_id,
            token: query.token,
            headers,
            stream,
            isHeard: () => !stream.socket.destroyed,
          });
        } catch (error) {
          if (stream.readableEnded) throw error;
          // Whoever is to come again soon keeps its connection: to accept a new one costs more than to read over the rest.
          if (comesAgain(error) && restIsShort(headers)) stream.resume();
          else void raw.reply.header('connection', 'close');
          throw error;
        }
      },
    },
    async openSyslog(options) {
      syslog = await openSyslogDoor(options, {
        ...{ finder, ingestion, counters, ids, now, log, udpSockets: deps.udpSockets },
        budgetOf: (closed) => {
          lineBudget = createByteBudget(heldBytesMax, () => isShort() || closed());
          return lineBudget;
        },
      });
      reports = startLossReports({ db, losses: sources.losses, lost, now, log });
      return { tcpPort: syslog.tcpPort, udpPort: syslog.udpPort, tlsPort: syslog.tlsPort };
    },
    stats,
    purge: () => db.system((tx) => deleteBatchesBefore(tx, new Date(now().getTime() - BATCH_KEPT_MS))),
    async stop() {
      batchWriter.hurry();
      await syslog?.close();
      await reports?.stop();
      [syslog, reports] = [undefined, undefined];
      await ingestion.drain();
      await repeats.settle();
    },
  };
}

function comesAgain(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'OVERLOADED' || error.code === 'RATE_LIMITED');
}

function restIsShort(headers: IncomingHttpHeaders): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= READ_OVER_MAX_BYTES;
}
