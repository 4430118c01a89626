import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockDataDir } from './data-dir-lock.ts';
import { identifyProcess, isRunning } from './process-identity.ts';

const isRoot = process.geteuid?.() === 0;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdeck-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the lock of the data folder', () => {
  it('creates the folder for us alone and is gone after its release', async () => {
    const lock = await lockDataDir(join(folder, 'new', 'data'));
    expect(JSON.parse(readFileSync(lock.path, 'utf8'))).toEqual(identifyProcess(process.pid));
    lock.release();
    expect(existsSync(lock.path)).toBe(false);
  });

  it('refuses a second holder and names the first', async () => {
    const lock = await lockDataDir(folder);
    await expect(lockDataDir(folder)).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: expect.stringContaining(String(process.pid)),
    });
    lock.release();
    (await lockDataDir(folder)).release();
  });

  it('is taken over from a process that was killed', async () => {
    const holder = spawn('sleep', ['60'], { stdio: 'ignore' });
    const identity = identifyProcess(holder.pid ?? -1);
    writeFileSync(join(folder, 'airdeck.lock'), JSON.stringify(identity));
    await expect(lockDataDir(folder)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    const gone = new Promise((resolve) => holder.once('exit', resolve));
    holder.kill('SIGKILL');
    await gone;
    (await lockDataDir(folder)).release();
  });

  it('is taken over when its process id now belongs to another process', async () => {
    writeFileSync(join(folder, 'airdeck.lock'), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
    (await lockDataDir(folder)).release();
  });

  it('is taken over when its file was cut short', async () => {
    writeFileSync(join(folder, 'airdeck.lock'), '{"pid":');
    (await lockDataDir(folder)).release();
  });

  it('goes to exactly one of many that find a stale lock at once', async () => {
    writeFileSync(join(folder, 'airdeck.lock'), JSON.stringify({ pid: process.pid, startedAt: 'long ago' }));
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(folder)));
    const winners = tries.filter((attempt) => attempt.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['airdeck.lock']);
  });

  it('is refused on a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    await expect(lockDataDir(file)).rejects.toMatchObject({ code: 'DATA_DIR_NOT_WRITABLE' });
  });

  it.runIf(isRoot)('is refused on a folder of somebody else', async () => {
    chownSync(folder, 12_345, 12_345);
    await expect(lockDataDir(folder)).rejects.toMatchObject({
      code: 'DATA_DIR_NOT_OWNED',
      message: expect.stringContaining('12345'),
    });
  });

  it.skipIf(isRoot)('is refused on a folder we may not write to', async () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o500);
    await expect(lockDataDir(closed)).rejects.toMatchObject({ code: 'DATA_DIR_NOT_WRITABLE' });
  });
});

it('a process is recognised by its start, not by its number', () => {
  const self = identifyProcess(process.pid);
  expect(self && isRunning(self)).toBe(true);
  expect(isRunning({ pid: process.pid, startedAt: 'another time' })).toBe(false);
});
