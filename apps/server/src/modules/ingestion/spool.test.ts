import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledProgram } from '@airdeck/engine/testing/bundled-program';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { quietLog } from '../../storage/test-database.ts';
import { createSpool, type Spool, type SpoolDelivery } from './spool.ts';
import { openSpoolFolder, type SpoolFolder } from './spool-folder.ts';
import { readRecords, type SpooledLine, sealOf } from './spool-records.ts';

/** As long as a busy machine takes; what never happens ends the test. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 100 });

let root: string;
let folders = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'airdeck-spool-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const newFolder = () => join(root, String(folders++));

type Changed = { maxBytes?: number; segmentBytes?: number; files?: (files: SpoolFolder) => SpoolFolder };

async function openSpool(path: string, { files = (same) => same, ...changed }: Changed = {}) {
  const taken: string[] = [];
  const lost: string[] = [];
  let rooms = 0;
  const spool = await createSpool({
    folder: files(await openSpoolFolder(path)),
    ids: v7,
    maxBytes: 64 * 1_048_576,
    ...changed,
    onTaken: (lines) => taken.push(...textsOf(lines)),
    onLost: (lines) => lost.push(...textsOf(lines)),
    onRoom: () => rooms++,
    log: quietLog,
  });
  const add = (...texts: string[]) => {
    for (const text of texts) {
      spool.append({ door: 'tcp', address: '192.0.2.1', receivedAt: 1_700_000_000_000, bytes: Buffer.from(text) });
    }
  };
  return { spool, taken, lost, add, rooms: () => rooms };
}

const textsOf = (lines: readonly SpooledLine[]) => lines.map(({ bytes }) => bytes.toString());
const segmentsIn = (path: string) => readdirSync(path).filter((name) => name.endsWith('.spool'));

/** Files of this process below the folder, where the system tells. */
function openIn(path: string): string[] {
  if (process.platform !== 'linux') return [];
  const fds = readdirSync('/proc/self/fd').map((fd) => `/proc/self/fd/${fd}`);
  // The one that read the list is closed by now.
  return fds.filter((fd) => existsSync(fd) && readlinkSync(fd).startsWith(path));
}

/** Everything that is handed out until nothing is left. */
async function takeAll(spool: Spool, count: number): Promise<SpoolDelivery[]> {
  const taken: SpoolDelivery[] = [];
  for (let lines = 0; lines < count; ) {
    const next = await spool.take();
    if (next === undefined) break;
    taken.push(next);
    lines += next.lines.length;
  }
  return taken;
}

/** Calls to the disk by number that fail, and what becomes of bytes whose sync failed. */
type Fault = { calls: readonly number[]; unsynced: 'is gone' | 'stays' };

/**
 * A write fails after half of what it was to write, as on a full disk. A failed sync counts as one from then on, so that asking
 * again would succeed. Where the unsynced stays, the file cannot be cut back either. `usedOn` is told of what is written or synced
 * where a call had failed.
 */
function failingFiles(files: SpoolFolder, { calls, unsynced }: Fault, usedOn: (what: string) => void): SpoolFolder {
  let count = 0;
  const fails = () => calls.includes(++count);
  const refusal = (code: string) => Object.assign(new Error(code), { code });
  return {
    ...files,
    async create(id) {
      if (fails()) throw refusal('ENOSPC');
      const { name, file } = await files.create(id);
      const writeTo: (bytes: Buffer, ...place: number[]) => Promise<unknown> = file.write.bind(file);
      const [datasync, truncate, close] = [file.datasync.bind(file), file.truncate.bind(file), file.close.bind(file)];
      let synced = 0;
      let failed = false;
      const failingWrite = async (bytes: Buffer, offset: number, length: number, position: number) => {
        if (failed) usedOn('written');
        if (!fails()) return await writeTo(bytes, offset, length, position);
        failed = true;
        await writeTo(bytes, offset, Math.floor(length / 2), position);
        throw refusal('ENOSPC');
      };
      const failingSync = async () => {
        if (failed) usedOn('synced');
        if (fails()) {
          failed = true;
          if (unsynced === 'is gone') await truncate(synced);
          throw refusal('EIO');
        }
        await datasync();
        synced = (await file.stat()).size;
      };
      const failingCut = async (bytes: number) => {
        if (unsynced === 'stays') throw refusal('EIO');
        await truncate(bytes);
      };
      const failingClose = async () => {
        await close();
        if (fails()) throw refusal('EIO');
      };
      Object.assign(file, { write: failingWrite, datasync: failingSync, truncate: failingCut, close: failingClose });
      return { name, file };
    },
    async noteEnd(name, bytes) {
      if (fails()) throw refusal('EIO');
      await files.noteEnd(name, bytes);
    },
  };
}

const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => `line ${from + n}`);

