import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import type { SigmaFile } from '@airdeck/domain/sigma-documents';
import { CommandError, inputError } from './command-error.ts';
import { readZip } from './zip-archive.ts';

const MAX_FILES = 20_000;
const MAX_FILE_BYTES = 4_000_000;
const MAX_ARCHIVE_BYTES = 100_000_000;
const MAX_DEPTH = 20;

/** The rules of a file, of everything in a folder, or of a zip. Throws `CommandError` when there is nothing to read. */
export async function readSigmaFiles(path: string): Promise<SigmaFile[]> {
  const files = await filesAt(path);
  if (files.length === 0) throw inputError('FILE_UNREADABLE', `${path} holds no .yml or .yaml files.`);
  return files;
}

async function filesAt(path: string): Promise<SigmaFile[]> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return await filesInFolder(path);
    const isArchive = extname(path).toLowerCase() === '.zip';
    if (found.size > (isArchive ? MAX_ARCHIVE_BYTES : MAX_FILE_BYTES)) throw tooLarge(path);
    const content = await readFile(path);
    if (!isArchive) return [{ name: path, text: content.toString('utf8') }];
    const limits = { maxFiles: MAX_FILES, maxFileBytes: MAX_FILE_BYTES, maxTotalBytes: MAX_ARCHIVE_BYTES };
    return readZip(content, { isWanted: isRule, ...limits }).map(({ name, bytes }) => ({
      name,
      text: bytes.toString('utf8'),
    }));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError('FILE_UNREADABLE', `${path} cannot be read.`, { exitCode: 2, cause: error });
  }
}

/** In the order of names, so that the answer is the same every time. Links are not followed: they may lead in circles. */
async function filesInFolder(root: string): Promise<SigmaFile[]> {
  const files: SigmaFile[] = [];
  async function walk(folder: string, depth: number): Promise<void> {
    if (depth > MAX_DEPTH) throw inputError('FILE_UNREADABLE', `${root} nests deeper than ${MAX_DEPTH} folders.`);
    for (const entry of await sortedEntries(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path, depth + 1);
      if (!entry.isFile() || !isRule(entry.name)) continue;
      if (files.length >= MAX_FILES) throw inputError('FILE_UNREADABLE', `${root} holds more than ${MAX_FILES} rules.`);
      if ((await stat(path)).size > MAX_FILE_BYTES) throw tooLarge(path);
      files.push({ name: relative(root, path), text: await readFile(path, 'utf8') });
    }
  }
  await walk(root, 0);
  return files;
}

async function sortedEntries(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function isRule(name: string): boolean {
  return /\.ya?ml$/i.test(name);
}

function tooLarge(path: string): CommandError {
  return inputError('FILE_UNREADABLE', `${path} is too large to be a rule.`);
}
