/** Empty stores on the servers of the tests, and the configuration that points to some: what tests of backups share. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { type Config, readConfig } from '../../config/config.ts';
import { withDatabase } from './store-access.ts';

export type StoreUrls = { databaseUrl: string; eventsUrl: string };

/** Address of an event database on the shared store, as EVENTS_URL says it. */
export function eventsUrlOf(database: string): string {
  const url = new URL(inject('eventsUrl'));
  [url.username, url.password, url.pathname] = [inject('eventsUser'), inject('eventsPassword'), `/${database}`];
  return url.toString();
}

export async function asAdmin(statement: string): Promise<void> {
  await withDatabase({ databaseUrl: inject('postgresUrl') }, (client) => client.query(statement));
}

export async function createEmptyStores(): Promise<StoreUrls & { drop(): Promise<void> }> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(`create database ${name}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    databaseUrl: url.toString(),
    eventsUrl: eventsUrlOf(name),
    drop: () => asAdmin(`drop database ${name} with (force)`),
  };
}

export function configOf(dataDir: string, stores?: StoreUrls): Config {
  const external = stores && { DATABASE_URL: stores.databaseUrl, EVENTS_URL: stores.eventsUrl };
  return readConfig({ AIRDECK_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...external }, '0.0.0');
}
