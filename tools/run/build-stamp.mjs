/**
 * Tells whether a build still fits its sources.
 *
 * The stamp holds two signatures: one of names, sizes and times, read on every start because it costs milliseconds, and
 * one of contents, compared only when the first differs (a fresh checkout has new times on the same files).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inRoot, root } from './root.mjs';

/** What can be built: where it comes from, which files it must leave, and where its stamp lies. */
export const targets = {
  server: {
    sources: ['apps/server/src', 'packages', 'package-lock.json', 'tools/build.mjs', 'tools/run/build-server.mjs'],
    outputs: [
      'apps/server/dist/main.mjs',
      'apps/server/dist/event-worker.mjs',
      'apps/server/dist/events-process.mjs',
      'apps/server/dist/openapi-worker.mjs',
      'apps/server/dist/playbook-yaml-worker.mjs',
      'apps/server/dist/sigma-worker.mjs',
      'apps/server/dist/zstd-worker.mjs',
    ],
    stamp: 'apps/server/dist/.stamp.json',
  },
  dashboard: {
    sources: [
      'apps/dashboard/src',
      'apps/dashboard/public',
      'apps/dashboard/index.html',
      'apps/dashboard/vite.config.ts',
      'apps/dashboard/chunk-groups.ts',
      'packages/api-client/src',
      'packages/contracts/src',
      'packages/domain/src',
      'package-lock.json',
      'tools/build.mjs',
      'tools/run/build-dashboard.mjs',
    ],
    outputs: ['apps/dashboard/dist/index.html', 'apps/dashboard/dist/.vite/manifest.json'],
    stamp: 'apps/dashboard/dist/.stamp.json',
  },
};

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'bench', 'coverage']);
const SKIPPED_FILES = /\.test\.tsx?$|\.md$/;

/** Names of the targets that must be built before the product can start. */
export function staleTargets() {
  return Object.keys(targets).filter((name) => !isFresh(targets[name]));
}

export function writeStamp(name) {
  const files = sourceFiles(targets[name]);
  save(targets[name], { quick: quickSignature(files), content: contentSignature(files) });
}

function isFresh(target) {
  const path = inRoot(target.stamp);
  if (!existsSync(path) || !target.outputs.every((output) => existsSync(inRoot(output)))) return false;
  const stamp = readStamp(path);
  const files = sourceFiles(target);
  const quick = quickSignature(files);
  if (stamp.quick === quick) return true;
  if (stamp.content !== contentSignature(files)) return false;
  try {
    save(target, { ...stamp, quick });
  } catch (error) {
    // A build made by another account is as good; it is only compared by content every time.
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
  return true;
}

/** A stamp cut short by a power cut means: build again. */
function readStamp(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return {};
  }
}

function save(target, stamp) {
  const path = inRoot(target.stamp);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(stamp));
}

function sourceFiles(target) {
  return target.sources.flatMap((source) => filesBelow(inRoot(source))).sort();
}

function filesBelow(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (stat.isFile()) return [path];
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(join(path, entry.name));
    return SKIPPED_FILES.test(entry.name) ? [] : [join(path, entry.name)];
  });
}

function quickSignature(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function contentSignature(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
}
