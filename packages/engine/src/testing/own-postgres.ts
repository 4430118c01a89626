/**
 * A PostgreSQL of its own for a test that kills it. Its port never changes, so that whoever was connected finds it again. As
 * root it runs as `nobody`, because PostgreSQL refuses to run as root.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

/** Durable as in the product: a commit that was answered is on the disk. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '32MB',
  max_connections: '40',
  jit: 'off',
} as const;

/** About 30 seconds; a killed server's sessions hold its shared memory for a moment, and until then it refuses to start. */
const START_TRIES = 3_000;

export interface OwnPostgres {
  readonly url: string;
  /** SIGKILL; resolves when it is gone. Its sessions see their connections cut. */
  kill(): Promise<void>;
  /** Starts it on the folder it was killed on; resolves when it has recovered and answers. */
  restart(): Promise<void>;
  /** Stops it and deletes its folder. */
  remove(): Promise<void>;
}

/** `binDir` holds `initdb` and `postgres`, as `killableBinDir` finds it. */
export async function startOwnPostgres(binDir: string): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'airdeck-own-postgres-'));
  const account = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  if (account) chownSync(folder, account.uid, account.gid);
  const run = { cwd: folder, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...account };
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  await promisify(execFile)(join(binDir, 'initdb'), ['-D', folder, ...options], run);
  const port = await freePort();
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const flags = Object.entries({ ...settings, port }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;

  async function restart(): Promise<void> {
    for (let tries = 0; tries < START_TRIES; tries += 1) {
      if (!isAlive(server))
        server = spawn(join(binDir, 'postgres'), ['-D', folder, ...flags], { ...run, stdio: 'ignore' });
      if (await answers(url)) return;
      await sleep(10);
    }
    throw new Error('The database of this test did not start.');
  }
  async function end(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    if (!server || !isAlive(server)) return;
    const gone = once(server, 'exit');
    server.kill(signal);
    await gone;
  }

  await restart();
  return {
    url,
    kill: () => end('SIGKILL'),
    restart,
    async remove() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where the programs of the running server at `url` lie. It must run on this machine, and the login be its owner. */
async function binDirOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ setting: string }>(`select setting from pg_config where name = 'BINDIR'`);
    return rows[0]?.setting ?? '';
  } finally {
    await client.end();
  }
}

/**
 * Where the programs of the server at `url` lie; null when they are not on this machine, so that no server can be started to
 * be killed. Where `CI` is set it rejects then: what must be tried there must not be left out unseen.
 */
export async function killableBinDir(url: string): Promise<string | null> {
  const binDir = await binDirOf(url);
  if (existsSync(join(binDir, 'initdb'))) return binDir;
  if (process.env.CI) throw new Error(`There is no PostgreSQL to kill: ${join(binDir, 'initdb')} does not exist.`);
  return null;
}

function isAlive(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}
