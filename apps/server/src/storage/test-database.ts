import { createHash, randomUUID } from 'node:crypto';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { createEventsStore, type EventsStore } from './events-store.ts';
import { migrationList } from './migration-list.ts';
import { type Migration, migrate, migrationText } from './migrations.ts';
import type { StorageLog } from './storage-log.ts';

export type TestDatabase = {
  /** Connection string of the owner, for what tests do behind the application's back. */
  url: string;
  database: Database;
  events: EventsStore;
  /** What a server on these stores needs. */
  eventsConnection: { url: string; user: string; password: string; placement: { database: string } };
  /** Closes both and drops what was created. */
  close(): Promise<void>;
};

export const quietLog: StorageLog = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * A migrated PostgreSQL database and an empty event store for one test file. Needs vitest's project `server`. All
 * databases are copies of a template that the first caller migrates.
 */
export async function createTestDatabase(migrations: readonly Migration[] = migrationList): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await copyTemplate(name, migrations);
  const eventsConnection = {
    url: inject('eventsUrl'),
    user: inject('eventsUser'),
    password: inject('eventsPassword'),
    placement: { database: name },
  };
  const database = openDatabase({ url, log: quietLog, poolSize: { app: 4, system: 6 } });
  const events = createEventsStore({ ...eventsConnection, log: quietLog });
  await events.prepare();
  return {
    url,
    database,
    events,
    eventsConnection,
    async close() {
      await Promise.all([database.close(), events.close()]);
      await withAdmin((admin) => admin.query(`drop database ${name} with (force)`));
      await dropEvents(eventsConnection);
    },
  };
}

async function copyTemplate(name: string, migrations: readonly Migration[]): Promise<string> {
  const version = createHash('sha256').update(migrations.map(migrationText).join('\n')).digest('hex').slice(0, 16);
  const template = `template_${version}`;
  await withAdmin(async (admin) => {
    // Held until the connection ends: template and copies are made one after the other.
    await admin.query('select pg_advisory_lock(1)');
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      const draft = `${template}_draft`;
      await admin.query(`drop database if exists ${draft} with (force)`);
      await admin.query(`create database ${draft}`);
      await migrate({ url: urlOf(draft), migrations, log: quietLog });
      await admin.query(`alter database ${draft} rename to ${template}`);
    }
    await admin.query(`create database ${name} template ${template}`);
  });
  return urlOf(name);
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${database}`;
  return url.toString();
}

async function withAdmin(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

async function dropEvents(connection: TestDatabase['eventsConnection']): Promise<void> {
  const { url, user, password, placement } = connection;
  const client = createClient({ url, username: user, password });
  await client.command({ query: `drop database if exists ${placement.database} sync` });
  await client.close();
}