describe('a spool', () => {
  it('hands out what is on disk, in order, and removes what is done', async () => {
    const path = newFolder();
    const { spool, taken, add } = await openSpool(path, { segmentBytes: 4_000 });
    const texts = numbers(0, 2_500);
    add(...texts);
    const deliveries = await takeAll(spool, texts.length);
    expect(deliveries.flatMap(({ lines }) => textsOf(lines))).toEqual(texts);
    expect(taken).toEqual(texts);
    expect(new Set(deliveries.map(({ key }) => key)).size).toBe(deliveries.length);
    expect(Math.max(...deliveries.map(({ lines }) => lines.length))).toBeLessThanOrEqual(1_000);
    for (const { done } of deliveries.reverse()) done();
    await spool.drained();
    await spool.close();
    expect(segmentsIn(path)).toEqual([]);
  });

  it('gives the next process what was not done, under the same keys', async () => {
    const path = newFolder();
    const first = await openSpool(path);
    first.add(...numbers(0, 2_300));
    const before = await takeAll(first.spool, 2_300);
    before[1]?.done();
    await first.spool.close();
    const second = await openSpool(path);
    const after = await takeAll(second.spool, 2_300);
    // The first block is not done, so what lies behind it comes again as well.
    expect(after.map(({ key, lines }) => [key, textsOf(lines)])).toEqual(
      before.map(({ key, lines }) => [key, textsOf(lines)]),
    );
    expect([...before, ...after].map(({ isLeft }) => isLeft)).toEqual([
      ...before.map(() => false),
      ...after.map(() => true),
    ]);
    for (const { done } of after) done();
    await second.spool.close();
    const third = await openSpool(path);
    third.add('new');
    expect((await takeAll(third.spool, 1)).flatMap(({ lines }) => textsOf(lines))).toEqual(['new']);
    await third.spool.close();
  });

  it('is full beyond its size, and says when there is room again', async () => {
    const { spool, taken, add, rooms } = await openSpool(newFolder(), { maxBytes: 10_000 });
    add('x'.repeat(9_990));
    expect(spool.isFull).toBe(true);
    await eventually(() => expect(taken).toHaveLength(1));
    expect([spool.isFull, rooms()]).toEqual([true, 0]);
    for (const { done } of await takeAll(spool, 1)) done();
    expect([spool.isFull, rooms()]).toEqual([false, 1]);
    await spool.close();
  });

  it('tries again when the disk refuses, keeps every line once, and is full until then', async () => {
    let refuses = true;
    const path = newFolder();
    const files = (same: SpoolFolder): SpoolFolder => ({
      ...same,
      create: (id) => (refuses ? Promise.reject(new Error('ENOSPC')) : same.create(id)),
    });
    const { spool, taken, add } = await openSpool(path, { files });
    add(...numbers(0, 10));
    await eventually(() => expect(spool.isFull).toBe(true));
    expect(taken).toEqual([]);
    refuses = false;
    expect((await takeAll(spool, 10)).flatMap(({ lines }) => textsOf(lines))).toEqual(numbers(0, 10));
    expect(spool.isFull).toBe(false);
    await spool.close();
  });

  it.each([
    { what: 'one call to the disk fails', after: [], unsynced: 'is gone' },
    { what: 'one call to the disk fails, and its file cannot be cut back', after: [], unsynced: 'stays' },
    { what: 'two calls in a row fail, and no file can be cut back', after: [1], unsynced: 'stays' },
    { what: 'three calls in a row fail, and no file can be cut back', after: [1, 2], unsynced: 'stays' },
  ] as const)('keeps every line once when $what', async ({ after, unsynced }) => {
    const all = numbers(0, 32);
    const keptWithout = async (call: number) => {
      const path = newFolder();
      const usedOn: string[] = [];
      const fault = { calls: [call, ...after.map((more) => call + more)], unsynced };
      const files = (same: SpoolFolder) => failingFiles(same, fault, (what) => usedOn.push(what));
      const { spool, taken, lost, add } = await openSpool(path, { segmentBytes: 400, files });
      for (let group = 0; group < all.length; group += 4) {
        add(...all.slice(group, group + 4));
        await eventually(() => expect(taken).toHaveLength(group + 4));
      }
      await spool.close();
      const next = await openSpool(path);
      const found: string[] = [];
      next.add('end');
      while (found.at(-1) !== 'end') found.push(...textsOf((await next.spool.take())?.lines ?? []));
      await next.spool.close();
      expect({ call, taken, found, lost }).toEqual({ call, taken: all, found: [...all, 'end'], lost: [] });
      expect({ call, usedOn }).toEqual({ call, usedOn: [] });
    };
    await Promise.all(Array.from({ length: 27 }, (_, call) => keptWithout(call + 1)));
  });

  it('leaves nothing open and nothing behind of a file whose name cannot be made to last', async () => {
    const path = newFolder();
    const folder = await openSpoolFolder(path, { sync: () => Promise.reject(new Error('EIO')) });
    await expect(folder.create('first')).rejects.toThrow('EIO');
    expect([segmentsIn(path), openIn(path)]).toEqual([[], []]);
  });

  it('believes no damaged cursor: everything comes again rather than anything never', async () => {
    const path = newFolder();
    const first = await openSpool(path);
    first.add(...numbers(0, 1_500));
    const [block] = await takeAll(first.spool, 1_500);
    block?.done();
    await first.spool.close();
    const cursor = readFileSync(join(path, 'cursor'), 'utf8');
    expect(cursor).toContain('.spool ');
    writeFileSync(join(path, 'cursor'), cursor.replace(/ (\d+) /, ' 999999 '));
    const second = await openSpool(path);
    expect((await takeAll(second.spool, 1_500)).flatMap(({ lines }) => textsOf(lines))).toEqual(numbers(0, 1_500));
    await second.spool.close();
  });

  it('loses at most what is damaged, and counts the places', async () => {
    const path = newFolder();
    const texts = numbers(0, 300);
    const writer = await openSpool(path);
    writer.add(...texts);
    await eventually(() => expect(writer.taken).toHaveLength(300));
    await writer.spool.close();
    const [name = ''] = segmentsIn(path);
    const whole = readFileSync(join(path, name));
    const damage = fc.record({
      flips: fc.array(fc.nat(whole.length - 1), { maxLength: 4 }),
      cut: fc.nat(whole.length - 1),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ flips, cut }) => {
        const bytes = Buffer.from(whole.subarray(0, whole.length - (cut % 200)));
        for (const at of flips) if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ 0x10;
        writeFileSync(join(path, name), bytes);
        rmSync(join(path, 'cursor'), { force: true });
        const { spool, add } = await openSpool(path);
        add('end');
        const read: string[] = [];
        while (read.at(-1) !== 'end') read.push(...textsOf((await spool.take())?.lines ?? []));
        const torn = Math.ceil((cut % 200) / (whole.length / 300)) + 1;
        expect(read.length).toBeGreaterThanOrEqual(301 - flips.length - torn);
        expect(read.filter((text) => text !== 'end' && !texts.includes(text))).toEqual([]);
        if (flips.length > 0) expect(spool.stats.damaged).toBeGreaterThan(0);
        await spool.close();
        for (const other of segmentsIn(path)) if (other !== name) rmSync(join(path, other));
      }),
      { numRuns: 25 },
    );
  });
});

