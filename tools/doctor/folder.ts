import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { lockDataDir } from '../../apps/server/src/storage/data-dir-lock.ts';
import { StorageStartError } from '../../apps/server/src/storage/storage-start-error.ts';
import { type Finding, found } from './finding.ts';

const MIN_FREE_MB = 512;

/** The data folder: ours, writable, with room, and not held by somebody else. Nothing is created by looking. */
export async function checkFolder(dataDir: string): Promise<{ finding: Finding; heldBy?: 'server' }> {
  const folder = resolve(dataDir);
  const place = nearestExisting(folder);
  const freeMb = Math.floor((statfsSync(place).bavail * statfsSync(place).bsize) / 1024 ** 2);
  if (freeMb < MIN_FREE_MB) {
    const problem = `${place} has ${freeMb} MB left; the stores need at least ${MIN_FREE_MB} MB. Free some space.`;
    return { finding: found('data folder', problem, '') };
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
