import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ArchiveStateName } from '@airdeck/contracts/operations/schema';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { lockDataDir } from '../../storage/data-dir-lock.ts';
import { type EmbeddedEvents, startEmbeddedEvents } from '../../storage/embedded-events.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../storage/embedded-postgres.ts';
import { createEventsStore, type EventsStore } from '../../storage/events-store.ts';
import { migrationList } from '../../storage/migration-list.ts';
import { migrate } from '../../storage/migrations.ts';
import { postgresAccount } from '../../storage/postgres-account.ts';
import { locatePostgresBinaries } from '../../storage/postgres-binaries.ts';
import { renewPassword } from '../../storage/postgres-cluster.ts';
import { quietLog } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { configOf } from '../backup/backup-fixture.ts';
import { type Archive, startArchive } from './archiver.ts';
import { recoverDatabase } from './recover-database.ts';
import { planRecovery, type RecoveryPlan } from './recovery-plan.ts';
import { connectForReplication, streamBase } from './replication.ts';
import { restoreArchive } from './restore-archive.ts';

const periods = { flushMs: 50, cutMs: 100, baseMs: 3_600_000, retryMs: 50 };
const DISK_MIB = 64;

let root: string;
let release: () => void;
let postgres: EmbeddedPostgres;
let embedded: EmbeddedEvents;
let events: EventsStore;
let client: pg.Client;
let archive: Archive | undefined;
const mounted: string[] = [];
const at = (path: string) => join(root, path);

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'airdeck-archive-faults-'));
  await mkdir(at('data'));
  ({ release } = await lockDataDir(at('data')));
  // Two files of log for an archive that is slow, as a copy makes the database begin a new one: what is away for longer finds a gap.
  const parameters = { wal_keep_size: '32MB' };
  postgres = await startEmbeddedPostgres({ dataDir: at('data'), parameters, log: quietLog });
  embedded = await startEmbeddedEvents({ dataDir: at('data'), log: quietLog });
  await migrate({ url: postgres.url, migrations: migrationList, log: quietLog });
  events = createEventsStore({ ...embedded, log: quietLog });
  await events.prepare();
  client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('create table told (id int primary key, filling text)');
});
afterEach(async () => {
  await archive?.stop();
  archive = undefined;
});
afterAll(async () => {
  await client?.end();
  await events?.close();
  await embedded?.stop();
  await postgres?.stop();
  release?.();
  for (const folder of mounted) execFileSync('umount', ['-l', folder]);
  await rm(root, { recursive: true, force: true });
});

function begin(folder: string, log = quietLog): Archive {
  const stores = { databaseUrl: postgres.url, events: embedded };
  const deps = { dataDir: at('data'), productVersion: '0.0.0', now: () => new Date(), log, periods };
  archive = startArchive({ folder: at(folder), ...stores, ...deps });
  return archive;
}

async function reaches(state: ArchiveStateName, of = archive): Promise<void> {
  await vi.waitFor(() => expect(of?.figures().state).toBe(state), { timeout: 90_000 });
}

/** Everything up to now. */
async function secures(): Promise<void> {
  const now = new Date().toISOString();
  await vi.waitFor(() => expect(String(archive?.figures().secured_until) >= now).toBe(true), { timeout: 30_000 });
}

let count = 0;
/** Text that cannot be packed, so that it takes room. */
async function write(bytes = 10): Promise<number> {
  const id = ++count;
  const filling = randomBytes(bytes).toString('base64');
  await client.query('insert into told values ($1, $2)', [id, filling]);
  await events.insert([eventRow({ tenant: v7(), batch: v7() })]);
  return id;
}

async function nextSegment(): Promise<void> {
  await client.query('select pg_switch_wal()');
}

async function toldIn(dataDir: string): Promise<number[]> {
  const running = await startEmbeddedPostgres({ dataDir, log: quietLog });
  const own = new pg.Client({ connectionString: running.url });
  try {
    await own.connect();
    const { rows } = await own.query<{ id: number }>('select id from told order by id');
    return rows.map(({ id }) => id);
  } finally {
    await own.end();
    await running.stop();
  }
}

const said: string[] = [];
async function restore(folder: string, to: string, until?: Date): Promise<number[]> {
  said.length = 0;
  await restoreArchive({
    ...{ config: configOf(at(to)), folder: at(folder), until, keys: { from: 'none' }, log: quietLog },
    say: (line) => void said.push(line),
  });
  return await toldIn(at(to));
}

