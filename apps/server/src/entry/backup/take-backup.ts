import { mkdir, readdir } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { StorageLog } from '../../storage/storage-log.ts';
import { BackupError } from './backup-error.ts';
import { type Manifest, writeManifest } from './backup-manifest.ts';
import { backUpFiles } from './data-files.ts';
import { backUpDatabase, lateBatches } from './database-backup.ts';
import { openEvents } from './events-access.ts';
import { backUpEvents } from './events-backup.ts';
import { beginKeys, type KeptKeys, type KeysWanted } from './kept-keys.ts';
import { reachStores, type StoreAccess, withDatabase } from './store-access.ts';

/** Where an installation keeps what belongs into a backup. */
export type BackedUpConfig = Pick<
  Config,
  'dataDir' | 'stores' | 'filesBucket' | 'identitySecret' | 'connectorKeysFile'
>;

export type BackupOptions = {
  config: BackedUpConfig;
  productVersion: string;
  folder: string;
  keys: KeysWanted;
  log: StorageLog;
  say: (line: string) => void;
};

/** Writes a backup of the whole installation into a new folder, while it works or stands still. */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const { config, folder, log } = options;
  await requireNewFolder(folder);
  const stores = await reachStores(config, log);
  try {
    const keys = await beginKeys(options);
    try {
      return await dump(stores, options, keys);
    } catch (error) {
      await keys.takeAway();
      throw error;
    }
  } finally {
    await stores.stop();
  }
}

async function dump(stores: StoreAccess, options: BackupOptions, kept: KeptKeys): Promise<Manifest> {
  const { config, folder, say } = options;
  return await withDatabase(stores, async (client) => {
    const { batches, receivedUntil, ...database } = await backUpDatabase(client, { folder, say });
    const access = openEvents(stores.events);
    const known = { batches, receivedUntil, moment: new Date(database.taken_at) };
    const events = await backUpEvents(access, {
      folder,
      receivedUntil,
      lateBatches: () => lateBatches(client, known),
      say,
    }).finally(() => access.client.close());
    const files = await backUpFiles(config, { folder, say });
    const keys = await kept.finish();
    const manifest: Manifest = {
      format: 1,
      product_version: options.productVersion,
      finished_at: new Date().toISOString(),
      ...database,
      events,
      files,
      keys,
    };
    await writeManifest(folder, manifest);
    return manifest;
  });
}

async function requireNewFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length === 0) return;
  throw new BackupError(`${folder} is not empty. Name a new folder for the backup.`);
}
