/**
 * Lines of senders that cannot send again wait here, on disk, until the stores have them.
 *
 *   append ─► pending (memory) ─► written and synced in one group ─► taken by a reader ─► done ─► its segment is removed
 *
 * - A line counts as taken when its group is synced. Lines of one group of up to a thousand are one block.
 * - Blocks are handed out in the order they were written, each once per run. After a crash those that were not done, and
 *   perhaps some of the last second that were, come again, under the same key with the same lines: whoever takes them
 *   must recognise the key.
 * - A torn or flipped record costs itself; what was lost is counted in places, as nobody knows how many lines they held.
 * - A write that fails is tried again in a new segment, and until then the spool counts as full, as it does beyond its size.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { inSlices } from '../../loop-share.ts';
import type { SpoolFolder } from './spool-folder.ts';
import { encodeRecord, readRecords, recordBytes, type SpooledLine, sealOf } from './spool-records.ts';
import { createSegments, type Segment } from './spool-segments.ts';

/** A group waits this long for company; nobody is told that a line arrived, so nobody waits with it. */
const WAIT_MS = 20;
const GROUP_BYTES = 1_048_576;
const BLOCK_LINES = 1_000;
const SEGMENT_BYTES = 8 * 1_048_576;
const WORTH_ENDING_BYTES = 65_536;
const RETRY_FIRST_MS = 250;
const RETRY_MOST_MS = 5_000;

/** A block to be handed on. */
export type SpoolDelivery = {
  /** The same in every run. */
  key: string;
  lines: readonly SpooledLine[];
  /** An earlier run left it, and may have handed it on, however long ago. */
  isLeft: boolean;
  /** To be called once the lines are where they belong. */
  done(): void;
};

export type Spool = {
  append(line: SpooledLine): void;
  /** The next block; waits for one. Undefined once the spool closes. */
  take(): Promise<SpoolDelivery | undefined>;
  /** Nothing is lost when nothing more is appended while this is true. */
  readonly isFull: boolean;
  readonly stats: SpoolStats;
  /** Resolves when everything that was there when it was called is done. */
  drained(): Promise<void>;
  /** Writes what is pending, within five seconds, and lets go of the folder. What is not done stays for the next start. */
  close(): Promise<void>;
};

export type SpoolStats = {
  /** On disk, handed on or not. */
  bytes: number;
  /** Places where records could not be read. */
  damaged: number;
};

export type SpoolDependencies = {
  folder: SpoolFolder;
  ids: () => string;
  maxBytes: number;
  segmentBytes?: number;
  /** Lines that are safe now. */
  onTaken: (lines: readonly SpooledLine[]) => void;
  /** Lines that could not be written before the end. */
  onLost: (lines: readonly SpooledLine[]) => void;
  /** There may be room again. */
  onRoom: () => void;
  log: { warn(fields: object, message: string): void };
};

