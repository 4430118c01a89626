import type { DiskSpace } from '../../events-process/disk-space.ts';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import type { Detection } from '../detection/detection-port.ts';
import type { EventVolume } from '../sources/event-volume.ts';
import type { SourceFinder } from '../sources/ingest-source.ts';
import { createBatchWriter } from './batch-writer.ts';
import { createByteBudget } from './byte-budget.ts';
import { type IngestionStats, newDoorCounters } from './door-counters.ts';
import { createEventWriter } from './event-writer.ts';
import { createFlusher } from './flusher.ts';
import { createHttpDoor, type HttpDoor } from './http-door.ts';
import { deleteBatchesBefore } from './ingestion-repository.ts';
import { createIngestionService, type IngestionService } from './ingestion-service.ts';
import { createSyslogServers, type SyslogOptions, type SyslogServers } from './syslog-servers.ts';

/** Original bytes that may be in memory at a time; decoded and encoded they are several times as many. */
const HELD_BYTES_MAX = 48 * 1_048_576;
/** As long as an Idempotency-Key is kept (api.md, Conventions). */
const BATCH_KEPT_MS = 24 * 3_600_000;

export type IngestionModule = {
  handlers: Handlers<'sources.ingest'>;
  http: HttpDoor;
  /** The door of what connectors fetch: the same path as everything else. Throws OVERLOADED while others hold all room. */
  accept: IngestionService['accept'];
  /** Opens the syslog doors and says on which ports; rejects with the system's error when one is taken. */
  openSyslog(options: SyslogOptions): Promise<Pick<SyslogServers, 'tcpPort' | 'udpPort'>>;
  stats(): Promise<IngestionStats>;
  /** Forgets batches older than a day; a delivery repeated after that is a new one. Returns how many. */
  purge(): Promise<number>;
  /** Closes the syslog doors, refuses new deliveries and finishes those that were taken. */
  stop(): Promise<void>;
};

export type IngestionDependencies = {
  db: Pick<Database, 'system'>;
  eventsStore: Pick<EventsStore, 'insert' | 'query'>;
  detection: Detection;
  sources: { finder: SourceFinder; volume: Pick<EventVolume, 'add'> };
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
  /**
   * True where no other process can write to these stores (embedded). A batch that a killed process left half written can
   * then be taken over at once; otherwise its repetition is put off for 90 seconds.
   */
  isOnlyWriter?: boolean;
  /** The disk of the embedded stores; while it is short of space nothing is taken in. */
  disk?: Pick<DiskSpace, 'isShort' | 'onLook'> | undefined;
  /** For tests. */
  heldBytesMax?: number;
};

export function createIngestionModule(deps: IngestionDependencies): IngestionModule {
  const { db, detection, now, ids, log, sources, isOnlyWriter = false, heldBytesMax = HELD_BYTES_MAX } = deps;
  const writer = ids();
  const events = createEventWriter({ store: deps.eventsStore, log });
  const batchWriter = createBatchWriter({ db, events, detection, volume: sources.volume, now, writer, log });
  const ingestion = createIngestionService({
    db,
    flusher: createFlusher({ writer: batchWriter }),
    now,
    writer,
    isOnlyWriter,
  });
  const budget = createByteBudget(heldBytesMax, () => deps.disk?.isShort() === true);
  deps.disk?.onLook(() => budget.recheck());
  const counters = { http: newDoorCounters(), tcp: newDoorCounters(), udp: newDoorCounters() };
  const { finder } = sources;
  const http = createHttpDoor({ finder, ingestion, budget, counters: counters.http });
  let syslog: SyslogServers | undefined;

  return {
    http,
    accept: async (delivery) => {
      if (budget.isFull) throw new AppError('OVERLOADED', { retryAfterS: 5 });
      return await ingestion.accept(delivery);
    },
    handlers: {
      'sources.ingest': async ({ params }, { raw }) => {
        const { headers, raw: stream } = raw.request;
        try {
          return await http.deliver({ tenantId: params.tenant, sourceId: params.source_id, headers, stream });
        } finally {
          // The rest of a body nobody will read is not worth the line it comes over.
          if (!stream.readableEnded) void raw.reply.header('connection', 'close');
        }
      },
    },
    async openSyslog(options) {
      syslog = await createSyslogServers(options, { finder, ingestion, budget, counters, ids, log });
      return { tcpPort: syslog.tcpPort, udpPort: syslog.udpPort };
    },
    async stats() {
      const { http: byHttp, tcp, udp } = counters;
      const dropped = udp.dropped + ((await syslog?.kernelDrops()) ?? 0);
      return { http: { ...byHttp }, syslog_tcp: { ...tcp }, syslog_udp: { ...udp, dropped }, held_bytes: budget.used };
    },
    purge: () => db.system((tx) => deleteBatchesBefore(tx, new Date(now().getTime() - BATCH_KEPT_MS))),
    async stop() {
      await syslog?.close();
      syslog = undefined;
      await ingestion.drain();
    },
  };
}
