import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type PostgresAccount, postgresAccount } from './postgres-account.ts';
import { diskFull, StorageStartError } from './storage-start-error.ts';

export const POSTGRES_LOGIN = 'airdeck';
const MIN_FREE_BYTES = 128 * 1024 * 1024;

export type Cluster = { folder: string; password: string; account: PostgresAccount | undefined };

/**
 * The cluster folder `<dataDir>/postgres`, made by initdb on first use. It is created aside and renamed when complete,
 * so an interrupted first start leaves nothing that looks like a cluster. The password lies beside it, readable by us
 * alone, and is written before the cluster that depends on it.
 */
export async function prepareCluster(dataDir: string, initdb: string): Promise<Cluster> {
  const account = postgresAccount();
  const folder = join(dataDir, 'postgres');
  const passwordFile = join(dataDir, 'postgres.password');
  assertFreeSpace(dataDir);
  if (existsSync(folder)) {
    assertClusterOwned(folder, account);
    return { folder, password: readPassword(passwordFile), account };
  }
  const password = existsSync(passwordFile) ? readPassword(passwordFile) : randomBytes(24).toString('base64url');
  writeFileSync(passwordFile, password, { mode: 0o600, flush: true });
  const draft = join(dataDir, 'postgres.new');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  if (account !== undefined) chownSync(draft, account.uid, account.gid);
  await runInitdb({ initdb, folder: draft, password, account });
  renameSync(draft, folder);
  return { folder, password, account };
}

/** PostgreSQL's way to its folder: as another account on Linux through the working directory, which needs no rights on the parents. */
export function clusterPath(cluster: Pick<Cluster, 'folder' | 'account'>): string {
  return cluster.account !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : cluster.folder;
}

/** Nothing of our own environment (secrets, PG* variables) reaches PostgreSQL. */
export const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

function assertFreeSpace(dataDir: string): void {
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize < MIN_FREE_BYTES) throw diskFull(dataDir);
}

function assertClusterOwned(folder: string, account: PostgresAccount | undefined): void {
  const { uid, mode } = statSync(folder);
  const expected = account?.uid ?? process.geteuid?.() ?? uid;
  if (uid !== expected) {
    throw new StorageStartError(
      'DATA_DIR_NOT_OWNED',
      `The database folder ${folder} belongs to user id ${uid}, but PostgreSQL would run as user id ${expected}: start the program as the user who created it.`,
    );
  }
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function readPassword(file: string): string {
  if (!existsSync(file)) {
    throw new StorageStartError('CLUSTER_DAMAGED', `The database exists, but its password file ${file} is missing.`);
  }
  return readFileSync(file, 'utf8').trim();
}

type InitdbRun = { initdb: string; folder: string; password: string; account: PostgresAccount | undefined };

function runInitdb(run: InitdbRun): Promise<void> {
  const options = [
    ...['-D', clusterPath(run), '-U', POSTGRES_LOGIN, '-A', 'scram-sha-256', '--pwfile=/dev/stdin', '-E', 'UTF8'],
    ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums', '--no-instructions'],
  ];
  return new Promise((resolve, reject) => {
    // Through `cat`, because initdb opens its standard input by name and what Node hands over is a socket.
    const child = spawn('/bin/sh', ['-c', 'cat | "$0" "$@"', run.initdb, ...options], {
      cwd: run.folder,
      env: postgresEnvironment,
      stdio: ['pipe', 'ignore', 'pipe'],
      ...run.account,
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000);
    });
    child.stdin.on('error', (error) => {
      complaint += error.message;
    });
    child.stdin.end(`${run.password}\n`);
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve();
      else
        reject(new StorageStartError('STORE_START_FAILED', `The database could not be created: ${complaint.trim()}`));
    });
  });
}

/**
 * Gives the login of a cluster that stands still a new password, and writes it beside the cluster: of one that was copied
 * from elsewhere nobody has the old one. In single-user mode, so that it is at no time open to others. What has to be true
 * before anybody can use it (`statements`) comes with the password or not at all.
 */
export async function renewPassword(
  dataDir: string,
  postgres: string,
  statements: readonly string[] = [],
): Promise<void> {
  const folder = join(dataDir, 'postgres');
  const account = postgresAccount();
  const password = randomBytes(24).toString('base64url');
  writeFileSync(join(dataDir, 'postgres.password'), password, { mode: 0o600, flush: true });
  const options = [
    '--single',
    '-D',
    clusterPath({ folder, account }),
    '-c',
    'log_min_error_statement=panic',
    'postgres',
  ];
  await new Promise<void>((resolve, reject) => {
    const child = spawn(postgres, options, {
      cwd: folder,
      env: postgresEnvironment,
      stdio: ['pipe', 'pipe', 'ignore'],
      ...account,
    });
    let answer = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer = (answer + text).slice(-2_000);
    });
    child.stdin.on('error', () => undefined);
    const change = [...statements, `alter role ${POSTGRES_LOGIN} password '${password}'`];
    // It goes on after an error and ends with 0; a transaction that failed answers nothing more.
    const lines = ['begin', ...change.map(asOneLine), `select 'all ' || 'done'`, 'commit'];
    child.stdin.end(`${lines.join('\n')}\n`);
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0 && answer.includes('all done')) resolve();
      else reject(new StorageStartError('STORE_START_FAILED', 'The password of the database could not be set.'));
    });
  });
}

/** In single-user mode a statement ends with its line. */
function asOneLine(statement: string): string {
  return statement.replaceAll(/\s+/g, ' ');
}
