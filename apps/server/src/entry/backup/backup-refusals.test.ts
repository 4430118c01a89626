import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { openKeyFile } from '../../modules/connectors/key-file.ts';
import { openDatabase } from '../../storage/database.ts';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate } from '../../storage/migrations.ts';
import { quietLog } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { asAdmin, configOf, createEmptyStores, eventsUrlOf } from './backup-fixture.ts';
import type { Manifest } from './backup-manifest.ts';
import { lowerFence, raiseFence } from './restore-fence-row.ts';
import { type RestoreOptions, runRestore } from './run-restore.ts';
import { withDatabase } from './store-access.ts';
import { takeBackup } from './take-backup.ts';

const say = () => undefined;
const identitySecret = randomBytes(48).toString('base64url');
const made: { drop(): Promise<void> }[] = [];

let root: string;
let source: TestServer;
let manifest: Manifest;

const at = (path: string) => join(root, path);

async function newStores() {
  const stores = await createEmptyStores();
  made.push(stores);
  return stores;
}

const sourceStores = () => ({
  databaseUrl: source.stores.url,
  eventsUrl: eventsUrlOf(source.stores.eventsConnection.placement.database),
});

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airdeck-refusals-'));
  await mkdir(at('source'), { recursive: true });
  await writeFile(at('source/identity.secret'), identitySecret, { mode: 0o600 });
  source = await createTestServer({ identitySecret, keys: await openKeyFile(at('source/connector-keys.json')) });
  const tenant = await source.createTenant();
  await source.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  await source.stores.events.insert([
    eventRow({ tenant }),
    eventRow({ tenant, time: Date.UTC(1969, 6, 20, 20, 17, 40) }),
  ]);
  manifest = await backUp('backup');
});
afterAll(async () => {
  await source?.close();
  for (const { drop } of made) await drop();
  await rm(root, { recursive: true, force: true });
});

function backUp(folder: string, more: Partial<Parameters<typeof takeBackup>[0]> = {}): Promise<Manifest> {
  return takeBackup({
    config: configOf(at('source'), sourceStores()),
    productVersion: '0.0.0',
    folder: at(folder),
    keys: { kept: 'inside' },
    log: quietLog,
    say,
    ...more,
  });
}

/** A copy of the backup that a test may spoil. */
async function copy(): Promise<string> {
  const folder = at(`copy-${randomUUID()}`);
  await cp(at('backup'), folder, { recursive: true });
  return folder;
}

async function restore(folder: string, more: Partial<RestoreOptions> = {}): Promise<void> {
  const stores = { databaseUrl: 'postgresql://127.0.0.1:1/never', eventsUrl: 'http://127.0.0.1:1/never' };
  await runRestore({
    config: configOf(at(`target-${randomUUID()}`), stores),
    folder,
    keys: { from: 'backup' },
    log: quietLog,
    say,
    ...more,
  });
}

describe('a backup that is not what was written is refused before anything is touched', () => {
  it('without its manifest, as after a backup that broke off', async () => {
    const folder = await copy();
    await rm(join(folder, 'manifest.json'));
    await expect(restore(folder)).rejects.toThrow('the backup broke off');
    await expect(restore(at('nowhere'))).rejects.toThrow(`There is no backup in ${at('nowhere')}`);
  });

  it('with a file changed, shortened or missing, and says which', async () => {
    const path = 'database/public.audit_record.copy.gz';
    const [changed, shorter, without] = [await copy(), await copy(), await copy()];
    const bytes = await readFile(join(changed, path));
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    await writeFile(join(changed, path), bytes);
    await expect(restore(changed)).rejects.toThrow(`${path} is not what was written`);
    await truncate(join(shorter, path), 10);
    await expect(restore(shorter)).rejects.toThrow(`${path} is not what was written`);
    await rm(join(without, path));
    await expect(restore(without)).rejects.toThrow(`${path} is missing`);
  });

  it('with a changed manifest, such as one that leads out of the backup', async () => {
    const folder = await copy();
    await appendFile(join(folder, 'manifest.json'), 'x');
    await expect(restore(folder)).rejects.toThrow('manifest.json is not what was written');
    await expect(
      restore(await resealed({ files: [{ path: '../identity.secret', bytes: 1, sha256: '0'.repeat(64) }] })),
    ).rejects.toThrow('manifest.json is not what was written');
  });

  it('of a newer version, and names the version to restore with', async () => {
    const newer = [...manifest.migrations, { id: '9999-of-tomorrow', checksum: '0' }];
    const folder = await resealed({ product_version: '99.1.0', migrations: newer });
    await expect(restore(folder)).rejects.toThrow(/newer version \(99\.1\.0\).*9999-of-tomorrow/);
    await expect(restore(await resealed({ format: 2 as never }))).rejects.toThrow('format 2');
  });

  it('with the keys of another installation', async () => {
    await backUp('apart', { keys: { kept: 'elsewhere', path: at('apart.json') } });
    await expect(restore(at('apart'))).rejects.toThrow('The keys are not in this backup');
    await writeFile(at('other.json'), '{}');
    await expect(restore(at('apart'), { keys: { from: 'file', path: at('other.json') } })).rejects.toThrow(
      'not the key file that was written with this backup',
    );
    await expect(restore(at('backup'), { keys: { from: 'file', path: at('other.json') } })).rejects.toThrow(
      'The key file is damaged',
    );
    const withoutSecret = await readFile(at('source/connector-keys.json'), 'utf8');
    await writeFile(
      at('half.json'),
      JSON.stringify({ airdeck_keys: 1, files: { 'connector-keys.json': withoutSecret } }),
    );
    await expect(restore(at('backup'), { keys: { from: 'file', path: at('half.json') } })).rejects.toThrow(
      'set IDENTITY_SECRET',
    );
  });
});

