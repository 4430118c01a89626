import type { Logger } from 'pino';
import type { Stores } from '../compose.ts';
import type { Config } from '../config/config.ts';
import type { FilesBucket } from '../config/files-bucket.ts';
import { watchDiskSpace } from '../events-process/disk-space.ts';
import { createS3Bucket } from '../modules/files/s3-bucket.ts';
import { type DataDirLock, lockDataDir } from '../storage/data-dir-lock.ts';
import { type Database, openDatabase } from '../storage/database.ts';
import { startEmbeddedEvents } from '../storage/embedded-events.ts';
import { startEmbeddedPostgres } from '../storage/embedded-postgres.ts';
import { DEFAULT_EVENTS_DATABASE } from '../storage/events-schema.ts';
import { createEventsStore, type EventsStore, type EventsStoreOptions } from '../storage/events-store.ts';
import { migrationList } from '../storage/migration-list.ts';
import { migrate } from '../storage/migrations.ts';
import { StorageStartError } from '../storage/storage-start-error.ts';
import {
  type Archive,
  type ArchiveDeps,
  type ArchivePeriods,
  archivePeriods,
  KEPT_LOG_MB,
  startArchive,
} from './archive/archiver.ts';
import { createEventThread } from './event-thread.ts';
import { createStopList, type StopList } from './stop-list.ts';
import { explainFilesError, explainStoreError } from './store-error.ts';

export type RunningStores = {
  stores: Stores;
  stop(): Promise<void>;
  /** Settles when an embedded store has ended and will not come back in this process; also after `stop`. */
  lost: Promise<StorageStartError>;
};

/**
 * Takes the data folder, starts what is embedded, brings the schemas up to date and opens both stores. What was started
 * is stopped again when a later step fails. Throws `StorageStartError`.
 */
export async function startStores(
  config: Config,
  log: Logger,
  periods: ArchivePeriods = archivePeriods,
): Promise<RunningStores> {
  const stopping = createStopList();
  const { databaseUrl, eventsUrl } = config.stores;
  try {
    const lock: DataDirLock = await lockDataDir(config.dataDir);
    stopping.add(() => lock.release());
    const [{ database, db }, { eventsAt, events }] = await allOrNothing(stopping, [
      readyDatabase(config, log),
      readyEvents(config, log),
    ]);
    if (config.filesBucket !== undefined) await checkFiles(config.filesBucket);
    // Stores elsewhere have disks of their own to watch.
    const disk = eventsUrl === undefined || databaseUrl === undefined ? watchDiskSpace(config.dataDir) : undefined;
    if (disk !== undefined) stopping.add(async () => disk.stop());
    const archive = openArchive(config, { databaseUrl: database.url, events: eventsAt, log, periods });
    if (archive !== undefined) stopping.add(archive.stop);
    const openEventWork = createEventThread({ store: eventsAt, log });
    const stores = { db, databaseUrl: database.url, events, openEventWork, disk, archive };
    return { stores, stop: stopping.run, lost: database.lost };
  } catch (error) {
    await stopping.run().catch((failure: unknown) => log.warn({ err: failure }, 'stopping after a failed start'));
    throw error;
  }
}

function openArchive(
  { archiveFolder: folder, dataDir, dashboard }: Config,
  stores: Pick<ArchiveDeps, 'databaseUrl' | 'events' | 'log' | 'periods'>,
): Archive | undefined {
  if (folder === undefined) return undefined;
  const productVersion = dashboard.release;
  return startArchive({ folder, dataDir, productVersion, ...stores, now: () => new Date() });
}

/** Throws `StorageStartError` where the bucket does not answer or does not let us in. */
export async function checkFiles(at: FilesBucket): Promise<void> {
  await createS3Bucket(at)
    .check()
    .catch((error: unknown) => {
      throw explainFilesError(error, at);
    });
}

type Started<T> = { value: T; stop: () => Promise<void> };
type DatabaseAddress = { url: string; lost: Promise<StorageStartError> };
type EventsAddress = Omit<EventsStoreOptions, 'log'>;

