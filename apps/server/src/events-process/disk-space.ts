/**
 * Free space of the disk that holds the data folder.
 *
 * chDB 26.7 does not notice every write that fails for want of space: parts it writes or merges while the last bytes are
 * taken by somebody else can be left empty without an error. So nothing is written when space is short: below one mark
 * merges stop (they rewrite what is already acknowledged), below a lower one nothing is taken in, and what was written
 * while the disk came close to full is not acknowledged.
 */
import { statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;

export const diskMarks = {
  /** Merges write copies of what they join; below this they stop … */
  mergesStop: 768 * MIB,
  /** … and begin again above this. */
  mergesResume: 1024 * MIB,
  /** Below this nothing new is taken in. */
  insertsStop: 256 * MIB,
  /** A write that ends with less than this may have been without room in between. */
  writesDistrusted: 96 * MIB,
} as const;

const LOOK_EVERY_MS = 200;

export type DiskSpace = {
  /** Bytes, as last seen. */
  free(): number;
  /** Looks now. */
  look(): Promise<number>;
  /** Nothing may be taken in. */
  isShort(): boolean;
  /** The event store merges nothing, if it is on this disk. */
  mergesStopped(): boolean;
  /** Hears every look from now on. */
  onLook(listener: (free: number) => void): void;
  stop(): void;
};

/** Whether merges stand still, by what was before: between the two marks it stays as it is. */
export function areMergesStopped(before: boolean, free: number): boolean {
  return free < diskMarks.mergesStop || (before && free <= diskMarks.mergesResume);
}

/** Looks five times a second. A folder that cannot be asked counts as it was last seen. */
export function watchDiskSpace(folder: string): DiskSpace {
  const listeners: ((free: number) => void)[] = [];
  const now = statfsSync(folder);
  let free = now.bavail * now.bsize;
  let mergesStopped = areMergesStopped(false, free);

  async function look(): Promise<number> {
    const { bavail, bsize } = await statfs(folder);
    free = bavail * bsize;
    mergesStopped = areMergesStopped(mergesStopped, free);
    for (const listener of listeners) listener(free);
    return free;
  }

  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch(() => undefined)
      .finally(() => {
        looking = false;
      });
  }, LOOK_EVERY_MS);
  timer.unref();
  return {
    free: () => free,
    look,
    onLook(listener) {
      listeners.push(listener);
      listener(free);
    },
    isShort: () => free < diskMarks.insertsStop,
    mergesStopped: () => mergesStopped,
    stop: () => clearInterval(timer),
  };
}