async function resealed(change: Partial<Manifest>): Promise<string> {
  const folder = await copy();
  const changed = { ...manifest, ...change };
  const sha256 = createHash('sha256').update(JSON.stringify(changed)).digest('hex');
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ sha256, manifest: changed }));
  return folder;
}

describe('a target that is not empty is refused', () => {
  it('for a data folder, a database and an event store', async () => {
    const dataDir = at('occupied');
    await mkdir(dataDir);
    await writeFile(join(dataDir, 'notes.txt'), 'mine');
    const stores = await newStores();
    await expect(restore(at('backup'), { config: configOf(dataDir, stores) })).rejects.toThrow('notes.txt');
    const { databaseUrl, eventsUrl } = sourceStores();
    const full = configOf(at('free'), { ...stores, databaseUrl });
    await expect(restore(at('backup'), { config: full })).rejects.toThrow('The database is not empty');
    const events = configOf(at('free'), { ...stores, eventsUrl });
    await expect(restore(at('backup'), { config: events })).rejects.toThrow('already holds 2 events');
    expect(await readdir(dataDir)).toEqual(['notes.txt']);
  });

  it('for the folder a backup is to be written into', async () => {
    await expect(backUp('backup')).rejects.toThrow('is not empty');
  });
});

describe('a restore', () => {
  it('works with a login that owns the tables and is no superuser', async () => {
    const stores = await newStores();
    const login = `owner_${randomUUID().replaceAll('-', '')}`;
    await asAdmin(`create role ${login} login password 'x'`);
    const asOwner = new URL(stores.databaseUrl);
    [asOwner.username, asOwner.password] = [login, 'x'];
    await asAdmin(`alter database ${asOwner.pathname.slice(1)} owner to ${login}`);
    for (const role of ['airdeck_app', 'airdeck_system']) await asAdmin(`grant ${role} to ${login}`);
    const config = configOf(at('owned'), { ...stores, databaseUrl: asOwner.toString() });
    await restore(at('backup'), { config });
    const again = await backUp('again', { config });
    const rows = ({ tables }: Manifest) => tables.map(({ name, rows_sha256 }) => [name, rows_sha256]);
    expect(rows(again)).toEqual(rows(manifest));
    expect(again.events.map(({ rows_hash }) => rows_hash).sort()).toEqual(
      manifest.events.map(({ rows_hash }) => rows_hash).sort(),
    );
    await withDatabase(stores, async (client) => {
      const { rows: open } = await client.query<{ open: number }>(
        `select count(*)::int as open from pg_class where relname in ('connector', 'audit_record') and not relforcerowsecurity`,
      );
      expect(open).toEqual([{ open: 0 }]);
    });
  });

  it('that broke off leaves a fence nobody can lift', async () => {
    const { databaseUrl } = await newStores();
    await migrate({ url: databaseUrl, migrations: migrationList, log: quietLog });
    await withDatabase({ databaseUrl }, (client: pg.Client) => raiseFence(client, manifest.taken_at));
    const half = configOf(at('source'), { ...sourceStores(), databaseUrl });
    await expect(backUp('half', { config: half })).rejects.toThrow('nothing whole to back up');
    const db = openDatabase({ url: databaseUrl, log: quietLog, poolSize: { app: 1, system: 2 } });
    await expect(lowerFence(db, new Date())).rejects.toThrow('did not finish');
    await db.close();
  });
});
