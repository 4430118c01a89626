/**
 * Puts an archive back into an empty data folder, behind the restore fence. Steps, each of which leaves the target unusable
 * as an installation until the last:
 *
 *   1. what is needed for the moment is looked for, and its hashes are compared; nothing is touched before
 *   2. the database reads its log again up to the moment, and the fence goes up together with the password without which
 *      nobody can use it
 *   3. events, files and keys
 *   4. every row is read, audit chains and secrets are proved, the fence says `up`, newer migrations are applied
 *
 * What breaks off leaves either no database that starts as an installation or one behind a fence that cannot be lifted.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createFileStores, fileKinds } from '../../modules/files/file-stores.ts';
import { lockDataDir } from '../../storage/data-dir-lock.ts';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate } from '../../storage/migrations.ts';
import type { StorageLog } from '../../storage/storage-log.ts';
import { BackupError } from '../backup/backup-error.ts';
import { listMigrations } from '../backup/database-backup.ts';
import { listTables, nameOf } from '../backup/database-tables.ts';
import { openEvents } from '../backup/events-access.ts';
import { checkKeys, putKeysBack, readKeyFile } from '../backup/key-bundle.ts';
import { noteRestored } from '../backup/restore-fence-row.ts';
import { prove, requireEmptyFolder, requireKnownMigrations } from '../backup/run-restore.ts';
import { type StoreAccess, startStores, withDatabase } from '../backup/store-access.ts';
import type { BackedUpConfig } from '../backup/take-backup.ts';
import { createStopList } from '../stop-list.ts';
import { ArchiveError } from './archive-error.ts';
import { listWhole, readArchiveNote } from './archive-folder.ts';
import { FILES } from './archived-files.ts';
import { recoverDatabase } from './recover-database.ts';
import { type EventsVerdict, fitEvents, recoverEvents } from './recover-events.ts';
import { planRecovery, type RecoveryPlan } from './recovery-plan.ts';

export type ArchiveRestoreOptions = {
  config: BackedUpConfig;
  folder: string;
  /** The newest moment when left out. */
  until: Date | undefined;
  keys: { from: 'file'; path: string } | { from: 'none' };
  log: StorageLog;
  say: (line: string) => void;
};

export async function isArchive(folder: string): Promise<boolean> {
  return (await readArchiveNote(folder)) !== undefined;
}

export async function restoreArchive(options: ArchiveRestoreOptions): Promise<EventsVerdict> {
  try {
    return await restore(options);
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    const file = error.detail === undefined ? '' : ` (${error.detail})`;
    throw new BackupError(`${error.message}${file} Use another copy of the archive, an earlier moment, or a backup.`);
  }
}

async function restore(options: ArchiveRestoreOptions): Promise<EventsVerdict> {
  const { config, folder, until, keys, log, say } = options;
  if (config.stores.databaseUrl !== undefined || config.stores.eventsUrl !== undefined) {
    throw new BackupError(
      'An archive holds the files of embedded stores and is restored into a data folder: unset DATABASE_URL and EVENTS_URL. For stores elsewhere use a backup.',
    );
  }
  const keyText = keys.from === 'file' ? await readKeyFile(keys.path) : undefined;
  if (keyText !== undefined) await checkKeys(keyText, config);
  const plan = await planRecovery({ folder, until, say });
  await requireEmptyFolder(config.dataDir);
  const stopping = createStopList();
  const lock = await lockDataDir(config.dataDir);
  stopping.add(() => lock.release());
  try {
    await recoverDatabase({ folder, dataDir: config.dataDir, plan, log, say });
  } catch (error) {
    await stopping.run();
    throw error;
  }
  const stores = await startStores(config, log, stopping);
  try {
    return await complete(stores, { ...options, plan, keyText });
  } finally {
    await stores.stop();
  }
}

async function complete(
  stores: StoreAccess,
  options: ArchiveRestoreOptions & { plan: RecoveryPlan; keyText: string | undefined },
): Promise<EventsVerdict> {
  const { config, folder, log, say, plan, keyText } = options;
  const { databaseUrl: url } = stores;
  const { base, cut, until } = plan;
  const moment = plan.moment.toISOString();
  const events = openEvents(stores.events);
  try {
    await withDatabase(stores, async (client) => {
      const migrations = await listMigrations(client);
      requireKnownMigrations({ migrations, product_version: base.product_version });
    });
    await recoverEvents(events, { folder, cut, say });
    const verdict = await withDatabase(stores, async (client) => {
      await readEveryRow(client, say);
      return await fitEvents(events, client, { cut, until, say });
    });
    await restoreFiles(options);
    if (keyText !== undefined) await putKeysBack(config, keyText);
    await migrate({ url, migrations: migrationList, log });
    await prove(url, options, keyText !== undefined);
    await withDatabase(stores, noteRestored);
    say(`Restored to ${moment}.`);
    return verdict;
  } finally {
    await events.client.close();
  }
}

/** Pages carry checksums, and a page nobody reads is not compared. */
async function readEveryRow(client: Parameters<typeof listTables>[0], say: (line: string) => void): Promise<void> {
  const tables = await listTables(client);
  for (const table of tables) await client.query(`copy ${nameOf(table)} to '/dev/null'`);
  say(`Database: every row of ${tables.length} tables read.`);
}

async function restoreFiles({ config, folder, say }: ArchiveRestoreOptions): Promise<void> {
  const filesOf = createFileStores(config);
  let files = 0;
  for (const kind of fileKinds) {
    for (const name of await listWhole(join(folder, FILES, kind))) {
      await filesOf(kind).put(name, createReadStream(join(folder, FILES, kind, name)));
      files++;
    }
  }
  say(`Files: ${files} put back.`);
}
