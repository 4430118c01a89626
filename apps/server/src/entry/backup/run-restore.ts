/**
 * Puts a backup back into an empty place. Steps, each of which leaves the target unusable as an installation until the last:
 *
 *   1. the keys and their places are looked at, everything of the backup is read and compared with its manifest; nothing is
 *      touched before
 *   2. the tables are made as they were, the restore fence goes up (`restoring`), rows are loaded and read back
 *   3. events, files and keys
 *   4. audit chains and secrets are proved, the fence says `up`, newer migrations are applied
 *
 * What breaks off stays behind a fence that cannot be lifted; the target is emptied and the restore begun anew.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openKeyFile } from '../../modules/connectors/key-file.ts';
import { RESTORE_FENCE_MIGRATION } from '../../modules/restore-fence/restore-fence-migrations.ts';
import { lockDataDir } from '../../storage/data-dir-lock.ts';
import { openDatabase } from '../../storage/database.ts';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate, migrationChecksum } from '../../storage/migrations.ts';
import type { StorageLog } from '../../storage/storage-log.ts';
import { createStopList } from '../stop-list.ts';
import { BackupError } from './backup-error.ts';
import { type Manifest, readManifest } from './backup-manifest.ts';
import { requireNoFiles, restoreFiles } from './data-files.ts';
import { restoreDatabase } from './database-restore.ts';
import { findAnyRelation } from './database-tables.ts';
import { openEvents } from './events-access.ts';
import { requireNoEvents, restoreEvents } from './events-restore.ts';
import { checkKeys, keysSha256, putKeysBack, readKeyFile } from './key-bundle.ts';
import { checkFile } from './packed-file.ts';
import { checkAuditChains, checkConnectorSecrets, checkIdentitySecret } from './restore-checks.ts';
import { noteRestored, raiseFence } from './restore-fence-row.ts';
import { type StoreAccess, startStores, withDatabase } from './store-access.ts';
import type { BackedUpConfig } from './take-backup.ts';

export type RestoreOptions = {
  config: BackedUpConfig;
  folder: string;
  /** A path for keys that were kept elsewhere; `none` leaves what is sealed sealed. */
  keys: { from: 'backup' } | { from: 'file'; path: string } | { from: 'none' };
  log: StorageLog;
  say: (line: string) => void;
};

export async function runRestore(options: RestoreOptions): Promise<Manifest> {
  const { config, folder, log, say } = options;
  const manifest = await readManifest(folder);
  requireKnownMigrations(manifest);
  const keyText = await keysOf(manifest, options);
  // First, because comparing and loading may take an hour.
  if (keyText !== undefined) await checkKeys(keyText, config);
  say(`Backup of ${manifest.taken_at}, version ${manifest.product_version}: comparing every file.`);
  for (const file of filesOf(manifest)) await checkFile(folder, file);
  await requireEmptyFolder(config.dataDir);
  await requireNoFiles(config);
  const stopping = createStopList();
  const lock = await lockDataDir(config.dataDir);
  stopping.add(() => lock.release());
  const stores = await startStores(config, log, stopping);
  try {
    await load(stores, { ...options, manifest, keyText });
  } finally {
    await stores.stop();
  }
  return manifest;
}

async function load(
  stores: StoreAccess,
  options: RestoreOptions & { manifest: Manifest; keyText: string | undefined },
): Promise<void> {
  const { config, folder, log, say, manifest, keyText } = options;
  const { databaseUrl: url } = stores;
  const events = openEvents(stores.events);
  try {
    await withDatabase(stores, async (client) => {
      const relation = await findAnyRelation(client);
      if (relation !== undefined) {
        throw new BackupError(
          `The database is not empty (it has ${relation}): a restore needs an empty one. Name another database in DATABASE_URL.`,
        );
      }
    });
    await requireNoEvents(events);
    const then = new Set([...manifest.migrations.map(({ id }) => id), RESTORE_FENCE_MIGRATION]);
    await migrate({ url, migrations: migrationList.filter(({ id }) => then.has(id)), log });
    await withDatabase(stores, async (client) => {
      await raiseFence(client, manifest.taken_at);
      await restoreDatabase(client, { folder, manifest, say });
    });
    await restoreEvents(events, { folder, slices: manifest.events, say });
    await restoreFiles(config, { folder, files: manifest.files, say });
    if (keyText !== undefined) await putKeysBack(config, keyText);
    await migrate({ url, migrations: migrationList, log });
    await prove(url, options, keyText !== undefined);
    await withDatabase(stores, noteRestored);
  } finally {
    await events.client.close();
  }
}

export async function prove(
  url: string,
  { config, log, say }: Pick<RestoreOptions, 'config' | 'log' | 'say'>,
  withKeys: boolean,
): Promise<void> {
  const db = openDatabase({ url, log, poolSize: { app: 2, system: 2 } });
  try {
    say(`Audit log: ${await checkAuditChains(db)} records hold together.`);
    if (!withKeys) return;
    const keyFile = await openKeyFile(config.connectorKeysFile);
    const { opened, unopened } = await checkConnectorSecrets(db, keyFile);
    const secret = config.identitySecret ?? (await readKeyFile(join(config.dataDir, 'identity.secret'))).trim();
    await checkIdentitySecret(db, secret);
    say(`Secrets: ${opened} open${unopened === 0 ? '' : `, ${unopened} have to be entered again`}.`);
  } finally {
    await db.close();
  }
}

export function requireKnownMigrations(manifest: Pick<Manifest, 'migrations' | 'product_version'>): void {
  const known = new Map(migrationList.map((migration) => [migration.id, migrationChecksum(migration)]));
  const unknown = manifest.migrations.find(({ id, checksum }) => known.get(id) !== checksum);
  if (unknown === undefined) return;
  throw new BackupError(
    known.has(unknown.id)
      ? `The migration ${unknown.id} of this backup is not the one of this version. Restore with version ${manifest.product_version}, which made it.`
      : `This backup was made by a newer version (${manifest.product_version}): it has the migration ${unknown.id}, which this version does not know. Restore with that version or a later one.`,
  );
}

async function keysOf(manifest: Manifest, { keys, folder }: RestoreOptions): Promise<string | undefined> {
  if (keys.from === 'none') return undefined;
  const kept = manifest.keys;
  if (keys.from === 'file') {
    const text = await readKeyFile(keys.path);
    if (kept.kept === 'elsewhere' && kept.sha256 !== keysSha256(text)) {
      throw new BackupError(`${keys.path} is not the key file that was written with this backup, or it was changed.`);
    }
    return text;
  }
  if (kept.kept === 'inside') {
    await checkFile(folder, kept.file);
    return await readKeyFile(join(folder, kept.file.path));
  }
  throw new BackupError(
    'The keys are not in this backup. Name their file with --keys <file>; or restore with --without-keys, and put connector-keys.json and identity.secret into the data folder by hand before the first start: without them the secrets of all connectors and all authenticators are lost.',
  );
}

function filesOf({ tables, events, files, keys }: Manifest) {
  return [...tables, ...events, ...files, ...(keys.kept === 'inside' ? [keys.file] : [])];
}

export async function requireEmptyFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const [name] = (await readdir(dataDir)).filter((each) => !each.startsWith('airdeck.lock'));
  if (name === undefined) return;
  throw new BackupError(
    `The data folder ${dataDir} is not empty (it has ${name}): a restore needs an empty one. Name another with AIRDECK_DATA_DIR.`,
  );
}
