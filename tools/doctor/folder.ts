import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { diskMarks } from '../../apps/server/src/events-process/disk-space.ts';
import { isLocked, lockDataDir } from '../../apps/server/src/storage/data-dir-lock.ts';
import { StorageStartError } from '../../apps/server/src/storage/storage-start-error.ts';
import { type Finding, found } from './finding.ts';

type Look = {
  /** The embedded event store is in it. Default: it is. */
  holdsEvents?: boolean;
  /** For tests. */
  freeBytes?: (place: string) => number;
};

/** The data folder: ours, writable, with room, and not held by somebody else. Nothing is created by looking. */
export async function checkFolder(
  dataDir: string,
  { holdsEvents = true, freeBytes = freeBytesOf }: Look = {},
): Promise<{ finding: Finding; heldBy?: 'server' }> {
  const folder = resolve(dataDir);
  const place = nearestExisting(folder);
  const free = freeBytes(place);
  const freeMb = inMb(free);
  // First: whether a server runs decides what its ports, its archive and its work are held against.
  const held = isLocked(folder) ? ({ heldBy: 'server' } as const) : {};
  const tooLittle = shortage(free, holdsEvents);
  if (tooLittle !== undefined) {
    return { finding: found('data folder', `${place} has ${freeMb} MB left; ${tooLittle}`, ''), ...held };
  }
  if (held.heldBy !== undefined) {
    return { finding: found('data folder', undefined, `${folder}, a server is running on it`), ...held };
  }
  if (place !== folder) {
    const problem = isWritable(place)
      ? undefined
      : `${folder} cannot be created: ${place} is not writable. Choose another folder with AIRDECK_DATA_DIR.`;
    return { finding: found('data folder', problem, `${folder} will be created, ${freeMb} MB free`) };
  }
  try {
    // Taking the lock for a moment is the only test that is as strict as the start itself.
    (await lockDataDir(folder)).release();
    return { finding: found('data folder', undefined, `${folder}, ${freeMb} MB free`) };
  } catch (error) {
    if (!(error instanceof StorageStartError)) throw error;
    if (error.code !== 'DATA_DIR_IN_USE') return { finding: found('data folder', error.message, '') };
    return { finding: found('data folder', undefined, `${folder}, a server is running on it`), heldBy: 'server' };
  }
}

/** By the marks of the product itself. */
function shortage(free: number, holdsEvents: boolean): string | undefined {
  if (holdsEvents && free < diskMarks.mergesStop) {
    const [stop, resume] = [inMb(diskMarks.mergesStop), inMb(diskMarks.mergesResume)];
    return `below ${stop} MB the event store merges nothing until more than ${resume} MB are free, and below ${inMb(diskMarks.insertsStop)} MB nothing is taken in. Free some space.`;
  }
  if (free >= diskMarks.insertsStop) return undefined;
  return `it needs at least ${inMb(diskMarks.insertsStop)} MB. Free some space.`;
}

const inMb = (bytes: number) => Math.floor(bytes / 1024 ** 2);

function freeBytesOf(place: string): number {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
