import { mkdir, readdir } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import type { StorageLog } from '../../storage/storage-log.ts';
import { BackupError } from './backup-error.ts';
import { type Manifest, writeManifest } from './backup-manifest.ts';
import { backUpFiles } from './data-files.ts';
import { backUpDatabase, lateBatches } from './database-backup.ts';
import { openEvents } from './events-access.ts';
import { backUpEvents } from './events-backup.ts';
import { keysSha256, readKeysOf, writeKeyFile } from './key-bundle.ts';
import { writePlain } from './packed-file.ts';
import { reachStores, withDatabase } from './store-access.ts';

/** Where an installation keeps what belongs into a backup. */
export type BackedUpConfig = Pick<
  Config,
  'dataDir' | 'stores' | 'filesBucket' | 'identitySecret' | 'connectorKeysFile'
>;

export type BackupOptions = {
  config: BackedUpConfig;
  productVersion: string;
  folder: string;
  /** A path keeps them outside the backup. */
  keys: { kept: 'inside' } | { kept: 'elsewhere'; path: string } | { kept: 'no' };
  log: StorageLog;
  say: (line: string) => void;
};

/** Writes a backup of the whole installation into a new folder, while it works or stands still. */
export async function takeBackup(options: BackupOptions): Promise<Manifest> {
  const { config, folder, log, say } = options;
  await requireNewFolder(folder);
  const stores = await reachStores(config, log);
  try {
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
      const keys = await keepKeys(options);
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
  } finally {
    await stores.stop();
  }
}

async function requireNewFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length === 0) return;
  throw new BackupError(`${folder} is not empty. Name a new folder for the backup.`);
}

async function keepKeys({ config, folder, keys, say }: BackupOptions): Promise<Manifest['keys']> {
  const secretElsewhere =
    config.identitySecret === undefined ? '' : ' IDENTITY_SECRET is set in the environment: keep its value as well.';
  if (keys.kept === 'no') {
    say(
      `Keys: NOT in this backup. Without connector-keys.json and identity.secret of the data folder nobody can open the connectors' secrets in it or keep people signed in: keep them elsewhere, or use --keys <file> or --with-keys.${secretElsewhere}`,
    );
    return { kept: 'no' };
  }
  const text = await readKeysOf(config);
  if (keys.kept === 'elsewhere') {
    await writeKeyFile(keys.path, text);
    say(`Keys: in ${keys.path}, readable by you only. Keep it apart from the backup.${secretElsewhere}`);
    return { kept: 'elsewhere', sha256: keysSha256(text) };
  }
  const file = await writePlain(
    folder,
    'keys.json',
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  say(
    `Keys: IN the backup (keys.json). Whoever has this folder can open the connectors' secrets and sign in as anybody: guard it like the installation itself.${secretElsewhere}`,
  );
  return { kept: 'inside', file };
}
