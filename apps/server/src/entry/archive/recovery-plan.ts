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
import { type Cut, listCuts, readWholeCut } from './event-cuts.ts';
import { endOf, listSegments, newestSegment, PARTIAL, packedName, readWalProgress, WAL } from './wal-files.ts';
import { parsePosition, SEGMENT_BYTES, segmentName, segmentStart, startOfSegment } from './wal-position.ts';

export type LogFile = { segment: string; sha256: string | undefined };
/** With where it begins and ends in the log. */
type FoundFile = LogFile & { position: bigint; end: bigint };

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
  const { folder } = options;
  const said = new Set<string>();
  const say = (line: string) => {
    if (said.has(line)) return;
    said.add(line);
    options.say(line);
  };
  const all: (Base & { log: FoundFile[] })[] = [];
  for (const base of await listBases(folder, say)) all.push({ ...base, log: await logSince(folder, base) });
  // A copy whose log did not come any more is of no moment.
  const newest = all.findLast((base) => reaches(base.log, base)) ?? all.at(-1);
  const end = await archivedUntil(
    folder,
    { cut: await findCut(folder, undefined, say), copiedAt: newest?.finished_at ?? new Date(0).toISOString() },
    say,
  );
  const isBeyond = options.until !== undefined && options.until > end;
  if (isBeyond) say(`The archive ends at ${end.toISOString()}, before the moment that was asked for.`);
  const until = isBeyond ? undefined : options.until;
  const bases = all.filter(({ finished_at }) => until === undefined || Date.parse(finished_at) <= until.getTime());
  if (bases.length === 0) throw nothingToBeginFrom(all, until);
  const cut = await findCut(folder, until, say);
  for (const base of bases.reverse()) {
    if (base.platform !== thisPlatform()) {
      throw new BackupError(
        `This archive is of ${base.platform}, and this machine is ${thisPlatform()}: the files of a database belong to one kind of machine. Restore on one like it, or use a backup.`,
      );
    }
    // What a moment needs ends with the cut after it.
    const needed = until !== undefined && cut !== undefined && Date.parse(cut.at) >= until.getTime();
    const enough = needed ? cut && parsePosition(cut.position) : undefined;
    if (!reaches(base.log, base)) {
      say(`The log after the copy of ${base.finished_at} is missing; looking for an older copy.`);
      continue;
    }
    await requireNoGap(folder, base, enough);
    try {
      await checkFile(join(folder, BASES, base.name), base.file);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      say(`The copy of ${base.finished_at} is not what was written; looking for an older one.`);
      continue;
    }
    const wanted = base.log.filter(({ position }) => enough === undefined || position < enough);
    return { base, log: wanted, cut, until, moment: until ?? end };
  }
  throw new BackupError(
    'No copy of the database in this archive is whole. Use another copy of the archive, or a backup.',
  );
}

function nothingToBeginFrom(bases: readonly Base[], until: Date | undefined): BackupError {
  const [oldest] = bases;
  if (until === undefined || oldest === undefined) {
    return new BackupError('This archive holds no whole copy of the database: there is nothing to begin from.');
  }
  return new BackupError(
    `This archive goes back to ${oldest.finished_at}. Name that moment or a later one with --until, or use a backup.`,
  );
}

/**
 * The first whole one after the moment: what is too much in it can be told and taken away, what is missing cannot be had.
 * Without one, and without a moment, the newest.
 */
async function findCut(folder: string, until: Date | undefined, say: (line: string) => void): Promise<Cut | undefined> {
  const names = await listCuts(folder);
  const isAfter = (name: string) => until !== undefined && momentOf(name).getTime() >= until.getTime();
  for (const name of [...names.filter(isAfter), ...names.filter((each) => !isAfter(each)).reverse()]) {
    const cut = await readWholeCut(folder, name, say);
    if (cut !== undefined) return cut;
  }
  return undefined;
}