describe('kill -9 in the middle of writing', () => {
  const kills = 48;

  it(`keeps every line that was reported safe, once and whole, through ${kills} kills`, {
    timeout: kills * 30_000,
  }, async () => {
    const path = newFolder();
    const safe = new Set<string>();
    let highest = -1;
    for (let kill = 0; kill < kills; kill++) {
      for (const number of await writeUntilKilled(path, highest + 1)) safe.add(number);
      // Lines that were written but not yet reported may be there as well.
      highest = Math.max(highest, ...lastNumbersIn(path));
    }
    const there = await everyLine(path);
    const found = there.map((text) => text.split(' ', 1)[0] ?? '');
    const foundOnce = new Set(found);
    expect(foundOnce.size).toBe(found.length);
    expect([...safe].filter((number) => !foundOnce.has(number))).toEqual([]);
    expect(
      there.every(
        (text) => text.length === `${text.split(' ', 1)[0]} `.length + ((Number(text.split(' ', 1)[0]) * 7919) % 900),
      ),
    ).toBe(true);
    expect(safe.size).toBeGreaterThan(kills * 100);
  });

  /** Kills after a random number of reports; returns the lines that were reported safe. */
  async function writeUntilKilled(path: string, first: number): Promise<string[]> {
    const program = await bundledProgram(new URL('./spool-writer-fixture.ts', import.meta.url));
    const child = spawn(process.execPath, [program, path, String(first)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    let reports = randomInt(1, 25);
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
      if (--reports === 0) child.kill('SIGKILL');
    });
    await once(child, 'close');
    return output.slice(0, output.lastIndexOf('\n')).split('\n');
  }

  /** Of the newest file with lines: to read all of them after each kill would be most of the test. */
  function lastNumbersIn(path: string): number[] {
    for (const name of segmentsIn(path).sort().reverse()) {
      const records = readRecords(readFileSync(join(path, name)), { seal: sealOf(name), base: 0 });
      const numbers = [...records].flatMap((record) => record?.line.bytes.toString().split(' ', 1).map(Number) ?? []);
      if (numbers.length > 0) return numbers;
    }
    return [];
  }

  async function everyLine(path: string): Promise<string[]> {
    const { spool, add } = await openSpool(path);
    add('end');
    const read: string[] = [];
    while (read.at(-1) !== 'end') read.push(...textsOf((await spool.take())?.lines ?? []));
    await spool.close();
    // The mark of this reading is nobody's line.
    const last = segmentsIn(path).sort().at(-1);
    if (last !== undefined) rmSync(join(path, last));
    return read.slice(0, -1);
  }
});
