import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { ArchiveError } from '../../apps/server/src/entry/archive/archive-error.ts';
import { momentOf, readArchiveNote, readMemory } from '../../apps/server/src/entry/archive/archive-folder.ts';
import { LATE_AFTER_MS } from '../../apps/server/src/entry/archive/archiver.ts';
import { listCuts } from '../../apps/server/src/entry/archive/event-cuts.ts';
import { readWalProgress } from '../../apps/server/src/entry/archive/wal-files.ts';
import { systemErrorCode } from '../../apps/server/src/storage/storage-start-error.ts';
import { type Finding, found } from './finding.ts';

type Places = { folder: string; dataDir: string; isRunning: boolean; now: () => Date };

/** The folder of the archive: there, writable, ours, and with a running server up to date. Nothing is written by looking. */
export async function checkArchive(places: Places): Promise<Finding> {
  const { folder, dataDir, isRunning } = places;
  const finding = (problem: string | undefined, inOrder = '') => found('archive', problem, inOrder);
  if (!existsSync(folder)) return finding(`${folder} is not there: make it, or mount its disk.`);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const [note, memory] = [await readArchiveNote(folder), await readMemory(dataDir)];
    if (note === undefined && memory?.begun === true && memory.folder === folder) {
      return finding(`${folder} held the archive and holds none now: mount its disk.`);
    }
    if (note === undefined) return finding(undefined, `${folder}, not begun${onSameDisk(places)}`);
    if (note.id !== memory?.id) {
      return finding(`${folder} holds the archive of another installation. Name an empty folder in ARCHIVE_FOLDER.`);
    }
    const newest = (await listCuts(folder)).at(-1);
    const until = newest === undefined ? 'nothing yet' : momentOf(newest).toISOString();
    const isLate = newest !== undefined && places.now().getTime() - momentOf(newest).getTime() > 2 * LATE_AFTER_MS;
    if (isRunning && isLate) {
      return finding(`${folder} ends at ${until} although a server runs: its page of operations and its log say why.`);
    }
    // A server makes it anew by itself, so there is nothing to do.
    const rebuilt: string[] = [];
    await readWalProgress(folder, (line) => void rebuilt.push(`; ${line}`));
    return finding(undefined, `${folder}, ${until}${onSameDisk(places)}${rebuilt.join('')}`);
  } catch (error) {
    if (error instanceof ArchiveError) return finding(`${folder}: ${error.message}`);
    return finding(`${folder} cannot be used (${systemErrorCode(error) ?? 'unknown error'}).`);
  }
}

function onSameDisk({ folder, dataDir }: Places): string {
  const isSame = existsSync(dataDir) && statSync(dataDir).dev === statSync(folder).dev;
  return isSame ? '; on the disk of the data folder, with which it would be lost' : '';
}
