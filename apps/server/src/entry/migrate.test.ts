import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtProgram } from '../built-program.ts';
import { migrationList } from '../storage/migration-list.ts';
import { migrate } from '../storage/migrations.ts';
import { quietLog } from '../storage/test-database.ts';
import { createEmptyStores, type StoreUrls } from './backup/backup-fixture.ts';
import { withDatabase } from './backup/store-access.ts';

const program = fileURLToPath(builtProgram('migrate'));
const ids = migrationList.map(({ id }) => id);

let folder: string;
const made: { drop(): Promise<void> }[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-'));
});
afterEach(async () => {
  for (const { drop } of made.splice(0)) await drop();
  await rm(folder, { recursive: true });
});

async function newStores() {
  const stores = await createEmptyStores();
  made.push(stores);
  return stores;
}

type Ended = { code: number; out: string[]; errors: string };

function run(stores: Partial<StoreUrls> = {}): Promise<Ended> {
  const { databaseUrl: DATABASE_URL, eventsUrl: EVENTS_URL } = stores;
  const env = { PATH: process.env.PATH, AIRDECK_DATA_DIR: folder, DATABASE_URL, EVENTS_URL };
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out.split('\n').filter(Boolean), errors }),
    );
  });
}

describe('airdeck migrate', () => {
  it('brings the stores up to date, says what it applied, and finds nothing to do after that', async () => {
    const stores = await newStores();
    const before = migrationList.slice(0, -2);
    await migrate({ url: stores.databaseUrl, migrations: before, log: quietLog });
    const first = await run(stores);
    expect(first).toMatchObject({ code: 0, out: ids.slice(-2) });
    expect(first.errors).toMatch(/^Done in [\d.]+ s: 2 migrations applied, \d+ were there\.\n$/);
    expect(await run(stores)).toMatchObject({ code: 0, out: [] });
    const recorded = await withDatabase(stores, async (client) => {
      const { rows } = await client.query<{ id: string }>('select id from airdeck_migration');
      return rows.map(({ id }) => id);
    });
    expect(recorded.sort()).toEqual([...ids].sort());
    expect(await readdir(folder)).toEqual([]);
  });

  it('ends with 1 and a sentence where a store does not answer, or there is none', async () => {
    const { databaseUrl } = await newStores();
    const dead = { databaseUrl: 'postgresql://air:hunter2@127.0.0.1:1/air', eventsUrl: 'http://127.0.0.1:1/air' };
    const nowhere = await run(dead);
    expect([nowhere.code, nowhere.out]).toEqual([1, []]);
    expect(nowhere.errors).toMatch(/^The store at DATABASE_URL \(127\.0\.0\.1:1\/air\) cannot be used: .*\n$/);
    const half = await run({ ...dead, databaseUrl });
    expect([half.code, half.out]).toEqual([1, ids]);
    expect(half.errors).toMatch(/^The store at EVENTS_URL \(127\.0\.0\.1:1\/air\) cannot be used: .*\n$/);
    const none = await run();
    expect([none.code, none.out]).toEqual([1, []]);
    expect(none.errors).toContain(`There is no installation in ${folder}`);
  });
});