/** The database with its schema up to date. */
function readyDatabase(config: Config, log: Logger): Promise<Started<{ database: DatabaseAddress; db: Database }>> {
  return orStopped(log, async (stopping) => {
    const database = await databaseAddress(config, log, stopping);
    await migrate({ url: database.url, migrations: migrationList, log }).catch((error: unknown) => {
      throw explainStoreError(error, { variable: 'DATABASE_URL', address: config.stores.databaseUrl });
    });
    const db = openDatabase({ url: database.url, log });
    stopping.add(() => db.close());
    return { database, db };
  });
}

/** The events' store with its tables up to date. */
function readyEvents(config: Config, log: Logger): Promise<Started<{ eventsAt: EventsAddress; events: EventsStore }>> {
  return orStopped(log, async (stopping) => {
    const eventsAt = await eventsAddress(config, log, stopping);
    const events = createEventsStore({ ...eventsAt, log });
    stopping.add(() => events.close());
    await events.prepare().catch((error: unknown) => {
      throw explainStoreError(error, { variable: 'EVENTS_URL', address: config.stores.eventsUrl });
    });
    return { eventsAt, events };
  });
}

/** What fails on the way has stopped what it started before it says so. */
async function orStopped<T>(log: Logger, start: (stopping: StopList) => Promise<T>): Promise<Started<T>> {
  const stopping = createStopList();
  try {
    return { value: await start(stopping), stop: stopping.run };
  } catch (error) {
    await stopping.run().catch((failure: unknown) => log.warn({ err: failure }, 'stopping after a failed start'));
    throw error;
  }
}

/** A database that is not ours may go and come back; the embedded one does not come back by itself. */
async function databaseAddress(config: Config, log: Logger, stopping: StopList): Promise<DatabaseAddress> {
  const { databaseUrl } = config.stores;
  if (databaseUrl !== undefined) return { url: databaseUrl, lost: new Promise(() => undefined) };
  const parameters = config.archiveFolder === undefined ? {} : { wal_keep_size: `${KEPT_LOG_MB}MB` };
  const { url, exited, stop } = await startEmbeddedPostgres({ dataDir: config.dataDir, log, parameters });
  stopping.add(stop);
  const lost = exited.then(
    ({ code, signal }) =>
      new StorageStartError(
        'STORE_LOST',
        `The embedded database ended unexpectedly (${signal ?? `exit code ${code}`}), so the program stops. Start it again: what was acknowledged is kept.`,
      ),
  );
  return { url, lost };
}

async function eventsAddress(config: Config, log: Logger, stopping: StopList): Promise<EventsAddress> {
  if (config.stores.eventsUrl !== undefined)
    return eventsAddressOf(config.stores.eventsUrl, config.stores.eventsCluster);
  const embedded = await startEmbeddedEvents({ dataDir: config.dataDir, log });
  stopping.add(() => embedded.stop());
  const { url, user, password } = embedded;
  return { url, user, password, isOwnProcess: true };
}

/** User, password and database out of an address such as https://user:password@host:8443/airdeck. */
export function eventsAddressOf(address: string, cluster?: string): EventsAddress {
  const url = new URL(address);
  const database = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    url: url.origin,
    user: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    ...(database === '' && cluster === undefined
      ? {}
      : {
          placement: { database: database || DEFAULT_EVENTS_DATABASE, ...(cluster === undefined ? {} : { cluster }) },
        }),
  };
}

/**
 * Starts both at once, each with its schema: they wait for other things most of the time, the one for a disk, the other
 * for its libraries. When one fails, the other is still known and will be stopped.
 */
async function allOrNothing<A, B>(
  stopping: StopList,
  starting: readonly [Promise<Started<A>>, Promise<Started<B>>],
): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled(starting);
  for (const result of [first, second]) {
    if (result.status === 'fulfilled') stopping.add(result.value.stop);
  }
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return [first.value.value, second.value.value];
}
