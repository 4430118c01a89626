import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32c } from './crc32c.ts';

const SEGMENT = /^(\d{10})-[A-Za-z0-9-]{1,64}\.spool$/;
const CURSOR = 'cursor';
/** Lines may hold anything the senders log. */
const FILE_MODE = 0o600;

export type SegmentFile = { name: string; bytes: number };
/** Everything before this place was handed on. */
export type Cursor = { segment: string; offset: number };

export type SpoolFolder = {
  /** Oldest first. */
  segments(): Promise<SegmentFile[]>;
  /** Makes a new one behind all others, empty and open; its name is on disk when this resolves. */
  create(id: string): Promise<{ name: string; file: FileHandle }>;
  read(name: string, range: { from: number; to: number }): Promise<Buffer>;
  remove(name: string): Promise<void>;
  /** Undefined when there is none that can be believed. */
  cursor(): Promise<Cursor | undefined>;
  saveCursor(cursor: Cursor): Promise<void>;
};

/** The files of a spool; makes the folder when it is missing. */
export async function openSpoolFolder(path: string): Promise<SpoolFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });

  async function names(): Promise<string[]> {
    return (await readdir(path)).filter((name) => SEGMENT.test(name)).sort();
  }

  /** A file's name survives a power cut only when its folder is synced, too. */
  async function syncFolder(): Promise<void> {
    const folder = await open(path, 'r');
    await folder.sync().finally(() => folder.close());
  }

  let last = numberOf((await names()).at(-1));
  return {
    async segments() {
      return await Promise.all(
        (await names()).map(async (name) => ({ name, bytes: (await stat(join(path, name))).size })),
      );
    },
    async create(id) {
      last += 1;
      const name = `${String(last).padStart(10, '0')}-${id}.spool`;
      const file = await open(join(path, name), 'wx', FILE_MODE);
      await syncFolder();
      return { name, file };
    },
    async read(name, { from, to }) {
      const file = await open(join(path, name), 'r');
      try {
        const bytes = Buffer.alloc(to - from);
        const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },
    remove: (name) => rm(join(path, name), { force: true }),
    async cursor() {
      return cursorOf(await readFile(join(path, CURSOR), 'utf8').catch(() => ''));
    },
    async saveCursor({ segment, offset }) {
      const text = `${segment} ${offset}`;
      await writeFile(join(path, `${CURSOR}.new`), `${text} ${sumOf(text)}`, { mode: FILE_MODE });
      await rename(join(path, `${CURSOR}.new`), join(path, CURSOR));
    },
  };
}

/** A cursor that says too much would lose lines, so it carries its sum; without one everything is handed on again. */
function cursorOf(text: string): Cursor | undefined {
  const [segment = '', offset = '', sum] = text.split(' ');
  if (!SEGMENT.test(segment) || !/^\d{1,15}$/.test(offset)) return undefined;
  return sum === sumOf(`${segment} ${offset}`) ? { segment, offset: Number(offset) } : undefined;
}

function sumOf(text: string): string {
  return crc32c(Buffer.from(text, 'utf8')).toString(16);
}

function numberOf(name: string | undefined): number {
  return Number(SEGMENT.exec(name ?? '')?.[1] ?? 0);
}
