/**
 * Reads what somebody chose into texts of rules: YAML files as they are, archives by their YAML files. Everything is
 * bounded before it is read or unpacked: an archive says how large its files become, and one that lies fails to unpack; what
 * stands in it unpacked counts as long as it is.
 * Between any two files the page has its turn.
 */
import type { SigmaFile } from '@airdeck/domain/sigma-documents';
import { plural } from '../../../language/plural.ts';
import { pageLanguage, t } from '../../../language/translate.ts';
import type { ChosenFile } from './chosen-files.ts';
import { nextTurn } from './in-turns.ts';

export type LeftOut = { readonly name: string; readonly reason: string };
export type FilesRead = {
  readonly files: readonly SigmaFile[];
  /** What could hold rules, and is not taken. */
  readonly leftOut: readonly LeftOut[];
  /** Files of folders that are no rules: a folder of rules has a licence and a read-me as well. */
  readonly others: number;
};

const MEGABYTE = 1_048_576;
export const readLimits = {
  files: 10_000,
  /** Of one file; all rules that are published together have half of it. */
  fileBytes: 16 * MEGABYTE,
  /** Of all files together. */
  bytes: 60 * MEGABYTE,
  archiveBytes: 30 * MEGABYTE,
} as const;

/** Unpacked before the page has its turn again. */
const BATCH = { files: 500, bytes: 4 * MEGABYTE } as const;

type Reading = { signal: AbortSignal; onProgress: (done: number, count: number) => void };
type Room = { files: number; bytes: number };

const isYaml = (name: string) => /\.ya?ml$/i.test(name);
/** Of what somebody did not choose by itself: not what is hidden, nor what Macs put beside it. */
const isRule = (name: string) => isYaml(name) && !/(^|\/)(\.|__MACOSX\/)/.test(name);
const withoutRoot = (path: string) => path.slice(path.indexOf('/') + 1);
const isArchive = (name: string) => /\.zip$/i.test(name);

export async function readFiles(chosen: readonly ChosenFile[], { signal, onProgress }: Reading): Promise<FilesRead> {
  // In the order of names, so that the answer is the same every time; what was chosen one by one stays as it is.
  const folders = chosen.filter(({ inFolder }) => inFolder);
  const rules = folders.filter(({ name }) => isRule(withoutRoot(name))).sort((a, b) => (a.name < b.name ? -1 : 1));
  const wanted = [...chosen.filter(({ inFolder }) => !inFolder), ...rules];
  const files: SigmaFile[] = [];
  const leftOut: LeftOut[] = [];
  const room: Room = { files: readLimits.files, bytes: readLimits.bytes };
  for (const [at, one] of wanted.entries()) {
    onProgress(at, wanted.length);
    const read = await readOne(one, room);
    signal.throwIfAborted();
    files.push(...read.files);
    leftOut.push(...read.leftOut);
  }
  return { files, leftOut, others: folders.length - rules.length };
}

type Read = Pick<FilesRead, 'files' | 'leftOut'>;

async function readOne({ name, open }: ChosenFile, room: Room): Promise<Read> {
  const refused = (reason: string): Read => ({ files: [], leftOut: [{ name, reason }] });
  if (!isArchive(name) && !isYaml(name)) return refused(t('Neither YAML nor a zip archive'));
  try {
    const file = await open();
    if (isArchive(name)) return await readArchive(name, file, room);
    if (file.size === 0) return refused(t('Empty'));
    if (file.size > readLimits.fileBytes) return refused(tooLarge(readLimits.fileBytes));
    if (!takesRoom(room, file.size)) return refused(noRoom());
    const text = textOf(await file.arrayBuffer());
    return text === undefined ? refused(noText()) : { files: [{ name, text }], leftOut: [] };
  } catch {
    // Moved meanwhile, a folder that was dropped as a file, or nothing this browser may read.
    return refused(t('Cannot be read'));
  }
}

async function readArchive(name: string, file: File, room: Room): Promise<Read> {
  const refused = (reason: string): Read => ({ files: [], leftOut: [{ name, reason }] });
  if (file.size > readLimits.archiveBytes) return refused(tooLarge(readLimits.archiveBytes));
  const packed = new Uint8Array(await file.arrayBuffer());
  try {
    const { unzipSync } = await import('fflate');
    /** Of the entries that are rules, which to unpack next; false for what is too large. */
    const sizes: number[] = [];
    unzipSync(packed, {
      filter: (entry) => {
        // What is not packed is copied as long as it is there, whatever length it claims.
        const stored = entry.compression === 0 ? entry.size : 0;
        if (isRule(entry.name)) sizes.push(Math.max(entry.originalSize, stored));
        return false;
      },
    });
    if (sizes.length === 0) return refused(t('No YAML file in it'));
    const taken = sizes.map((size) => size <= readLimits.fileBytes && takesRoom(room, size));
    const files: SigmaFile[] = [];
    const leftOut: LeftOut[] = [];
    for (const [from, to] of batchesOf(sizes)) {
      if (!taken.slice(from, to).includes(true)) continue;
      await nextTurn();
      let at = -1;
      const filter = (entry: { name: string }) => {
        if (!isRule(entry.name)) return false;
        at += 1;
        return at >= from && at < to && taken[at] === true;
      };
      for (const [inside, bytes] of Object.entries(unzipSync(packed, { filter }))) {
        const text = textOf(bytes);
        if (text === undefined) leftOut.push({ name: inside, reason: noText() });
        else files.push({ name: inside, text });
      }
    }
    const beyond = taken.filter((one) => !one).length;
    if (beyond > 0) leftOut.push({ name, reason: tooMany(beyond) });
    return { files, leftOut };
  } catch {
    return refused(t('This archive cannot be unpacked'));
  }
}

/** First entry, and the one after the last, of each batch. */
function batchesOf(sizes: readonly number[]): [number, number][] {
  const batches: [number, number][] = [];
  let bytes = 0;
  for (const [at, size] of sizes.entries()) {
    const last = batches.at(-1);
    if (last !== undefined && at - last[0] < BATCH.files && bytes + size <= BATCH.bytes) {
      last[1] = at + 1;
      bytes += size;
    } else {
      batches.push([at, at + 1]);
      bytes = size;
    }
  }
  return batches;
}

function takesRoom(room: Room, bytes: number): boolean {
  if (room.files < 1 || room.bytes < bytes) return false;
  room.files -= 1;
  room.bytes -= bytes;
  return true;
}

/** Undefined for what is no text. Characters that are put in for others would be looked for in vain later. */
function textOf(bytes: ArrayBuffer | Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function noText(): string {
  return t('No text in UTF-8');
}

function tooLarge(bytes: number): string {
  return t('Larger than {size} MB', { size: bytes / MEGABYTE });
}

function noRoom(): string {
  return t('Beyond the {files} files or {size} MB of one import', {
    files: new Intl.NumberFormat(pageLanguage()).format(readLimits.files),
    size: readLimits.bytes / MEGABYTE,
  });
}

function tooMany(count: number): string {
  return plural(
    count,
    '{count} of its files is too large, by itself or together with others',
    '{count} of its files are too large, by themselves or together',
  );
}
