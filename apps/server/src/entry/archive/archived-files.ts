/** Files of the data folder in the archive: contracts and reports. None of them ever changes; some are taken away. */
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFileId } from '../../modules/files/file-id.ts';
import { type FileKind, fileKinds } from '../../modules/files/file-stores.ts';
import { emptyWhenMissing, isMissing, listWhole, makeFolder, writeDurably } from './archive-folder.ts';

export const FILES = 'files';

export type ArchivedFiles = {
  copyNew(now: Date): Promise<void>;
  /** Takes away what was gone from the data folder before that moment. */
  forget(before: Date): Promise<void>;
};

export async function openArchivedFiles(deps: { folder: string; dataDir: string }): Promise<ArchivedFiles> {
  const { folder, dataDir } = deps;
  const kept = new Map<FileKind, Set<string>>();
  await makeFolder(join(folder, FILES));
  for (const kind of fileKinds) {
    await makeFolder(join(folder, FILES, kind));
    kept.set(kind, new Set(await listWhole(join(folder, FILES, kind))));
  }
  /** Since when a file is known to be gone. */
  const gone = new Map<string, Date>();

  return {
    async copyNew(now) {
      for (const [kind, names] of kept) {
        const present = new Set((await readdir(join(dataDir, kind)).catch(emptyWhenMissing)).filter(isFileId));
        for (const name of present) {
          if (names.has(name)) continue;
          const to = join(folder, FILES, kind, name);
          try {
            await writeDurably(to, createReadStream(join(dataDir, kind, name)) as AsyncIterable<Buffer>);
          } catch (error) {
            // Retention takes files away at any time.
            if (isMissing(error) && !(await readdir(join(dataDir, kind))).includes(name)) continue;
            throw error;
          }
          names.add(name);
        }
        for (const name of names) if (!present.has(name) && !gone.has(name)) gone.set(name, now);
      }
    },
    async forget(before) {
      for (const [kind, names] of kept) {
        for (const name of names) {
          const since = gone.get(name);
          if (since === undefined || since >= before) continue;
          await rm(join(folder, FILES, kind, name), { force: true });
          names.delete(name);
          gone.delete(name);
        }
      }
    },
  };
}
