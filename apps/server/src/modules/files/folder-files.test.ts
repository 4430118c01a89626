import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Files } from './files-port.ts';
import { createFolderFiles } from './folder-files.ts';
import { createOrphanSweep } from './orphan-sweep.ts';

let folder: string;
let files: Files;

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'airdeck-files-')), 'files');
  files = createFolderFiles(folder);
});
afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

async function* pieces(...texts: (string | Error)[]) {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield Buffer.from(text);
  }
}

async function read(id: string): Promise<string | undefined> {
  const stream = await files.open(id);
  if (stream === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('files in a folder', () => {
  it('are readable by their owner only', async () => {
    const id = v7();
    await files.put(id, pieces('one ', 'two'));
    expect((await stat(join(folder, id))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('leave nothing of what could not be read to its end', async () => {
    await expect(files.put(v7(), pieces('half', new Error('gone')))).rejects.toThrow('gone');
    expect(await readdir(folder)).toEqual([]);
  });

  it('are never written over, also by many at once', async () => {
    const id = v7();
    await files.put(id, pieces('first'));
    await expect(files.put(id, pieces('second'))).rejects.toThrow();
    expect(await read(id)).toBe('first');
    const contested = v7();
    const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => files.put(contested, pieces(`${n}`))));
    expect(tries.filter((one) => one.status === 'fulfilled').length).toBeGreaterThan(0);
    expect(await readdir(folder)).toEqual([id, contested].sort());
  });

  it('nobody knows any more are swept once they are old enough, and nothing else is', async () => {
    const [kept, orphan, fresh] = [v7(), v7(), v7()];
    for (const id of [kept, orphan, fresh]) await files.put(id, pieces(id));
    const stranger = join(folder, 'notes.txt');
    await writeFile(stranger, 'x');
    const now = new Date();
    const old = new Date(now.getTime() - 2 * 3_600_000);
    for (const path of [join(folder, kept), join(folder, orphan), stranger]) await utimes(path, old, old);
    const known = async (ids: readonly string[]) => new Set(ids.filter((id) => id === kept));
    expect(await createOrphanSweep({ files, known, now: () => now })()).toBe(1);
    expect((await readdir(folder)).sort()).toEqual([kept, fresh, 'notes.txt'].sort());
    expect(await readFile(stranger, 'utf8')).toBe('x');
  });

  it('that are not finished are swept later: a job of two hours may have found nothing to write in all of them', async () => {
    const now = new Date();
    const known = async () => new Set<string>();
    let left = -1;
    const id = v7();
    async function* slow() {
      yield Buffer.from('begun ');
      const since = new Date(now.getTime() - 2 * 3_600_000);
      await utimes(join(folder, `${id}.part`), since, since);
      await createOrphanSweep({ files, known, now: () => now })();
      left = (await readdir(folder)).length;
      yield Buffer.from('and done');
    }
    await files.put(id, slow());
    expect(left).toBe(1);
    expect(await read(id)).toBe('begun and done');
    await files.remove(id);
    const unfinished = join(folder, `${v7()}.part`);
    await writeFile(unfinished, 'x');
    const old = new Date(now.getTime() - 3 * 3_600_000 - 1);
    await utimes(unfinished, old, old);
    await createOrphanSweep({ files, known, now: () => now })();
    expect(await readdir(folder)).toEqual([]);
  });
});
