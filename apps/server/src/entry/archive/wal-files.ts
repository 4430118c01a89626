/**
 * The database's log in the archive.
 *
 * Whole files of it are packed under their name and the SHA-256 of what is in them. The file that is being written grows
 * as `<name>.partial`; `progress.json` says how much of it is durable, and its hash. Both are only ever continued: after a
 * crash the same file is streamed again from its start, compared with what is there, and gone on with. A database that
 * streams something else than what is there is not the one that was archived (a copy that went back in time), and nothing
 * of the archive is changed.
 *
 * Where `progress.json` is missing or not what was written, the names and sizes of the files say where the log ends, and what
 * nobody has the hash of is compared with the stream before it counts: until the same has come again nothing of it is given
 * up, and until then no `progress.json` takes the place of the damaged one.
 */
import { createHash } from 'node:crypto';
import { constants, open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { makeDurable } from '../backup/packed-file.ts';
import { ArchiveError } from './archive-error.ts';
import { isMissing, listWhole, makeFolder, readSealed, writeDurably, writeSealed } from './archive-folder.ts';
import {
  formatPosition,
  parsePosition,
  SEGMENT_BYTES,
  SEGMENT_NAME,
  segmentName,
  segmentStart,
  startOfSegment,
  timelineOf,
} from './wal-position.ts';

export const WAL = 'wal';
export const PARTIAL = '.partial';
const PROGRESS = 'progress.json';
const PACKING_LEVEL = 1;
/** What a crash keeps from a disk is missing in pieces of this size, or multiples of it. */
const BLOCK_BYTES = 4096;

const progressSchema = z.object({
  segment: z.string().regex(SEGMENT_NAME),
  bytes: z.int().min(0).max(SEGMENT_BYTES),
  sha256: z.string(),
  end: z.string(),
  at: z.iso.datetime(),
});
export type WalProgress = z.output<typeof progressSchema>;
/** Hash and moment are known only to whoever wrote them down. */
export type KnownProgress = Pick<WalProgress, 'segment' | 'bytes' | 'end'> & {
  sha256: string | undefined;
  at: string | undefined;
};

export type WalFiles = {
  /** Where the stream has to start so that nothing is missing; undefined in a new archive. */
  next: bigint | undefined;
  /** Begins at the start of a file; what is before may be missing. */
  startAt(position: bigint): void;
  take(position: bigint, data: Buffer): Promise<void>;
  /** Makes durable what came in. Returns up to where the archive is whole. */
  flush(): Promise<bigint>;
  flushed(): bigint;
};

type Growing = {
  name: string;
  start: bigint;
  content: Buffer;
  length: number;
  /** Known to be in the file, from earlier or since. */
  written: number;
  /** In the file, and nobody knows how much of it is what was written. */
  unproven: Buffer;
  hash: ReturnType<typeof createHash>;
};

export async function openWalFiles(deps: {
  folder: string;
  timeline: number;
  now: () => Date;
  say: (line: string) => void;
}): Promise<WalFiles> {
  const { timeline, now } = deps;
  const folder = join(deps.folder, WAL);
  await makeFolder(folder);
  const whole = await listSegments(deps.folder, timeline);
  const progress = await readWalProgress(deps.folder, deps.say);
  const last = [...whole.keys()].at(-1);
  const afterLast = last === undefined ? undefined : startOfSegment(last) + BigInt(SEGMENT_BYTES);
  const begun =
    progress === undefined || timelineOf(progress.segment) !== timeline ? undefined : startOfSegment(progress.segment);
  let growing: Growing | undefined;
  let durable = 0n;
  let queue: Promise<unknown> = Promise.resolve();

  /** One after the other: a flush must not see half a file. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  }

  async function begin(start: bigint): Promise<Growing> {
    const name = segmentName(timeline, start);
    const there = await readFile(join(folder, `${name}${PARTIAL}`)).catch((error: unknown) => {
      if (isMissing(error)) return Buffer.alloc(0);
      throw error;
    });
    // What was not made durable may be anything.
    const known = progress?.segment === name ? there.subarray(0, progress.bytes) : NOTHING;
    const isProven = progress?.sha256 !== undefined;
    const content = Buffer.alloc(SEGMENT_BYTES);
    if (isProven) known.copy(content);
    const held = isProven ? { written: known.length, unproven: NOTHING } : { written: 0, unproven: known };
    return { name, start, content, length: 0, ...held, hash: createHash('sha256') };
  }

  async function flushNow(file: Growing): Promise<void> {
    if (file.length <= file.written || file.length < file.unproven.length) return;
    const path = join(folder, `${file.name}${PARTIAL}`);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      // The same is written over what is unproven: a crash meanwhile takes nothing away.
      if (file.unproven.length === 0) await handle.truncate(file.written);
      await handle.write(file.content, file.written, file.length - file.written, file.written);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (file.written === 0) await makeDurable(folder);
    file.written = file.length;
    file.unproven = NOTHING;
    const end = file.start + BigInt(file.length);
    await writeSealed(join(folder, PROGRESS), {
      ...{ segment: file.name, bytes: file.length, sha256: file.hash.copy().digest('hex') },
      ...{ end: formatPosition(end), at: now().toISOString() },
    } satisfies WalProgress);
    durable = end;
  }

  async function complete(file: Growing): Promise<void> {
    const sha256 = file.hash.digest('hex');
    const known = whole.get(file.name);
    if (known !== undefined && known !== sha256) throw new ArchiveError('damaged', file.name);
    if (known === undefined) {
      const packed = await promisify(gzip)(file.content, { level: PACKING_LEVEL });
      await writeDurably(join(folder, packedName(file.name, sha256)), [packed]);
      whole.set(file.name, sha256);
    }
    await rm(join(folder, `${file.name}${PARTIAL}`), { force: true });
    durable = file.start + BigInt(SEGMENT_BYTES);
  }

  async function takeNow(position: bigint, data: Buffer): Promise<void> {
    let rest = data;
    let at = position;
    while (rest.length > 0) {
      growing ??= await begin(segmentStart(at));
      const file = growing;
      if (at !== file.start + BigInt(file.length)) throw new Error('the log was streamed with a gap');
      const piece = rest.subarray(0, SEGMENT_BYTES - file.length);
      const known = Math.max(0, Math.min(piece.length, file.written - file.length));
      if (piece.compare(file.content, file.length, file.length + known, 0, known) !== 0) {
        throw new ArchiveError('foreign', file.name);
      }
      if (!mayHaveBeen(piece, file)) throw new ArchiveError('foreign', file.name);
      piece.copy(file.content, file.length);
      file.hash.update(piece);
      file.length += piece.length;
      at += BigInt(piece.length);
      rest = rest.subarray(piece.length);
      if (file.length === SEGMENT_BYTES) {
        await complete(file);
        growing = undefined;
      }
    }
  }

  return {
    next: begun !== undefined && (afterLast === undefined || begun > afterLast) ? begun : (afterLast ?? begun),
    startAt(position) {
      growing = undefined;
      durable = position;
    },
    take: (position, data) => inTurn(() => takeNow(position, data)),
    flush: () =>
      inTurn(async () => {
        if (growing !== undefined) await flushNow(growing);
        return durable;
      }),
    flushed: () => durable,
  };
}

const NOTHING = Buffer.alloc(0);

/** Whether all of the piece is there already, but for blocks of which nothing, or only the beginning, came onto the disk. */
function mayHaveBeen(piece: Buffer, { unproven, length }: Growing): boolean {
  const end = Math.min(length + piece.length, unproven.length);
  let at = length;
  while (at < end) {
    const blockEnd = Math.min(at - (at % BLOCK_BYTES) + BLOCK_BYTES, unproven.length);
    const until = Math.min(blockEnd, end);
    while (at < until && unproven[at] === piece[at - length]) at++;
    if (at < until && unproven.subarray(at, blockEnd).some((byte) => byte !== 0)) return false;
    at = until;
  }
  return true;
}

/**
 * How far the log goes. Where what was written down of it is damaged or missing it says so, and takes it from the files: the
 * last of them has the size it had, as it only ever grew by what the database had made durable.
 */
export async function readWalProgress(folder: string, say: (line: string) => void): Promise<KnownProgress | undefined> {
  let fault = 'is missing';
  try {
    const written = await readSealed(join(folder, WAL, PROGRESS), progressSchema);
    if (written !== undefined) return written;
  } catch (error) {
    if (!(error instanceof ArchiveError) || error.trouble !== 'damaged') throw error;
    fault = 'is not what was written';
  }
  const name = (await listWhole(join(folder, WAL))).filter((each) => SEGMENT_FILE.test(each)).at(-1);
  // Not even the first file of a new archive.
  if (name === undefined && fault === 'is missing') return undefined;
  say(`${WAL}/${PROGRESS} ${fault}: how far the log goes is taken from the files beside it.`);
  if (name === undefined) return undefined;
  const segment = name.slice(0, 24);
  const size = name.endsWith(PARTIAL) ? (await stat(join(folder, WAL, name))).size : SEGMENT_BYTES;
  const bytes = Math.min(size, SEGMENT_BYTES);
  const end = formatPosition(startOfSegment(segment) + BigInt(bytes));
  return { segment, bytes, end, sha256: undefined, at: undefined };
}

export function endOf({ end }: KnownProgress): bigint {
  return parsePosition(end);
}

const PACKED = /^([0-9A-F]{24})-([0-9a-f]{64})\.gz$/;
/** A whole one or a growing one. */
const SEGMENT_FILE = /^[0-9A-F]{24}(?:-[0-9a-f]{64}\.gz|\.partial)$/;

export function packedName(segment: string, sha256: string): string {
  return `${segment}-${sha256}.gz`;
}

/** The last file of a timeline that is there, whole or not, or that was there. */
export async function newestSegment(folder: string, timeline: number): Promise<string | undefined> {
  const names = (await listWhole(join(folder, WAL))).flatMap((name) => /^[0-9A-F]{24}(?=[-.])/.exec(name) ?? []);
  const progress = await readWalProgress(folder, () => undefined);
  const known = progress === undefined ? names : [...names, progress.segment];
  return known
    .filter((segment) => timelineOf(segment) === timeline)
    .sort()
    .at(-1);
}

/** Whole files of a timeline in order, with the hash of what is in them. */
export async function listSegments(folder: string, timeline: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of await listWhole(join(folder, WAL))) {
    const [, segment, sha256] = PACKED.exec(name) ?? [];
    if (segment === undefined || sha256 === undefined || timelineOf(segment) !== timeline) continue;
    found.set(segment, sha256);
  }
  return found;
}
