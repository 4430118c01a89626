import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { isFileId } from '../../modules/files/file-id.ts';
import { createFileStores, type FileKind, fileKinds } from '../../modules/files/file-stores.ts';
import { BackupError } from './backup-error.ts';
import { type FileFacts, writePlain } from './packed-file.ts';

type Place = Pick<Config, 'dataDir' | 'filesBucket'>;

const DAY_MS = 24 * 3_600_000;

/** After the database: a file is there before the row that names it, and nothing changes one. */
export async function backUpFiles(
  place: Place,
  to: { folder: string; say: (line: string) => void },
): Promise<FileFacts[]> {
  const filesOf = createFileStores(place);
  const done: FileFacts[] = [];
  for (const kind of fileKinds) {
    for await (const id of idsOf(place, kind)) {
      // Retention takes files away at any time.
      const content = await filesOf(kind).open(id);
      if (content !== undefined) done.push(await writePlain(to.folder, `files/${kind}/${id}`, content));
    }
  }
  to.say(`Files: ${done.length}.`);
  return done;
}

export async function requireNoFiles(place: Place): Promise<void> {
  for (const kind of fileKinds) {
    for await (const id of idsOf(place, kind)) {
      throw new BackupError(
        `The bucket of FILES_URL already holds files (${kind}/${id}): a restore needs an empty one. Name another bucket.`,
      );
    }
  }
}

export async function restoreFiles(
  place: Place,
  from: { folder: string; files: readonly FileFacts[]; say: (line: string) => void },
): Promise<void> {
  const filesOf = createFileStores(place);
  for (const { path } of from.files) {
    const [, name, id = ''] = path.split('/');
    const kind = fileKinds.find((each) => each === name);
    if (kind === undefined) throw new BackupError(`This version knows no place for ${path}.`);
    await filesOf(kind).put(id, createReadStream(join(from.folder, path)));
  }
  from.say(`Files: ${from.files.length} put back.`);
}

async function* idsOf({ dataDir, ...place }: Place, kind: FileKind): AsyncGenerator<string> {
  if (place.filesBucket === undefined) {
    // The list of the store itself clears away unfinished files, which may be somebody's upload just now.
    const names = await readdir(join(dataDir, kind)).catch(emptyWhenMissing);
    yield* names.filter(isFileId).sort();
    return;
  }
  const files = createFileStores({ dataDir, ...place })(kind);
  for await (const portion of files.listOlder(new Date(Date.now() + DAY_MS))) yield* portion;
}

function emptyWhenMissing(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
