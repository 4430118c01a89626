/**
 * Syslog from door to store. Its senders get no answer and most cannot send again, so a line is on disk before anything
 * else happens to it, and stays there until the stores have it:
 *
 *   TCP, UDP, TLS ─► budget (memory) ─► spool (disk) ─► drain ─► ingestion
 *
 * While the spool or the memory is full, TCP senders wait and datagrams are dropped and counted. A killed process goes on
 * with what its folder holds; a stopped one first hands on what it can in five seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { lockDataDir } from '../../storage/data-dir-lock.ts';
import type { SourceFinder } from '../sources/ingest-source.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { DoorCounters } from './door-counters.ts';
import type { IngestionService } from './ingestion-service.ts';
import { createSpool, type SpoolStats } from './spool.ts';
import { openSpoolFolder } from './spool-folder.ts';
import type { SpoolDoor, SpooledLine } from './spool-records.ts';
import { startSyslogDrain } from './syslog-drain.ts';
import { createSyslogServers, type SyslogOptions, type SyslogServers } from './syslog-servers.ts';
import type { UdpSocketTable } from './syslog-udp.ts';

/** How long a stop waits for stores that do not answer. */
const STOP_MS = 5_000;

export type SpoolPlace = { folder: string; maxBytes: number };

export type SyslogDoor = Pick<SyslogServers, 'tcpPort' | 'udpPort' | 'tlsPort' | 'kernelDrops'> & {
  spool(): SpoolStats;
  close(): Promise<void>;
};

export type SyslogDoorDependencies = {
  finder: SourceFinder;
  ingestion: Pick<IngestionService, 'accept'>;
  /** Holds lines until they are on disk. */
  budgetOf: (closed: () => boolean) => ByteBudget;
  counters: Readonly<Record<SpoolDoor, DoorCounters>>;
  ids: () => string;
  now: () => Date;
  log: { warn(fields: object, message: string): void };
  udpSockets?: UdpSocketTable | undefined;
};

/**
 * Takes the folder, goes on with what it holds and opens the doors. Rejects with the system's error when a port is taken, and
 * with `StorageStartError` when the folder belongs to somebody else.
 */
export async function openSyslogDoor(
  options: SyslogOptions & { spool: SpoolPlace },
  deps: SyslogDoorDependencies,
): Promise<SyslogDoor> {
  const { counters, ids, log, now, udpSockets } = deps;
  const lock = await lockDataDir(options.spool.folder);
  try {
    const spool = await createSpool({
      folder: await openSpoolFolder(options.spool.folder),
      maxBytes: options.spool.maxBytes,
      ids,
      log,
      onTaken: (lines) => budget.give(sizeOf(lines)),
      onLost: (lines) => {
        for (const { door } of lines) counters[door].dropped++;
        budget.give(sizeOf(lines));
      },
      onRoom: () => budget.recheck(),
    });
    const budget = deps.budgetOf(() => spool.isFull);
    const add = (door: SpoolDoor, bytes: Buffer, from: { address: string; port?: number }) =>
      spool.append({ door, ...from, receivedAt: now().getTime(), bytes });
    const servers = await createSyslogServers(options, { add, budget, counters, udpSockets }).catch(
      async (error: unknown) => {
        await spool.close();
        throw error;
      },
    );
    const drain = startSyslogDrain({ ...deps, spool });
    return {
      tcpPort: servers.tcpPort,
      udpPort: servers.udpPort,
      tlsPort: servers.tlsPort,
      kernelDrops: servers.kernelDrops,
      spool: () => spool.stats,
      async close() {
        await servers.close();
        const patience = new AbortController();
        await Promise.race([
          spool.drained(),
          sleep(STOP_MS, undefined, { signal: patience.signal }).catch(() => undefined),
        ]);
        patience.abort();
        await Promise.all([drain.stop(), spool.close()]);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function sizeOf(lines: readonly SpooledLine[]): number {
  return lines.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
