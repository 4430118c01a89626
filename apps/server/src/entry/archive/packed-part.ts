/**
 * A part of the event store as one file: the names and sizes of what is in it as a line of JSON, then one after the other.
 * A part may have hundreds of files, and a file more or less costs a network disk more than its bytes. Nothing is packed
 * further: the store has done that.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeDurable } from '../backup/packed-file.ts';
import { ArchiveError } from './archive-error.ts';
import { writeDurably } from './archive-folder.ts';

const headSchema = z.array(
  z.object({
    path: z
      .string()
      .min(1)
      .refine((path) => !path.startsWith('/') && !path.split('/').includes('..')),
    bytes: z.int().min(0),
  }),
);
const HEAD_MAX_BYTES = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
const PIECE_BYTES = 1024 * 1024;

export type PackedPart = { bytes: number; sha256: string };

/** What is in a part is told by the checksums it keeps of its own files. */
export async function contentIdOf(part: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(part, 'checksums.txt')))
    .digest('hex')
    .slice(0, 32);
}

export async function packPart(part: string, to: string): Promise<PackedPart> {
  const files: { path: string; bytes: number }[] = [];
  for (const entry of await readdir(part, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files.push({ path: path.slice(part.length + 1), bytes: (await stat(path)).size });
  }
  const hash = createHash('sha256');
  let bytes = 0;
  async function* content(): AsyncGenerator<Buffer> {
    const count = (chunk: Buffer) => {
      hash.update(chunk);
      bytes += chunk.length;
      return chunk;
    };
    yield count(Buffer.from(`${JSON.stringify(files)}\n`));
    for (const { path } of files) {
      for await (const chunk of createReadStream(join(part, path)) as AsyncIterable<Buffer>) yield count(chunk);
    }
  }
  await writeDurably(to, content());
  return { bytes, sha256: hash.digest('hex') };
}

/** Into a new folder, durably. Throws when the file is not what was packed. */
export async function unpackPart(from: string, expected: PackedPart, to: string): Promise<void> {
  const source = await open(from, 'r').catch(() => {
    throw new ArchiveError('damaged', from);
  });
  try {
    if ((await source.stat()).size !== expected.bytes) throw new ArchiveError('damaged', from);
    const hash = createHash('sha256');
    for await (const chunk of piecesOf(source, 0, expected.bytes)) hash.update(chunk);
    if (hash.digest('hex') !== expected.sha256) throw new ArchiveError('damaged', from);
    const head = Buffer.alloc(Math.min(HEAD_MAX_BYTES, expected.bytes));
    await source.read(head, 0, head.length, 0);
    const line = head.indexOf(NEWLINE);
    let at = line + 1;
    await mkdir(to, { mode: 0o750 });
    for (const { path, bytes } of headSchema.parse(JSON.parse(head.toString('utf8', 0, line)))) {
      await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o750 });
      const target = await open(join(to, path), 'wx', 0o640);
      try {
        for await (const chunk of piecesOf(source, at, bytes)) await target.writeFile(chunk);
        await target.sync();
      } finally {
        await target.close();
      }
      at += bytes;
    }
    await makeDurable(to);
  } finally {
    await source.close();
  }
}

/** A stream of its own for each file would leave as many listeners on the one handle. */
async function* piecesOf(source: FileHandle, from: number, bytes: number): AsyncGenerator<Buffer> {
  for (let at = from; at < from + bytes; ) {
    const length = Math.min(PIECE_BYTES, from + bytes - at);
    const { bytesRead, buffer } = await source.read(Buffer.alloc(length), 0, length, at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