export async function createSpool(deps: SpoolDependencies): Promise<Spool> {
  const { maxBytes, log } = deps;
  const segmentBytes = Math.min(deps.segmentBytes ?? SEGMENT_BYTES, Math.ceil(maxBytes / 4));
  let pending: SpooledLine[] = [];
  let pendingBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failing = false;
  let closing = false;
  let damaged = 0;
  const ready: SpoolDelivery[] = [];
  let filling: Promise<void> | undefined;
  let wake: (() => void)[] = [];
  const giveUp = new AbortController();
  const segments = await createSegments({
    ...deps,
    worthEndingBytes: Math.min(WORTH_ENDING_BYTES, segmentBytes),
    mayEnd: () => writing === undefined && pending.length === 0,
  });

  function wakeAll(): void {
    const waiting = wake;
    wake = [];
    for (const callback of waiting) callback();
  }

  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll().finally(() => {
      writing = undefined;
      // What came between the last look and now.
      if (pending.length > 0) write();
      else wakeAll();
    });
  }

  async function writeAll(): Promise<void> {
    while (pending.length > 0) await writeGroup(nextGroup());
  }

  function nextGroup(): SpooledLine[] {
    let [count, bytes] = [0, 0];
    for (const line of pending) {
      const more = recordBytes(line);
      if (count > 0 && bytes + more > GROUP_BYTES) break;
      count++;
      bytes += more;
    }
    const group = pending.slice(0, count);
    pending = pending.slice(count);
    pendingBytes -= bytes;
    return group;
  }

  async function writeGroup(group: readonly SpooledLine[]): Promise<void> {
    for (let waitMs = RETRY_FIRST_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MOST_MS)) {
      try {
        const segment = await segments.active();
        await segments.append(segment, encodeGroup(group, segment));
        if (segment.committed >= segmentBytes) await segments.end(segment);
        break;
      } catch (error) {
        failing = true;
        log.warn({ lines: group.length, error: String(error) }, 'lines cannot be written to disk yet');
        await segments.abandon();
      }
      const gaveUp = await sleep(waitMs, false, { signal: giveUp.signal }).catch(() => true);
      if (gaveUp) return deps.onLost(group);
    }
    const wasFailing = failing;
    failing = false;
    deps.onTaken(group);
    wakeAll();
    if (wasFailing) deps.onRoom();
  }

  async function fill(): Promise<void> {
    const next = segments.unread();
    if (next === undefined) return;
    const { segment, from, to } = next;
    try {
      const bytes = await deps.folder.read(segment.name, { from, to });
      const { blocks, places } = await readBlocks(bytes, { seal: sealOf(segment.name), base: from });
      for (const { number, lines, end } of blocks) {
        const done = segments.handOut(segment, end);
        const key = `${segment.name} ${number}`;
        ready.push({ key, lines, isLeft: segment.isLeft, done: () => finish(done) });
      }
      finish(segments.handOut(segment, to));
      noteDamage(segment, bytes.length < to - from ? places + 1 : places);
    } catch (error) {
      // The file stays where it is, for the next start or for a person.
      segment.read = to;
      damaged++;
      log.warn({ segment: segment.name, error: String(error) }, 'waiting lines cannot be read from disk');
    }
  }

  function noteDamage({ name }: Segment, places: number): void {
    if (places === 0) return;
    damaged += places;
    log.warn({ segment: name, places }, 'records on disk are damaged; all others were read');
  }

  function finish(done: () => boolean): void {
    if (done()) deps.onRoom();
    if (segments.isDone()) wakeAll();
  }

  async function take(): Promise<SpoolDelivery | undefined> {
    while (!closing) {
      const next = ready.shift();
      if (next !== undefined) return next;
      if (segments.unread() === undefined) await new Promise<void>((resolve) => wake.push(resolve));
      else {
        filling ??= fill().finally(() => {
          filling = undefined;
        });
        await filling;
      }
    }
    return undefined;
  }

  async function drained(): Promise<void> {
    while (!closing && (writing !== undefined || pending.length > 0 || !segments.isDone())) {
      await new Promise<void>((resolve) => wake.push(resolve));
    }
  }

  return {
    append(line) {
      pending.push(line);
      pendingBytes += recordBytes(line);
      if (pendingBytes >= GROUP_BYTES / 4) write();
      else if (writing === undefined) timer ??= setTimeout(write, WAIT_MS);
    },
    take,
    drained,
    get isFull() {
      return failing || segments.bytes() + pendingBytes >= maxBytes;
    },
    get stats() {
      return { bytes: segments.bytes(), damaged };
    },
    async close() {
      if (closing) return;
      const deadline = setTimeout(() => giveUp.abort(), RETRY_MOST_MS);
      if (pending.length > 0) write();
      while (writing !== undefined) await writing;
      clearTimeout(deadline);
      closing = true;
      wakeAll();
      await filling;
      await segments.close();
    },
  };
}

function encodeGroup(group: readonly SpooledLine[], segment: Segment): Buffer {
  const seal = sealOf(segment.name);
  const records = group.map((line, index) => {
    if (index % BLOCK_LINES === 0) segment.lastBlock++;
    return encodeRecord(line, { block: segment.lastBlock, seal });
  });
  return Buffer.concat(records);
}

type Block = { number: number; lines: SpooledLine[]; end: number };

/** In slices, as adding up eight megabytes takes longer than others should wait. */
async function readBlocks(
  bytes: Buffer,
  at: { seal: number; base: number },
): Promise<{ blocks: Block[]; places: number }> {
  const blocks: Block[] = [];
  let places = 0;
  const slices = inSlices();
  for (const record of readRecords(bytes, at)) {
    const open = blocks.at(-1);
    if (record === undefined) places++;
    else if (open?.number === record.block) {
      open.lines.push(record.line);
      open.end = record.end;
    } else blocks.push({ number: record.block, lines: [record.line], end: record.end });
    if (slices.isOver) await slices.next();
  }
  return { blocks, places };
}
