import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32c } from './crc32c.ts';

const SEGMENT = /^(\d{10})-[A-Za-z0-9-]{1,64}\.spool$/;
const CURSOR = 'cursor';
const END = '.end';
/** Lines may hold anything the senders log. */
const FILE_MODE = 0o600;

/** `bytes` up to the noted end; without one all of them. */
export type SegmentFile = { name: string; bytes: number };
/** Everything before this place was handed on. */
export type Cursor = { segment: string; offset: number };

export type SpoolFolder = {
  /** Oldest first. */
  segments(): Promise<SegmentFile[]>;
  /** Makes a new one behind all others, empty and open; its name is on disk when this resolves. */
  create(id: string): Promise<{ name: string; file: FileHandle }>;
  /** From here on nothing of that file behind this place counts; on disk when this resolves. */
  noteEnd(name: string, bytes: number): Promise<void>;
  read(name: string, range: { from: number; to: number }): Promise<Buffer>;
  remove(name: string): Promise<void>;
  /** Undefined when there is none that can be believed. */
  cursor(): Promise<Cursor | undefined>;
  saveCursor(cursor: Cursor): Promise<void>;
};

/** The files of a spool; makes the folder when it is missing. `sync` makes the names in a folder last. */
export async function openSpoolFolder(path: string, { sync = syncFolder } = {}): Promise<SpoolFolder> {
  await mkdir(path, { recursive: true, mode: 0o700 });

  async function names(): Promise<string[]> {
    return (await readdir(path)).filter((name) => SEGMENT.test(name)).sort();
  }

  async function endOf(name: string): Promise<number> {
    const noted = placeOf(await readFile(join(path, `${name}${END}`), 'utf8').catch(() => ''));
    const { size } = await stat(join(path, name));
    return noted?.segment === name ? Math.min(noted.offset, size) : size;
  }

  const left = await names();
  for (const name of await readdir(path)) {
    if (name.endsWith(END) && !left.includes(name.slice(0, -END.length))) await rm(join(path, name));
  }
  let last = numberOf(left.at(-1));
  return {
    segments: async () => await Promise.all((await names()).map(async (name) => ({ name, bytes: await endOf(name) }))),
    async create(id) {
      last += 1;
      const name = `${String(last).padStart(10, '0')}-${id}.spool`;
      const file = await open(join(path, name), 'wx', FILE_MODE);
      try {
        await sync(path);
      } catch (error) {
        // Tried again under another name, as often as it takes.
        await file.close().finally(() => rm(join(path, name), { force: true }));
        throw error;
      }
      return { name, file };
    },
    async noteEnd(name, bytes) {
      const file = await open(join(path, `${name}${END}`), 'w', FILE_MODE);
      try {
        await file.writeFile(withSum(`${name} ${bytes}`));
        await file.datasync();
      } finally {
        await file.close();
      }
      await sync(path);
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
    async remove(name) {
      await rm(join(path, name), { force: true });
      await rm(join(path, `${name}${END}`), { force: true });
    },
    async cursor() {
      return placeOf(await readFile(join(path, CURSOR), 'utf8').catch(() => ''));
    },
    async saveCursor({ segment, offset }) {
      await writeFile(join(path, `${CURSOR}.new`), withSum(`${segment} ${offset}`), { mode: FILE_MODE });
      await rename(join(path, `${CURSOR}.new`), join(path, CURSOR));
    },
  };
}

/** A file's name survives a power cut only when its folder is synced, too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

/** A place that is wrong would lose lines, so it carries its sum; without one everything is handed on again. */
function withSum(text: string): string {
  return `${text} ${sumOf(text)}`;
}

function placeOf(text: string): Cursor | undefined {
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
