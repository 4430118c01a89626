/** What of an archive is used to come back to a moment: which copy of the database, which log, which cut of the events. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BackupError } from '../backup/backup-error.ts';
import { checkFile } from '../backup/packed-file.ts';
import { momentOf } from './archive-folder.ts';
import { BASES, type Base, endOfBase, listBases, startOf, thisPlatform } from './base-copies.ts';
import { type Cut, listCuts, readCut } from './event-cuts.ts';
import { endOf, listSegments, PARTIAL, packedName, readWalProgress, WAL } from './wal-files.ts';
import { parsePosition, SEGMENT_BYTES, segmentName, segmentStart } from './wal-position.ts';

export type LogFile = { segment: string; sha256: string | undefined };

export type RecoveryPlan = {
  base: Base;
  /** From the base on, without a gap. The last one may be unfinished: it has no hash, and its end is told by the database. */
  log: LogFile[];
  cut: Cut | undefined;
  /** Undefined for all there is. */
  until: Date | undefined;
  /** What it comes back to, as far as the archive knows. */
  moment: Date;
};

export async function planRecovery(options: {
  folder: string;
  until: Date | undefined;
  say: (line: string) => void;
}): Promise<RecoveryPlan> {
  const { folder, say } = options;
  const all = await listBases(folder);
  const end = await archivedUntil(folder, all.at(-1)?.finished_at ?? new Date(0).toISOString());
  const isBeyond = options.until !== undefined && options.until > end;
  if (isBeyond) say(`The archive ends at ${end.toISOString()}, before the moment that was asked for.`);
  const until = isBeyond ? undefined : options.until;
  const bases = all.filter(({ finished_at }) => until === undefined || Date.parse(finished_at) <= until.getTime());
  if (bases.length === 0) throw nothingToBeginFrom(all, until);
  const cut = await findCut(folder, until);
  for (const base of bases.reverse()) {
    if (base.platform !== thisPlatform()) {
      throw new BackupError(
        `This archive is of ${base.platform}, and this machine is ${thisPlatform()}: the files of a database belong to one kind of machine. Restore on one like it, or use a backup.`,
      );
    }
    const log = await logSince(folder, base);
    // What a moment needs ends with the cut after it.
    const needed = until !== undefined && cut !== undefined && Date.parse(cut.at) >= until.getTime();
    const enough = needed ? cut && parsePosition(cut.position) : undefined;
    if (!reaches(log, base)) {
      say(`The log after the copy of ${base.finished_at} is missing; looking for an older copy.`);
      continue;
    }
    try {
      await checkFile(join(folder, BASES, base.name), base.file);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      say(`The copy of ${base.finished_at} is not what was written; looking for an older one.`);
      continue;
    }
    const wanted = log.filter(({ position }) => enough === undefined || position < enough);
    return { base, log: wanted, cut, until, moment: until ?? end };
  }
  throw new BackupError(
    'No copy of the database in this archive is whole. Use another copy of the archive, or a backup.',
  );
}

function nothingToBeginFrom(bases: readonly Base[], until: Date | undefined): BackupError {
  const [oldest] = bases;
  if (until === undefined || oldest === undefined) {
    return new BackupError('This archive holds no copy of the database yet: there is nothing to begin from.');
  }
  return new BackupError(
    `This archive goes back to ${oldest.finished_at}. Name that moment or a later one with --until, or use a backup.`,
  );
}

/** The first one after the moment: what is too much in it can be told and taken away, what is missing cannot be had. */
async function findCut(folder: string, until: Date | undefined): Promise<Cut | undefined> {
  const names = await listCuts(folder);
  const name =
    (until === undefined ? undefined : names.find((each) => momentOf(each).getTime() >= until.getTime())) ??
    names.at(-1);
  return name === undefined ? undefined : await readCut(folder, name);
}

async function logSince(folder: string, base: Base): Promise<(LogFile & { position: bigint })[]> {
  const whole = await listSegments(folder, base.timeline);
  const found: (LogFile & { position: bigint })[] = [];
  for (let position = segmentStart(startOf(base)); ; position += BigInt(SEGMENT_BYTES)) {
    const segment = segmentName(base.timeline, position);
    const sha256 = whole.get(segment);
    if (sha256 === undefined) {
      const partial = await stat(join(folder, WAL, `${segment}${PARTIAL}`)).catch(() => undefined);
      if (partial !== undefined) found.push({ segment, sha256: undefined, position });
      return found;
    }
    found.push({ segment, sha256, position });
  }
}

function reaches(log: readonly { position: bigint }[], base: Base): boolean {
  const last = log.at(-1);
  return last !== undefined && last.position + BigInt(SEGMENT_BYTES) >= endOfBase(base);
}

/**
 * A file of the log as the database reads it. The unfinished one is filled up with zeros, which no record of the log is.
 * Throws for a whole one that is not what was written: the log ends there, and everything after it would be missing.
 */
export async function readLogFile(
  folder: string,
  { segment, sha256 }: LogFile,
  say: (line: string) => void,
): Promise<Buffer> {
  if (sha256 === undefined) return await readUnfinished(folder, segment, say);
  const name = packedName(segment, sha256);
  const content = await readFile(join(folder, WAL, name))
    .then((packed) => promisify(gunzip)(packed, { maxOutputLength: SEGMENT_BYTES }))
    .catch(() => undefined);
  const isWhole = content?.length === SEGMENT_BYTES && createHash('sha256').update(content).digest('hex') === sha256;
  if (content !== undefined && isWhole) return content;
  throw new BackupError(
    `The archive is damaged: ${WAL}/${name} is not what was written, and nothing after it can be restored. Use another copy of the archive, or ${await lastMomentBefore(folder, segment)}.`,
  );
}

async function lastMomentBefore(folder: string, segment: string): Promise<string> {
  const names = await listCuts(folder);
  for (const name of names.reverse()) {
    const { at, position } = await readCut(folder, name);
    if (segmentName(1, parsePosition(position)).slice(8) < segment.slice(8))
      return `--until ${at}, the last moment before it`;
  }
  return 'a backup';
}

async function readUnfinished(folder: string, segment: string, say: (line: string) => void): Promise<Buffer> {
  const there = await readFile(join(folder, WAL, `${segment}${PARTIAL}`));
  const content = Buffer.alloc(SEGMENT_BYTES);
  there.copy(content);
  const progress = await readWalProgress(folder);
  if (progress?.segment === segment) {
    const known = there.subarray(0, progress.bytes);
    const isWhole =
      known.length === progress.bytes && createHash('sha256').update(known).digest('hex') === progress.sha256;
    if (!isWhole) {
      say(
        `The last file of the log is not what was written: the end of what was archived until ${progress.at} is missing.`,
      );
    }
  }
  return content;
}

/** Until when the archive goes, as far as it knows. */
async function archivedUntil(folder: string, fallback: string): Promise<Date> {
  const progress = await readWalProgress(folder);
  const newest = (await listCuts(folder)).at(-1);
  const cut = newest === undefined ? undefined : await readCut(folder, newest);
  const isReached = cut !== undefined && progress !== undefined && parsePosition(cut.position) <= endOf(progress);
  const times = [fallback, progress?.at, isReached ? cut.at : undefined].flatMap((at) => at ?? []);
  return new Date(Math.max(...times.map((at) => Date.parse(at))));
}
