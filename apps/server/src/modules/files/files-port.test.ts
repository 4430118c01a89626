/** What every place for files keeps to: the folder and the bucket run through the same tests. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from './files-port.ts';
import { createFolderFiles } from './folder-files.ts';
import { createOrphanSweep } from './orphan-sweep.ts';
import { createS3Bucket } from './s3-bucket.ts';
import { createS3Files } from './s3-files.ts';
import { type S3StandIn, startS3StandIn } from './s3-stand-in.ts';

/** The smallest S3 takes for a part that is not the last. */
const PART_BYTES = 5 * 1_048_576;
const HOUR_MS = 3_600_000;

let folder: string;
let standIn: S3StandIn;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airdeck-files-'));
  standIn = await startS3StandIn();
});
afterAll(async () => {
  await standIn?.close();
  await rm(folder, { recursive: true, force: true });
});

const places: Record<string, () => Files> = {
  'a folder': () => createFolderFiles(join(folder, v7())),
  // Two to a page, so that every list of these tests has several.
  'a bucket': () => createS3Files(createS3Bucket(standIn.bucket), { prefix: v7(), partBytes: PART_BYTES, portion: 2 }),
};

async function* pieces(...parts: (string | Buffer | Error)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield Buffer.from(part);
  }
}

describe.each(Object.entries(places))('files in %s', (_, place) => {
  let files: Files;
  beforeEach(() => {
    files = place();
  });

  async function read(id: string): Promise<Buffer | undefined> {
    const stream = await files.open(id);
    if (stream === undefined) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
    return Buffer.concat(chunks);
  }

  async function listed(olderThan: Date): Promise<string[]> {
    const ids: string[] = [];
    for await (const portion of files.listOlder(olderThan)) ids.push(...portion);
    return ids.sort();
  }
  const soon = () => new Date(Date.now() + HOUR_MS);

  it('come back as they were put, and can be removed twice', async () => {
    const id = v7();
    expect(await files.put(id, pieces('one ', 'two'))).toBe(7);
    expect((await read(id))?.toString()).toBe('one two');
    await files.remove(id);
    await files.remove(id);
    expect(await read(id)).toBeUndefined();
  });

  it.each([
    ['nothing', 0],
    ['one byte less than a part', PART_BYTES - 1],
    ['exactly a part', PART_BYTES],
    ['exactly two parts', 2 * PART_BYTES],
    ['two parts and a bit', 2 * PART_BYTES + 3],
  ])('of %s come back byte for byte', async (_size, sizeBytes) => {
    const id = v7();
    const content = randomBytes(sizeBytes);
    const cut = Math.floor(sizeBytes / 3);
    expect(await files.put(id, pieces(content.subarray(0, cut), content.subarray(cut)))).toBe(sizeBytes);
    expect((await read(id))?.equals(content)).toBe(true);
  });

  it.each([
    ['little', ['half']],
    ['more than a part', [randomBytes(PART_BYTES + 1)]],
  ])('leave nothing of what broke off after %s', async (_much, before) => {
    const id = v7();
    await expect(files.put(id, pieces(...before, new Error('gone')))).rejects.toThrow('gone');
    expect(await read(id)).toBeUndefined();
    expect(await listed(soon())).toEqual([]);
  });

  it('are never written over', async () => {
    const id = v7();
    await files.put(id, pieces('first'));
    await expect(files.put(id, pieces('second'))).rejects.toThrow(`There already is a file ${id}.`);
    await expect(files.put(id, pieces(randomBytes(PART_BYTES + 1)))).rejects.toThrow('There already is a file');
    expect((await read(id))?.toString()).toBe('first');
  });

  it.each(['../x', '..', '/etc/passwd', 'a\0b', '', 'x'.repeat(4096), v7().toUpperCase()])(
    'have no name %j',
    async (name) => {
      const calls = [() => files.put(name, pieces('x')), () => files.open(name), () => files.remove(name)];
      for (const call of calls) await expect((async () => call())()).rejects.toThrow('ids only');
    },
  );

  it('are listed in portions once they are old enough, all of them', async () => {
    const ids = Array.from({ length: 5 }, () => v7()).sort();
    for (const id of ids) await files.put(id, pieces(id));
    expect(await listed(new Date(Date.now() - HOUR_MS))).toEqual([]);
    expect(await listed(soon())).toEqual(ids);
  });

  it('nobody knows any more are swept, also while the list goes on', async () => {
    const ids = Array.from({ length: 5 }, () => v7());
    for (const id of ids) await files.put(id, pieces(id));
    const [kept = ''] = ids;
    const known = async (asked: readonly string[]) => new Set(asked.filter((id) => id === kept));
    const later = () => new Date(Date.now() + 2 * HOUR_MS);
    expect(await createOrphanSweep({ files, known, now: later })()).toBe(4);
    expect(await listed(soon())).toEqual([kept]);
  });

  it('that were never there leave nothing to list', async () => {
    expect(await listed(soon())).toEqual([]);
  });
});
