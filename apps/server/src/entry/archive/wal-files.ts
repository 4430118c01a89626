/**
 * The database's log in the archive.
 *
 * Whole files of it are packed under their name and the SHA-256 of what is in them. The file that is being written grows
 * as `<name>.partial`; `progress.json` says how much of it is durable, and its hash. Both are only ever continued: after a
 * crash the same file is streamed again from its start, compared with what is there, and gone on with. A database that
 * streams something else than what is there is not the one that was archived (a copy that went back in time), and nothing
 * of the archive is changed.
 */
import { createHash } from 'node:crypto';
import { constants, open, readFile, rm } from 'node:fs/promises';
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

const progressSchema = z.object({
  segment: z.string().regex(SEGMENT_NAME),
  bytes: z.int().min(0).max(SEGMENT_BYTES),
  sha256: z.string(),
  end: z.string(),
  at: z.iso.datetime(),
});
export type WalProgress = z.output<typeof progressSchema>;

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
  hash: ReturnType<typeof createHash>;
};

export async function openWalFiles(deps: { folder: string; timeline: number; now: () => Date }): Promise<WalFiles> {
  const { timeline, now } = deps;
  const folder = join(deps.folder, WAL);
  await makeFolder(folder);
  const whole = await listSegments(deps.folder, timeline);
  const progress = await readWalProgress(deps.folder);
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
    const written = progress?.segment === name ? Math.min(progress.bytes, there.length) : 0;
    const content = Buffer.alloc(SEGMENT_BYTES);
    there.copy(content, 0, 0, written);
    return { name, start, content, length: 0, written, hash: createHash('sha256') };
  }

  async function flushNow(file: Growing): Promise<void> {
    if (file.length <= file.written) return;
    const path = join(folder, `${file.name}${PARTIAL}`);
    const handle = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      await handle.truncate(file.written);
      await handle.write(file.content, file.written, file.length - file.written, file.written);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (file.written === 0) await makeDurable(folder);
    file.written = file.length;
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

export async function readWalProgress(folder: string): Promise<WalProgress | undefined> {
  return await readSealed(join(folder, WAL, PROGRESS), progressSchema);
}

export function endOf({ end }: WalProgress): bigint {
  return parsePosition(end);
}

const PACKED = /^([0-9A-F]{24})-([0-9a-f]{64})\.gz$/;

export function packedName(segment: string, sha256: string): string {
  return `${segment}-${sha256}.gz`;
}

/** The last file of a timeline that is there, whole or not, or that was there. */
export async function newestSegment(folder: string, timeline: number): Promise<string | undefined> {
  const names = (await listWhole(join(folder, WAL))).flatMap((name) => /^[0-9A-F]{24}(?=[-.])/.exec(name) ?? []);
  const progress = await readWalProgress(folder);
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
