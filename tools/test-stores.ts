/**
 * Starts the real stores once for all server tests: embedded PostgreSQL and the embedded event store in a folder that is
 * deleted at the end. Test files get their own database through `createTestDatabase`. What runs beside the server in a
 * process or thread of its own is run as built, so that is built first, and again when tests are run again after a change.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { lockDataDir } from '../apps/server/src/storage/data-dir-lock.ts';
import { startEmbeddedEvents } from '../apps/server/src/storage/embedded-events.ts';
import { startEmbeddedPostgres } from '../apps/server/src/storage/embedded-postgres.ts';
import type { StorageLog } from '../apps/server/src/storage/storage-log.ts';
import { buildIfStale } from './run/build-if-stale.mjs';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    eventsUrl: string;
    eventsUser: string;
    eventsPassword: string;
  }
}

const quiet = () => undefined;
const log: StorageLog = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: (fields, message) => console.error(message, fields),
};

function buildServer(): void {
  if (!buildIfStale(['server'], 'ignore')) throw new Error('The server could not be built.');
}

/** Files that run side by side have their pools here, and nothing has to outlive this run. */
const parameters = {
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
};

const MEMORY_FOLDER = '/dev/shm';
const GIB = 2 ** 30;

/**
 * In memory where there is plenty: each test file has a database of a thousand small files, which a disk takes a second to make
 * and hardly any time to use. What stores do on a disk is tested with stores of their own.
 */
function parentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize >= 4 * GIB && freemem() >= 8 * GIB) return MEMORY_FOLDER;
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}

// biome-ignore lint/style/noDefaultExport: vitest calls the default export of a global setup.
export default async function startTestStores(project: TestProject): Promise<() => Promise<void>> {
  buildServer();
  project.onTestsRerun(async () => buildServer());
  const dataDir = mkdtempSync(join(parentFolder(), 'airdeck-test-'));
  const lock = await lockDataDir(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, log, parameters });
  const events = await startEmbeddedEvents({ dataDir, log }).catch(async (error: unknown) => {
    await postgres.stop();
    throw error;
  });
  project.provide('postgresUrl', postgres.url);
  project.provide('eventsUrl', events.url);
  project.provide('eventsUser', events.user);
  project.provide('eventsPassword', events.password);
  return async () => {
    await Promise.all([postgres.stop(), events.stop()]);
    lock.release();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
