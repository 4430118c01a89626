import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupError } from './backup-error.ts';

/** Deeper packing costs a second core and saves a tenth. */
const PACKING_LEVEL = 3;
const NEWLINE = 0x0a;

/** A file of a backup as the manifest knows it; `path` is relative to the backup's folder. */
export type FileFacts = { path: string; bytes: number; sha256: string };
/** `content` is what went in before packing. */
export type PackedFacts = FileFacts & { lines: number; content_sha256: string };

/** Writes `source` packed, never keeping more than a few portions of it, and makes it durable. */
export async function writePacked(folder: string, path: string, source: AsyncIterable<Buffer>): Promise<PackedFacts> {
  const content = meter();
  const packed = meter();
  const target = await create(folder, path);
  await pipeline(source, content.through, createGzip({ level: PACKING_LEVEL }), packed.through, target);
  await makeDurable(join(folder, path));
  const inside = content.facts();
  const outside = packed.facts();
  return { path, bytes: outside.bytes, sha256: outside.sha256, lines: inside.lines, content_sha256: inside.sha256 };
}

/** The same for what is kept as it is. */
export async function writePlain(folder: string, path: string, source: AsyncIterable<Buffer>): Promise<FileFacts> {
  const content = meter();
  await pipeline(source, content.through, await create(folder, path));
  await makeDurable(join(folder, path));
  const { bytes, sha256 } = content.facts();
  return { path, bytes, sha256 };
}

export function readPacked(folder: string, path: string): AsyncIterable<Buffer> {
  const unpacked = createGunzip();
  pipeline(createReadStream(join(folder, path)), unpacked).catch((error: unknown) => {
    unpacked.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  return unpacked;
}

/** SHA-256 of everything the source delivers, and how many lines it has. */
export async function measure(source: AsyncIterable<Buffer>): Promise<{ sha256: string; lines: number }> {
  const hash = createHash('sha256');
  let lines = 0;
  for await (const chunk of source) {
    hash.update(chunk);
    lines += countLines(chunk);
  }
  return { sha256: hash.digest('hex'), lines };
}

/** Throws a sentence that names the file when it is missing or not what was written. */
export async function checkFile(folder: string, { path, bytes, sha256 }: FileFacts): Promise<void> {
  const found = await stat(join(folder, path)).catch(() => undefined);
  if (found === undefined) throw new BackupError(`The backup is incomplete: ${path} is missing. ${USE_ANOTHER}`);
  const { sha256: actual } =
    found.size === bytes ? await measure(createReadStream(join(folder, path))) : { sha256: undefined };
  if (actual !== sha256) {
    throw new BackupError(`The backup is damaged: ${path} is not what was written. ${USE_ANOTHER}`);
  }
}

export const USE_ANOTHER = 'Nothing was restored; use another copy of this backup, or another backup.';

/** The new names in a folder are durable only with the folder. */
export async function makeDurable(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function create(folder: string, path: string) {
  await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
  return createWriteStream(join(folder, path), { mode: 0o600, flags: 'wx' });
}

function meter() {
  const hash = createHash('sha256');
  let bytes = 0;
  let lines = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      lines += countLines(chunk);
      done(null, chunk);
    },
  });
  return { through, facts: () => ({ bytes, lines, sha256: hash.digest('hex') }) };
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
