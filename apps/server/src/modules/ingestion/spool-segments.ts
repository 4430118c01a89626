import type { FileHandle } from 'node:fs/promises';
import type { SpoolFolder } from './spool-folder.ts';

const CURSOR_EVERY_MS = 1_000;

/** One file of the spool: written to its end once, then read, then removed. */
export type Segment = {
  readonly name: string;
  /** By an earlier run. */
  readonly isLeft: boolean;
  /** Bytes that are synced; nothing behind them is read. */
  committed: number;
  /** Number of the last block written. */
  lastBlock: number;
  /** Up to where it was handed out, and up to where that is done. */
  read: number;
  done: number;
  /** Present while it is written to. */
  file: FileHandle | undefined;
  /** Handed out and not done up to here, in order. */
  out: { end: number; isDone: boolean }[];
};

export type Segments = {
  /**
   * The one being written; makes it when there is none. After `abandon` only once it is on disk where the one before ends:
   * lines that are written again here must not be read there as well after the next start.
   */
  active(): Promise<Segment>;
  /** Resolves when the bytes are on disk. */
  append(segment: Segment, bytes: Buffer): Promise<void>;
  end(segment: Segment): Promise<void>;
  /** After a write that failed: nothing more is written there, and what is not synced does not count. */
  abandon(): Promise<void>;
  /** The oldest part nobody has read. */
  unread(): { segment: Segment; from: number; to: number } | undefined;
  /** Notes that everything up to `end` is being handed on. The answer ends it, and says whether a file went with it. */
  handOut(segment: Segment, end: number): () => boolean;
  /** Everything on disk is done. */
  isDone(): boolean;
  bytes(): number;
  close(): Promise<void>;
};

export async function createSegments(deps: {
  folder: SpoolFolder;
  ids: () => string;
  /** Below this the segment being written is not ended when all of its lines are done. */
  worthEndingBytes: number;
  /** Nothing is about to be written. */
  mayEnd: () => boolean;
  log: { warn(fields: object, message: string): void };
}): Promise<Segments> {
  const { folder, log } = deps;
  let list = await leftOver(folder);
  let current: Segment | undefined;
  let abandoned: Segment | undefined;
  let cursorTimer: NodeJS.Timeout | undefined;
  let chores = Promise.resolve();

  /** One after the other, and nothing of it decides whether a line is kept. */
  function chore(work: () => Promise<unknown>): void {
    chores = chores.then(work).then(
      () => undefined,
      (error: unknown) => log.warn({ error: String(error) }, 'the spool could not be tidied'),
    );
  }

  function saveCursor(): void {
    cursorTimer = undefined;
    const segment = list.find(({ done, committed, file }) => done < committed || file !== undefined) ?? list.at(-1);
    if (segment === undefined) return;
    const { name, done } = segment;
    chore(() => folder.saveCursor({ segment: name, offset: done }));
  }

  function remove(segment: Segment): void {
    list = list.filter((each) => each !== segment);
    chore(() => folder.remove(segment.name));
  }

  async function end(segment: Segment): Promise<void> {
    const { file } = segment;
    segment.file = undefined;
    if (current === segment) current = undefined;
    // What counts is synced, so nothing hangs on how the file is let go of.
    await file?.close().catch((error: unknown) => log.warn({ error: String(error) }, 'a spool file was not closed'));
    if (segment.done === segment.committed) remove(segment);
  }

  async function noteAbandoned(): Promise<void> {
    if (abandoned === undefined) return;
    await folder.noteEnd(abandoned.name, abandoned.committed);
    abandoned = undefined;
  }

  function advance(segment: Segment): boolean {
    let finished = 0;
    for (const { end: upTo, isDone } of segment.out) {
      if (!isDone) break;
      segment.done = upTo;
      finished++;
    }
    if (finished === 0) return false;
    segment.out.splice(0, finished);
    cursorTimer ??= setTimeout(saveCursor, CURSOR_EVERY_MS);
    if (segment.done < segment.committed) return false;
    if (segment.file === undefined) remove(segment);
    else if (segment.committed >= deps.worthEndingBytes && deps.mayEnd()) {
      // Begun here and now, before anything can be written there again.
      const ended = end(segment);
      chore(() => ended);
    } else return false;
    return true;
  }

  return {
    async active() {
      if (current !== undefined) return current;
      await noteAbandoned();
      const { name, file } = await folder.create(deps.ids());
      current = { name, isLeft: false, file, committed: 0, lastBlock: 0, read: 0, done: 0, out: [] };
      list.push(current);
      return current;
    },
    async append(segment, bytes) {
      const { file } = segment;
      if (file === undefined) throw new Error('A segment that has ended cannot be written.');
      for (let at = 0; at < bytes.length; ) {
        at += (await file.write(bytes, at, bytes.length - at, segment.committed + at)).bytesWritten;
      }
      await file.datasync();
      segment.committed += bytes.length;
    },
    end,
    async abandon() {
      const segment = current;
      if (segment === undefined) return;
      abandoned = segment;
      // The room it takes is what a full disk lacks; what it holds is settled by its noted end.
      await segment.file?.truncate(segment.committed).catch(() => undefined);
      await end(segment);
    },
    unread() {
      const segment = list.find(({ read, committed }) => read < committed);
      return segment && { segment, from: segment.read, to: segment.committed };
    },
    handOut(segment, upTo) {
      const entry = { end: upTo, isDone: false };
      segment.read = Math.max(segment.read, upTo);
      segment.out.push(entry);
      return () => {
        entry.isDone = true;
        return advance(segment);
      };
    },
    isDone: () => list.every(({ done, committed }) => done >= committed),
    bytes: () => list.reduce((sum, { committed }) => sum + committed, 0),
    async close() {
      clearTimeout(cursorTimer);
      const segment = current;
      if (segment !== undefined) await end(segment);
      chore(noteAbandoned);
      saveCursor();
      await chores;
    },
  };
}

/** What an earlier run left, without what it had done. */
async function leftOver(folder: SpoolFolder): Promise<Segment[]> {
  const [files, cursor] = [await folder.segments(), await folder.cursor()];
  const first = files.findIndex(({ name }) => name === cursor?.segment);
  for (const { name } of files.slice(0, Math.max(first, 0))) await folder.remove(name);
  const segments: Segment[] = [];
  for (const { name, bytes } of first === -1 ? files : files.slice(first)) {
    const done = name === cursor?.segment ? Math.min(cursor.offset, bytes) : 0;
    if (done === bytes) await folder.remove(name);
    else {
      segments.push({ name, isLeft: true, committed: bytes, lastBlock: 0, read: done, done, file: undefined, out: [] });
    }
  }
  return segments;
}
