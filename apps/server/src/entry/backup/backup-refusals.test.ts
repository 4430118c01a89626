import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
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
import { restoreArchive } from '../archive/restore-archive.ts';
import { asAdmin, configOf, createEmptyStores, eventsUrlOf } from './backup-fixture.ts';
import type { Manifest } from './backup-manifest.ts';
import { readKeysOf } from './key-bundle.ts';
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

describe('keys are looked at before the hour of work that ends with them', () => {
  /** A restore into a place that is never reached: what is refused is refused before any store is called. */
  const restoreBesides = (connectorKeysFile: string, keys: RestoreOptions['keys'] = { from: 'backup' }) => {
    const stores = { databaseUrl: 'postgresql://127.0.0.1:1/never', eventsUrl: 'http://127.0.0.1:1/never' };
    const config = { ...configOf(at(`target-${randomUUID()}`), stores), connectorKeysFile };
    const lines: string[] = [];
    const done = runRestore({
      config,
      folder: at('backup'),
      keys,
      log: quietLog,
      say: (line) => void lines.push(line),
    });
    return { done, lines };
  };
  const keysOfSource = async () =>
    JSON.parse(await readFile(at('source/connector-keys.json'), 'utf8')) as {
      current: string;
      keys: Record<string, string>;
    };

  it('by a restore, that is refused where another key file lies, before it compares a file', async () => {
    const place = at('shared-other.json');
    await openKeyFile(place);
    const { done, lines } = restoreBesides(place);
    await expect(done).rejects.toThrow(`${place} holds other keys than the backup. Move it away first.`);
    await writeFile(place, '{"current":"k1","keys":{"k1":"c2VjcmV0"}}');
    const damaged = restoreBesides(place);
    await expect(damaged.done).rejects.toThrow(`The key file ${place} is damaged`);
    await expect(damaged.done).rejects.not.toThrow('c2VjcmV0');
    const nowhere = restoreBesides(at('nowhere/keys.json'));
    await expect(nowhere.done).rejects.toThrow(`${at('nowhere/keys.json')} cannot be written (ENOENT)`);
    expect([...lines, ...damaged.lines, ...nowhere.lines]).toEqual([]);
  });

  it('by a restore of an archive, before it looks into the archive', async () => {
    const path = at('of-source.json');
    await writeFile(path, await readKeysOf(configOf(at('source'))));
    const connectorKeysFile = at('shared-foreign.json');
    await openKeyFile(connectorKeysFile);
    const config = { ...configOf(at('from-archive')), connectorKeysFile };
    const options = { config, folder: at('no-archive'), until: undefined, log: quietLog, say };
    await expect(restoreArchive({ ...options, keys: { from: 'file', path } })).rejects.toThrow(
      `${connectorKeysFile} holds other keys than the backup`,
    );
  });

  it('by a restore, that is content with a key file that has every key of the backup', async () => {
    const { current, keys } = await keysOfSource();
    const k2 = randomBytes(32).toString('base64');
    const more = { current: 'k2', keys: { k2, ...keys } };
    for (const [name, text] of [
      ['formatted', JSON.stringify({ keys, current }, null, 2)],
      ['superset', JSON.stringify(more)],
    ] as const) {
      const place = at(`shared-${name}.json`);
      await writeFile(place, text);
      const config = { ...configOf(at(`target-${name}`), await newStores()), connectorKeysFile: place };
      await restore(at('backup'), { config });
      expect(await readFile(place, 'utf8')).toBe(text);
    }
  });

  it('by a restore, that refuses keys in which those of the connectors are missing or damaged', async () => {
    for (const files of [{ 'identity.secret': 's' }, { 'identity.secret': 's', 'connector-keys.json': '{}' }]) {
      const path = at(`part-${randomUUID()}.json`);
      await writeFile(path, JSON.stringify({ airdeck_keys: 1, files }));
      const { done, lines } = restoreBesides(at('free.json'), { from: 'file', path });
      await expect(done).rejects.toThrow('The key file is damaged');
      expect(lines).toEqual([]);
    }
  });

  it('by a backup, that writes nothing where its keys cannot be read or written', async () => {
    const config = { ...configOf(at('source'), sourceStores()), connectorKeysFile: at('no-such.json') };
    await expect(backUp('keyless', { config })).rejects.toThrow(`There is no key file ${at('no-such.json')}`);
    expect(await readdir(at('keyless'))).toEqual([]);
    await writeFile(at('taken.json'), 'mine');
    const taken = { kept: 'elsewhere', path: at('taken.json') } as const;
    await expect(backUp('untaken', { keys: taken })).rejects.toThrow(`There already is a file ${at('taken.json')}`);
    expect(await readdir(at('untaken'))).toEqual([]);
    expect(await readFile(at('taken.json'), 'utf8')).toBe('mine');
    const nowhere = { kept: 'elsewhere', path: at('nowhere/keys.json') } as const;
    await expect(backUp('unreached', { keys: nowhere })).rejects.toThrow('cannot be written (ENOENT)');
  });

  it('by a backup, that takes its key file away again when the rest fails', async () => {
    const { databaseUrl } = sourceStores();
    const config = configOf(at('source'), { databaseUrl, eventsUrl: 'http://127.0.0.1:1/never' });
    const path = at('half-keys.json');
    await expect(backUp('half-way', { config, keys: { kept: 'elsewhere', path } })).rejects.toThrow();
    await expect(stat(path)).rejects.toThrow('ENOENT');
  });

  it('by a backup, whose key file has a key that was made meanwhile: rows may be sealed with it', async () => {
    const { current, keys } = await keysOfSource();
    const path = at('late-keys.json');
    const more = { current: 'k9', keys: { ...keys, k9: randomBytes(32).toString('base64') } };
    const { keys: kept } = await backUp('late', {
      keys: { kept: 'elsewhere', path },
      say: () => writeFileSync(at('source/connector-keys.json'), JSON.stringify(more)),
    });
    await writeFile(at('source/connector-keys.json'), JSON.stringify({ current, keys }));
    const text = await readFile(path, 'utf8');
    expect(text).toContain(more.keys.k9);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(kept).toEqual({ kept: 'elsewhere', sha256: createHash('sha256').update(text).digest('hex') });
    expect((await readdir(root)).filter((name) => name.startsWith('late-keys'))).toEqual(['late-keys.json']);
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
