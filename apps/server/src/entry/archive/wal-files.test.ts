import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endOf, openWalFiles, PARTIAL, readWalProgress, WAL } from './wal-files.ts';
import { SEGMENT_BYTES, segmentName } from './wal-position.ts';

let folder: string;
const said: string[] = [];
const say = (line: string) => void said.push(line);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airdeck-wal-files-'));
  said.length = 0;
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const KIB = 1024;
const first = segmentName(1, BigInt(SEGMENT_BYTES));
const second = segmentName(1, BigInt(2 * SEGMENT_BYTES));
const partial = () => join(folder, WAL, `${first}${PARTIAL}`);
const progress = () => join(folder, WAL, 'progress.json');
const damage = (text = '') => writeFile(progress(), text);

/** What the database wrote: no two places of it alike. */
const stream = Buffer.alloc(2 * SEGMENT_BYTES);
for (let at = 0; at < stream.length; at += 4) stream.writeUInt32LE(at + 1, at);

const open = () => openWalFiles({ folder, timeline: 1, now: () => new Date(0), say });

/** As a session does: from where the archive wants the stream to begin, up to there. */
async function archive(bytes: number, of = stream) {
  const wal = await open();
  const from = wal.next ?? BigInt(SEGMENT_BYTES);
  wal.startAt(from);
  await wal.take(from, of.subarray(Number(from) - SEGMENT_BYTES, bytes));
  return await wal.flush();
}
const at = (bytes: number) => BigInt(SEGMENT_BYTES + bytes);

describe('an archive whose progress is not what was written', () => {
  const damages = ['', '{"sha256":"', '{"sha256":"00","content":{"segment":"x"}}', '\0\0\0\0'];

  it.each(damages)('goes on from the file that was growing, and says so: %j', async (text) => {
    await archive(100 * KIB);
    await damage(text);
    expect(await archive(150 * KIB)).toBe(at(150 * KIB));
    expect(said).toEqual([expect.stringContaining('wal/progress.json is not what was written')]);
    expect((await readFile(partial())).equals(stream.subarray(0, 150 * KIB))).toBe(true);
    const found = await readWalProgress(folder, say);
    expect(found).toMatchObject({ segment: first, bytes: 150 * KIB, at: new Date(0).toISOString() });
    expect(said).toHaveLength(1);
  });

  it('goes on where it is missing', async () => {
    await archive(100 * KIB);
    await rm(progress());
    expect(await archive(100 * KIB)).toBe(at(100 * KIB));
    expect(said).toEqual([expect.stringContaining('wal/progress.json is missing')]);
  });

  it('goes on after the last whole file where none was growing, without a gap', async () => {
    await archive(SEGMENT_BYTES);
    await damage();
    expect((await open()).next).toBe(at(SEGMENT_BYTES));
    await archive(SEGMENT_BYTES + KIB);
    const names = await readdir(join(folder, WAL));
    expect(names.filter((name) => name.startsWith(first))).toHaveLength(1);
    expect(names).toContain(`${second}${PARTIAL}`);
  });

  it('knows how far it goes at most, so that a database that went back in time is still told', async () => {
    await archive(100 * KIB);
    await damage();
    const found = await readWalProgress(folder, say);
    expect(found && endOf(found)).toBe(at(100 * KIB));
  });

  it('gives up nothing that is there before the same has come again', async () => {
    await archive(100 * KIB);
    await damage();
    expect(await archive(40 * KIB)).toBe(at(0));
    expect((await readFile(partial())).equals(stream.subarray(0, 100 * KIB))).toBe(true);
    expect(await archive(100 * KIB)).toBe(at(100 * KIB));
    expect(await readWalProgress(folder, say)).toMatchObject({ bytes: 100 * KIB });
  });

  it('takes again what a crash kept from the disk: blocks of zeros', async () => {
    await archive(100 * KIB);
    const torn = await readFile(partial());
    torn.fill(0, 40 * KIB, 48 * KIB).fill(0, 98 * KIB + 10, 100 * KIB);
    await writeFile(partial(), torn);
    await damage();
    expect(await archive(120 * KIB)).toBe(at(120 * KIB));
    expect((await readFile(partial())).equals(stream.subarray(0, 120 * KIB))).toBe(true);
  });

  it('is not gone on with by a database that streams something else, and stays as it is', async () => {
    await archive(100 * KIB);
    await damage();
    const other = Buffer.from(stream);
    other.fill('other', 60 * KIB, 61 * KIB);
    await expect(archive(120 * KIB, other)).rejects.toMatchObject({ trouble: 'foreign' });
    expect((await readFile(partial())).equals(stream.subarray(0, 100 * KIB))).toBe(true);
    expect(await readFile(progress(), 'utf8')).toBe('');
  });
});

it('of a whole progress what was not made durable is still streamed again', async () => {
  await archive(100 * KIB);
  await truncate(partial(), 30 * KIB);
  expect(await archive(120 * KIB)).toBe(at(120 * KIB));
  expect((await readFile(partial())).equals(stream.subarray(0, 120 * KIB))).toBe(true);
  expect(said).toEqual([]);
});

it('a new archive has no progress, and nothing is said', async () => {
  expect(await readWalProgress(folder, say)).toBeUndefined();
  expect((await open()).next).toBeUndefined();
  expect(said).toEqual([]);
});