const upTo = (id: number) => Array.from({ length: id }, (_, index) => index + 1);

describe('the folder of an archive', () => {
  it('that is away is not written to, and is gone on with when it is back, although the log has a gap by then', async () => {
    await mkdir(at('away'));
    begin('away');
    await write();
    await reaches('working');
    await secures();
    await rename(at('away'), at('elsewhere'));
    await reaches('away');
    // What is below a disk that is not mounted.
    await mkdir(at('away'));
    for (let n = 0; n < 8; n++) {
      await write();
      await nextSegment();
      await client.query('checkpoint');
    }
    expect(archive?.figures().state).toBe('away');
    expect(await readdir(at('away'))).toEqual([]);
    const meanwhile = new Date();
    await rm(at('away'), { recursive: true });
    await rename(at('elsewhere'), at('away'));
    await reaches('working');
    const last = await write();
    await secures();
    // A new one for the gap. Each gap makes one, and a slow machine more gaps; no more than two are kept.
    expect((await readdir(at('away/bases'))).length).toBe(2);
    await archive?.stop();
    expect(await restore('away', 'from-away')).toEqual(upTo(last));
    // Of more than one gap no copy from before the first is left.
    await expect(restore('away', 'from-meanwhile', meanwhile)).rejects.toThrow(/has a gap|goes back to/);
  });

  it('of another installation is refused and stays as it is', async () => {
    await cp(at('away'), at('foreign'), { recursive: true });
    const before = (await readdir(at('foreign'), { recursive: true })).sort();
    begin('foreign');
    await reaches('foreign');
    await write();
    expect((await readdir(at('foreign'), { recursive: true })).sort()).toEqual(before);
  });

  it('is gone on with although a list of events in it is damaged', async () => {
    const lists = (await readdir(at('away/cuts'))).sort();
    await truncate(at(`away/cuts/${lists.at(-1)}`), 20);
    begin('away');
    const last = await write();
    await reaches('working');
    await secures();
    await archive?.stop();
    expect(await restore('away', 'from-damaged')).toEqual(upTo(last));
  });

  it('is gone on with although what says how far its log goes is damaged, and tells it once', async () => {
    const before = await readdir(at('away/bases'));
    await writeFile(at('away/wal/progress.json'), '');
    const told: string[] = [];
    begin('away', { ...quietLog, warn: (_fields, message) => void told.push(message) });
    const last = await write();
    await reaches('working');
    await secures();
    expect(archive?.figures().rebuilt_at).not.toBeNull();
    expect(told.filter((line) => line.includes('wal/progress.json is not what was written'))).toHaveLength(1);
    // Nothing is missing of the log: no copy of the database was needed.
    expect(await readdir(at('away/bases'))).toEqual(before);
    await archive?.stop();
    expect(JSON.parse(await readFile(at('away/wal/progress.json'), 'utf8'))).toMatchObject({ content: {} });
    expect(await restore('away', 'from-rebuilt')).toEqual(upTo(last));
  });

  it('with anything else in it is refused', async () => {
    await mkdir(at('photos'));
    await writeFile(at('photos/holiday.jpg'), '');
    begin('photos');
    await reaches('foreign');
    expect(await readdir(at('photos'))).toEqual(['holiday.jpg']);
  });

  it('that is full says so while the stores work on, and goes on when there is room', { timeout: 240_000 }, async ({
    skip,
  }) => {
    await mkdir(at('small'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', at('small')], { stdio: 'ignore' });
      mounted.push(at('small'));
    } catch {
      skip('no disk of its own could be mounted: only root may');
    }
    begin('small');
    await reaches('working');
    for (let n = 0; n < 40; n++) await write(2_000_000);
    await reaches('full');
    const last = await write();
    execFileSync('mount', ['-o', 'remount,size=1g', at('small')], { stdio: 'ignore' });
    await reaches('working');
    await secures();
    await archive?.stop();
    expect(await restore('small', 'from-small')).toEqual(upTo(last));
    await client.query(`update told set filling = ''`);
    await client.query('vacuum full told');
  });
});

describe('a restored database', () => {
  it('is behind its fence before anybody can use it, although the one of an earlier restore was lifted', async () => {
    await mkdir(at('fenced'));
    begin('fenced');
    await reaches('working');
    await client.query(
      `insert into restore_fence (state, backup_taken_at, restored_at, lifted_at) values ('lifted', now(), now(), now())`,
    );
    await secures();
    await archive?.stop();
    await client.query('delete from restore_fence');
    const plan = await planRecovery({ folder: at('fenced'), until: undefined, say: () => undefined });
    const lock = await recovered('fenced', 'from-fenced', plan);
    try {
      expect(await fenceIn(at('from-fenced'))).toEqual([
        { state: 'restoring', backup_taken_at: plan.moment, restored_at: null, lifted_at: null },
      ]);
      // Where something of it fails, it must not pass for done.
      const { postgres: program } = locatePostgresBinaries(postgresAccount(), quietLog);
      await expect(renewPassword(at('from-fenced'), program, ['delete from nothing'])).rejects.toThrow('password');
    } finally {
      lock.release();
    }
  });
});

async function recovered(folder: string, to: string, plan: RecoveryPlan) {
  await mkdir(at(to));
  const lock = await lockDataDir(at(to));
  await recoverDatabase({ folder: at(folder), dataDir: at(to), plan, log: quietLog, say: () => undefined });
  return lock;
}

async function fenceIn(dataDir: string): Promise<unknown[]> {
  const running = await startEmbeddedPostgres({ dataDir, log: quietLog });
  const own = new pg.Client({ connectionString: running.url });
  try {
    await own.connect();
    const { rows } = await own.query('select state, backup_taken_at, restored_at, lifted_at from restore_fence');
    return rows;
  } finally {
    await own.end();
    await running.stop();
  }
}

it('a copy of the database that nobody could begin to write ends without taking the server with it', async () => {
  const replicating = await connectForReplication(postgres.url);
  const { tar, done } = streamBase(replicating, 32_768);
  await replicating.end();
  await expect(done).rejects.toThrow();
  await expect.poll(() => tar.destroyed).toBe(true);
});

describe('the log in an archive', () => {
  it('is refused where a file of it is not what was written, with the moment before it, which can be restored', async () => {
    await mkdir(at('torn'));
    begin('torn');
    await reaches('working');
    const first = await write();
    await secures();
    for (let n = 0; n < 3; n++) {
      await nextSegment();
      await write();
      await secures();
    }
    const last = count;
    await archive?.stop();
    await cp(at('torn'), at('torn-end'), { recursive: true });
    await cp(at('torn'), at('torn-part'), { recursive: true });

    const whole = (await readdir(at('torn/wal'))).filter((name) => name.endsWith('.gz')).sort();
    const name = `wal/${whole.at(-2)}`;
    const content = await readFile(at(`torn/${name}`));
    const middle = content.length >> 1;
    content[middle] = (content[middle] ?? 0) ^ 0xff;
    await writeFile(at(`torn/${name}`), content);
    const refused = await restore('torn', 'from-torn').catch((error: Error) => error.message);
    expect(refused).toContain(`${name} is not what was written`);
    const [, until = ''] = /--until (\S+),/.exec(String(refused)) ?? [];
    const there = await restore('torn', 'from-before', new Date(until));
    expect(there).toEqual(upTo(there.length));
    expect(there.length).toBeGreaterThanOrEqual(first);
    expect(there.length).toBeLessThan(last);
  });

  it('says so where its last file is shorter than what was archived, and restores what is before', async () => {
    const partial = (await readdir(at('torn-end/wal'))).sort().findLast((name) => name.endsWith('.partial')) ?? '';
    await truncate(at(`torn-end/wal/${partial}`), 100);
    const there = await restore('torn-end', 'from-end');
    expect(said.some((line) => line.startsWith('The last file of the log is not what was written'))).toBe(true);
    expect(there).toEqual(upTo(there.length));
  });

  it('does not hide a part of the event store that was changed', async () => {
    const [part = ''] = await readdir(at('torn-part/parts'));
    const content = await readFile(at(`torn-part/parts/${part}`));
    content[content.length - 1] = (content.at(-1) ?? 0) ^ 1;
    for (const name of await readdir(at('torn-part/parts'))) await writeFile(at(`torn-part/parts/${name}`), content);
    await expect(restore('torn-part', 'from-part')).rejects.toThrow('not what was written');
  });
});
