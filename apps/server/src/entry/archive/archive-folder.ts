/**
 * The folder of a continuous archive: whose it is, and how anything comes into it.
 *
 *     archive.json    whose it is
 *     bases/<time>/   copies of the whole database: base.tar.gz, manifest.json
 *     wal/            the database's log since: whole files packed, the last one as far as it goes, progress.json
 *     parts/          parts of the event store, each once
 *     cuts/           which parts there were at a moment
 *     files/          files of the data folder
 *
 * Everything is written under a draft's name, made durable, and renamed: a name that is there is whole. The data folder
 * remembers its archive (`archive.json` there as well). A folder that was the archive and holds none now is a disk that
 * is not mounted, and nothing is written to what lies below it; one that holds another archive is somebody else's.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { systemErrorCode } from '../../storage/storage-start-error.ts';
import { makeDurable } from '../backup/packed-file.ts';
import { ArchiveError } from './archive-error.ts';

export const ARCHIVE_NOTE = 'archive.json';
export const DRAFT = '.new';

const noteSchema = z.object({
  airdeck_archive: z.literal(1),
  id: z.uuid(),
  /** Of the database, which no other has. */
  system: z.string(),
  /** A restored database goes on under the next number. */
  timeline: z.int().min(1),
  begun_at: z.iso.datetime(),
});
export type ArchiveNote = z.output<typeof noteSchema>;

const memorySchema = z.object({
  id: z.uuid(),
  folder: z.string(),
  /** False until the folder has its note, so that a crash in between is told from a disk that is away. */
  begun: z.boolean(),
});
type Memory = z.output<typeof memorySchema>;

/** Throws an `ArchiveError` unless the folder is the archive of this installation, or empty and may become it. */
export async function claimArchive(deps: {
  folder: string;
  dataDir: string;
  system: string;
  timeline: number;
  now: () => Date;
}): Promise<ArchiveNote> {
  const { folder, dataDir, system, timeline } = deps;
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) throw new ArchiveError('away');
    throw error;
  });
  const memory = await readMemory(dataDir);
  const remembered = memory?.folder === resolve(folder) ? memory : undefined;
  const note = await readArchiveNote(folder);
  if (note !== undefined) {
    const isOurs = note.id === remembered?.id && note.system === system && note.timeline === timeline;
    if (!isOurs) throw new ArchiveError('foreign');
    if (!remembered.begun) await remember(dataDir, { ...remembered, begun: true });
    return note;
  }
  if (remembered?.begun) throw new ArchiveError('away');
  // A new file system has this one.
  if (names.some((name) => name !== 'lost+found')) throw new ArchiveError('foreign');
  const fresh: ArchiveNote = {
    ...{ airdeck_archive: 1, id: remembered?.id ?? randomUUID() },
    ...{ system, timeline, begun_at: deps.now().toISOString() },
  };
  const memo = { id: fresh.id, folder: resolve(folder) };
  await remember(dataDir, { ...memo, begun: false });
  await writeDurably(join(folder, ARCHIVE_NOTE), [Buffer.from(`${JSON.stringify(fresh)}\n`)]);
  await remember(dataDir, { ...memo, begun: true });
  return fresh;
}

async function remember(dataDir: string, memory: Memory): Promise<void> {
  await writeDurably(join(dataDir, ARCHIVE_NOTE), [Buffer.from(`${JSON.stringify(memory)}\n`)]);
}

/** Undefined where there is no archive. */
export async function readArchiveNote(folder: string): Promise<ArchiveNote | undefined> {
  const text = await readIfThere(join(folder, ARCHIVE_NOTE));
  if (text === undefined) return undefined;
  const parsed = noteSchema.safeParse(parseJson(text));
  if (!parsed.success) throw new ArchiveError('foreign');
  return parsed.data;
}

/** What the data folder knows of its archive. */
export async function readMemory(dataDir: string): Promise<Memory | undefined> {
  const text = await readIfThere(join(dataDir, ARCHIVE_NOTE));
  return text === undefined ? undefined : memorySchema.safeParse(parseJson(text)).data;
}

/** Writes a file that is there whole or not at all. What was there under the name is replaced. */
export async function writeDurably(path: string, content: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<void> {
  const draft = `${path}${DRAFT}`;
  try {
    const handle = await open(draft, 'w', 0o600);
    try {
      for await (const chunk of content) await handle.writeFile(chunk);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
    await makeDurable(dirname(path));
  } catch (error) {
    // On a full disk a draft would take the room that the next attempt needs.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Never with the folders above it: where the archive is away, nothing is made in its place. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  });
}

/** JSON that carries the SHA-256 of itself. */
export async function writeSealed(path: string, content: object): Promise<void> {
  await writeDurably(path, [Buffer.from(`${JSON.stringify({ sha256: sealOf(content), content })}\n`)]);
}

/** Undefined for what is missing; throws for what is not what was written. */
export async function readSealed<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const sealed = parseJson(text) as { sha256?: unknown; content?: unknown } | undefined;
  const parsed = schema.safeParse(sealed?.content);
  if (!parsed.success || sealed?.sha256 !== sealOf(sealed?.content)) throw new ArchiveError('damaged', path);
  return parsed.data;
}

/** Names in a folder of the archive that are whole, in order. */
export async function listWhole(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => !name.endsWith(DRAFT)).sort();
}

/** A moment as a name, in the order of time. */
export function momentName(at: Date): string {
  return at.toISOString().replaceAll(/[-:]/g, '');
}

export function momentOf(name: string): Date {
  const [, year, month, day, hour, minute, rest] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3}Z)/.exec(name) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${rest}`);
}

export function isMissing(error: unknown): boolean {
  return systemErrorCode(error) === 'ENOENT';
}

/** For the list of a folder: one that is not there holds nothing. */
export function emptyWhenMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}

function sealOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
