import type { Logger } from 'pino';
import type { Stores } from '../compose.ts';
import type { Config } from '../config/config.ts';
import { type DataDirLock, lockDataDir } from '../storage/data-dir-lock.ts';
import { openDatabase } from '../storage/database.ts';
import { startEmbeddedEvents } from '../storage/embedded-events.ts';
import { startEmbeddedPostgres } from '../storage/embedded-postgres.ts';
import { createEventsStore } from '../storage/events-store.ts';
import { migrationList } from '../storage/migration-list.ts';
import { migrate } from '../storage/migrations.ts';

export type RunningStores = { stores: Stores; stop(): Promise<void> };

/**
 * Takes the data folder, starts what is embedded, brings the schemas up to date and opens both stores. What was started
 * is stopped again when a later step fails. Throws `StorageStartError`.
 */
export async function startStores(config: Config, log: Logger): Promise<RunningStores> {
  const stopping: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    for (const step of stopping.splice(0).reverse()) await step();
  };
  try {
    const lock: DataDirLock = await lockDataDir(config.dataDir);
    stopping.push(() => lock.release());
    const [databaseUrl, eventsAt] = await allOrNothing(stopping, [
      databaseAddress(config, log),
      eventsAddress(config, log),
    ]);
    await migrate({ url: databaseUrl, migrations: migrationList, log });
    const db = openDatabase({ url: databaseUrl, log });
    stopping.push(() => db.close());
    const events = createEventsStore({ ...eventsAt, log });
    stopping.push(() => events.close());
    await events.prepare();
    return { stores: { db, databaseUrl, events }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started<T> = { value: T; stop?: () => Promise<void> };
type EventsAddress = { url: string; user: string; password: string; placement?: { database: string } };

async function databaseAddress(config: Config, log: Logger): Promise<Started<string>> {
  if (config.stores.databaseUrl !== undefined) return { value: config.stores.databaseUrl };
  const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  return { value: embedded.url, stop: () => embedded.stop() };
}

async function eventsAddress(config: Config, log: Logger): Promise<Started<EventsAddress>> {
  if (config.stores.eventsUrl !== undefined) return { value: eventsAddressOf(config.stores.eventsUrl) };
  const embedded = await startEmbeddedEvents({ dataDir: config.dataDir, log });
  return { value: embedded, stop: () => embedded.stop() };
}

/** User, password and database out of an address such as https://user:password@host:8443/airdeck. */
export function eventsAddressOf(address: string): EventsAddress {
  const url = new URL(address);
  const database = url.pathname.replace(/^\/+|\/+$/g, '');
  return {
    url: url.origin,
    user: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
    ...(database === '' ? {} : { placement: { database } }),
  };
}

/** Starts both at once; when one fails, the other is still known and will be stopped. */
async function allOrNothing<A, B>(
  stopping: (() => Promise<void> | void)[],
  starting: readonly [Promise<Started<A>>, Promise<Started<B>>],
): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled(starting);
  for (const result of [first, second]) {
    if (result.status === 'fulfilled' && result.value.stop !== undefined) stopping.push(result.value.stop);
  }
  if (first.status === 'rejected') throw first.reason;
  if (second.status === 'rejected') throw second.reason;
  return [first.value.value, second.value.value];
}
