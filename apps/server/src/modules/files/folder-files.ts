/**
 * Files in one folder, named by their ids.
 *
 * A file is written under a name of its own, made durable, and only then given its real name: under that name it is
 * whole. A crash leaves at most the unfinished one, which the sweep takes away like any file nobody keeps the id of.
 */
import { type FileHandle, mkdir, opendir, open as openFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkFileId, isFileId } from './file-id.ts';
import type { Files } from './files-port.ts';

const UNFINISHED = '.part';
const PORTION = 500;
/**
 * How much older than a whole file an unfinished one has to be. It is only as fresh as what was written to it last, and
 * whoever makes it may find nothing to write for hours: with the hour of the sweep this is longer than the two hours a job
 * that exports events has.
 */
const UNFINISHED_MORE_MS = 2 * 3_600_000;

export function createFolderFiles(folder: string): Files {
  const pathOf = (id: string) => join(folder, checkFileId(id));
  return {
    async put(id, content) {
      const path = pathOf(id);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const unfinished = `${path}${UNFINISHED}`;
      const handle = await openFile(unfinished, 'wx', 0o600);
      try {
        const sizeBytes = await write(handle, content);
        // Only one writer gets the unfinished name, so nothing can come between this look and the renaming.
        if (await exists(path)) throw new Error(`There already is a file ${id}.`);
        await rename(unfinished, path);
        await syncFolder(folder);
        return sizeBytes;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async open(id): Promise<Readable | undefined> {
      const handle = await openFile(pathOf(id), 'r').catch(undefinedWhenMissing);
      return handle?.createReadStream();
    },
    remove: (id) => rm(pathOf(id), { force: true }),
    listOlder: (olderThan) => listOlder(folder, olderThan),
  };
}

async function write(handle: FileHandle, content: AsyncIterable<Uint8Array>): Promise<number> {
  let sizeBytes = 0;
  try {
    for await (const chunk of content) {
      await handle.writeFile(chunk);
      sizeBytes += chunk.length;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return sizeBytes;
}

/** The new name is durable only with its folder. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await openFile(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* listOlder(folder: string, olderThan: Date): AsyncGenerator<readonly string[]> {
  const entries = await opendir(folder).catch(undefinedWhenMissing);
  if (entries === undefined) return;
  const unfinishedOlderThan = new Date(olderThan.getTime() - UNFINISHED_MORE_MS);
  let portion: string[] = [];
  for await (const entry of entries) {
    const id = entry.name.endsWith(UNFINISHED) ? entry.name.slice(0, -UNFINISHED.length) : entry.name;
    // What we did not put there is not ours to take away.
    if (!entry.isFile() || !isFileId(id)) continue;
    const path = join(folder, entry.name);
    const facts = await stat(path).catch(undefinedWhenMissing);
    const isUnfinished = entry.name !== id;
    if (facts === undefined || facts.mtime >= (isUnfinished ? unfinishedOlderThan : olderThan)) continue;
    if (isUnfinished) await rm(path, { force: true });
    else portion.push(id);
    if (portion.length < PORTION) continue;
    yield portion;
    portion = [];
  }
  if (portion.length > 0) yield portion;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(undefinedWhenMissing)) !== undefined;
}

function undefinedWhenMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
