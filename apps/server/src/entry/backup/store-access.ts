import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '../../config/config.ts';
import { lockDataDir } from '../../storage/data-dir-lock.ts';
import { runningEvents, startEmbeddedEvents } from '../../storage/embedded-events.ts';
import { runningPostgresUrl, startEmbeddedPostgres } from '../../storage/embedded-postgres.ts';
import type { StorageLog } from '../../storage/storage-log.ts';
import { StorageStartError } from '../../storage/storage-start-error.ts';
import { createStopList, type StopList } from '../stop-list.ts';
import { explainStoreError } from '../store-error.ts';
import { eventsAddressOf } from '../stores.ts';
import { BackupError } from './backup-error.ts';
import type { EventsAddress } from './events-access.ts';

export type StoreAccess = { databaseUrl: string; events: EventsAddress; stop(): Promise<void> };

type Stores = Pick<Config, 'dataDir' | 'stores'>;

/** The stores of an installation, whether its server runs or not: embedded ones that stand still are started meanwhile. */
export async function reachStores(config: Stores, log: StorageLog): Promise<StoreAccess> {
  const { databaseUrl, eventsUrl, eventsCluster } = config.stores;
  const stopping = createStopList();
  if (databaseUrl !== undefined && eventsUrl !== undefined) {
    return { databaseUrl, events: eventsAddressOf(eventsUrl, eventsCluster), stop: stopping.run };
  }
  const missing = databaseUrl === undefined ? 'postgres' : 'events';
  if (!existsSync(join(config.dataDir, missing))) {
    throw new BackupError(
      `There is no installation in ${config.dataDir}. Set AIRDECK_DATA_DIR to its data folder, or DATABASE_URL and EVENTS_URL to its stores.`,
    );
  }
  if (!(await takeFolder(config.dataDir, stopping))) return { ...runningStores(config), stop: stopping.run };
  return await startStores(config, log, stopping);
}

/** Of a folder that is locked already; used for a new installation too. No old events go before they are compared. */
export async function startStores(config: Stores, log: StorageLog, stopping: StopList): Promise<StoreAccess> {
  const { dataDir } = config;
  const { databaseUrl: givenDatabase, eventsUrl: givenEvents, eventsCluster } = config.stores;
  try {
    let databaseUrl = givenDatabase;
    if (databaseUrl === undefined) {
      const postgres = await startEmbeddedPostgres({ dataDir, log });
      stopping.add(postgres.stop);
      databaseUrl = postgres.url;
    }
    let events: EventsAddress;
    if (givenEvents === undefined) {
      const embedded = await startEmbeddedEvents({ dataDir, log, keepsExpired: true });
      stopping.add(embedded.stop);
      events = embedded;
    } else events = eventsAddressOf(givenEvents, eventsCluster);
    return { databaseUrl, events, stop: stopping.run };
  } catch (error) {
    await stopping.run();
    throw error;
  }
}

/** False when a running server holds it. */
async function takeFolder(dataDir: string, stopping: StopList): Promise<boolean> {
  try {
    const lock = await lockDataDir(dataDir);
    stopping.add(async () => lock.release());
    return true;
  } catch (error) {
    if (error instanceof StorageStartError && error.code === 'DATA_DIR_IN_USE') return false;
    throw error;
  }
}

function runningStores({ dataDir, stores }: Stores): Pick<StoreAccess, 'databaseUrl' | 'events'> {
  const databaseUrl = stores.databaseUrl ?? runningPostgresUrl(dataDir);
  const events =
    stores.eventsUrl === undefined ? runningEvents(dataDir) : eventsAddressOf(stores.eventsUrl, stores.eventsCluster);
  if (databaseUrl !== undefined && events !== undefined) return { databaseUrl, events };
  throw new BackupError(
    `The server on ${dataDir} is just starting or stopping, or is of an earlier version. Try again when it is ready, or stop it first.`,
  );
}

/** Connects with the account that owns the tables; ends the connection when the work is done. */
export async function withDatabase<T>(
  { databaseUrl }: Pick<StoreAccess, 'databaseUrl'>,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'airdeck-backup', keepAlive: true });
  // A lost connection fails the statement under way, which says so.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw explainStoreError(error, { variable: 'DATABASE_URL', address: databaseUrl });
  }
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