async function logSince(folder: string, base: Base): Promise<FoundFile[]> {
  const whole = await listSegments(folder, base.timeline);
  const found: FoundFile[] = [];
  for (let position = segmentStart(startOf(base)); ; position += BigInt(SEGMENT_BYTES)) {
    const segment = segmentName(base.timeline, position);
    const sha256 = whole.get(segment);
    if (sha256 === undefined) {
      const partial = await stat(join(folder, WAL, `${segment}${PARTIAL}`)).catch(() => undefined);
      if (partial !== undefined) {
        found.push({ segment, sha256: undefined, position, end: position + BigInt(partial.size) });
      }
      return found;
    }
    found.push({ segment, sha256, position, end: position + BigInt(SEGMENT_BYTES) });
  }
}

function reaches(log: readonly FoundFile[], base: Base): boolean {
  const last = log.at(-1);
  return last !== undefined && last.end >= endOfBase(base);
}

/**
 * The database reads its log as far as it goes and takes that for all there is. So where files that come later are known,
 * what is asked for has to be before the first one that is missing. Of the very last one there is what there is.
 */
async function requireNoGap(
  folder: string,
  { timeline, log }: Base & { log: readonly FoundFile[] },
  enough: bigint | undefined,
): Promise<void> {
  const last = log.at(-1);
  if (last === undefined || last.segment === (await newestSegment(folder, timeline))) return;
  if (enough !== undefined && enough <= last.end) return;
  const missing = last.sha256 === undefined ? last.segment : segmentName(timeline, last.end);
  throw new BackupError(
    `The log of this archive has a gap: ${WAL}/${missing} is missing or was never finished, and nothing after it can be restored. Use another copy of the archive, or ${await lastMomentBefore(folder, last.end)}.`,
  );
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
    `The archive is damaged: ${WAL}/${name} is not what was written, and nothing after it can be restored. Use another copy of the archive, or ${await lastMomentBefore(folder, startOfSegment(segment))}.`,
  );
}

/** Of moments that have a copy of the database to begin from. */
async function lastMomentBefore(folder: string, end: bigint): Promise<string> {
  const [oldest] = await listBases(folder, () => undefined);
  for (const name of (await listCuts(folder)).reverse()) {
    const cut = await readWholeCut(folder, name, () => undefined);
    if (cut === undefined) continue;
    const { at, position } = cut;
    if (oldest === undefined || Date.parse(at) < Date.parse(oldest.finished_at)) break;
    if (parsePosition(position) <= end) return `--until ${at}, the last moment before it`;
  }
  return 'a backup';
}

async function readUnfinished(folder: string, segment: string, say: (line: string) => void): Promise<Buffer> {
  const there = await readFile(join(folder, WAL, `${segment}${PARTIAL}`));
  const content = Buffer.alloc(SEGMENT_BYTES);
  there.copy(content);
  // Whoever made the plan has said what is wrong with it.
  const progress = await readWalProgress(folder, () => undefined);
  if (progress?.segment === segment && progress.sha256 === undefined) {
    say('How much of the last file of the log is whole is not known: the database reads it as far as it is.');
  } else if (progress?.segment === segment) {
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
async function archivedUntil(
  folder: string,
  { cut: newest, copiedAt }: { cut: Cut | undefined; copiedAt: string },
  say: (line: string) => void,
): Promise<Date> {
  const progress = await readWalProgress(folder, say);
  // The newest cut may be one whose log did not come any more; where no moment was written down, an earlier one tells it.
  const cut = progress !== undefined && progress.at === undefined ? await lastCutUpTo(folder, endOf(progress)) : newest;
  const isReached = cut !== undefined && progress !== undefined && parsePosition(cut.position) <= endOf(progress);
  const times = [copiedAt, progress?.at, isReached ? cut.at : undefined].flatMap((at) => at ?? []);
  return new Date(Math.max(...times.map((at) => Date.parse(at))));
}

async function lastCutUpTo(folder: string, end: bigint): Promise<Cut | undefined> {
  for (const name of (await listCuts(folder)).reverse()) {
    const cut = await readWholeCut(folder, name, () => undefined);
    if (cut !== undefined && parsePosition(cut.position) <= end) return cut;
  }
  return undefined;
}
