import type { Files } from './files-port.ts';

/** A file is written before its row: whoever still writes the row gets this long. */
const GRACE_MS = 3_600_000;

type Dependencies = {
  files: Pick<Files, 'listOlder' | 'remove'>;
  /** Which of the ids somebody keeps. */
  known: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  now: () => Date;
};

/** Returns how many it removed. Once the signal is aborted, the rest is left for the next time, which goes on there. */
export type OrphanSweep = (signal?: AbortSignal) => Promise<number>;

/** Removes files no row knows: left by a crash between file and row, or between the end of a row and that of its file. */
export function createOrphanSweep({ files, known, now }: Dependencies): OrphanSweep {
  /** Of a sweep that was told to stop: from the start each time, those behind very many that are kept would never be reached. */
  let rest: AsyncIterator<readonly string[]> | undefined;

  async function removeUnknown(ids: readonly string[]): Promise<number> {
    const kept = await known(ids);
    const unknown = ids.filter((id) => !kept.has(id));
    for (const id of unknown) await files.remove(id);
    return unknown.length;
  }

  return async (signal) => {
    const portions = rest ?? files.listOlder(new Date(now().getTime() - GRACE_MS))[Symbol.asyncIterator]();
    // After a failure the next one begins anew.
    rest = undefined;
    let removed = 0;
    while (signal?.aborted !== true) {
      const portion = await portions.next();
      if (portion.done === true) return removed;
      removed += await removeUnknown(portion.value);
    }
    rest = portions;
    return removed;
  };
}
