import type { Files } from './files-port.ts';

/** A file is written before its row: whoever still writes the row gets this long. */
const GRACE_MS = 3_600_000;

type Dependencies = {
  files: Pick<Files, 'listOlder' | 'remove'>;
  /** Which of the ids somebody keeps. */
  known: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  now: () => Date;
  /** Once it is aborted, the rest is left for the next time. */
  signal?: AbortSignal | undefined;
};

/** Removes files no row knows: left by a crash between file and row, or between the end of a row and that of its file. */
export async function sweepOrphans({ files, known, now, signal }: Dependencies): Promise<number> {
  let removed = 0;
  for await (const ids of files.listOlder(new Date(now().getTime() - GRACE_MS))) {
    if (signal?.aborted) break;
    const kept = await known(ids);
    for (const id of ids) {
      if (kept.has(id)) continue;
      await files.remove(id);
      removed++;
    }
  }
  return removed;
}
