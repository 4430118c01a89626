import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtProgram } from '../built-program.ts';
import { openKeyFile } from '../modules/connectors/key-file.ts';

const program = fileURLToPath(builtProgram('rotate-keys'));

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotate-'));
  path = join(folder, 'connector-keys.json');
});
afterEach(() => rm(folder, { recursive: true }));

type Ended = { code: number; out: string; errors: string };
type Account = { uid: number; gid: number };

const isRoot = process.getuid?.() === 0;
/** Of the container; and one that owns nothing. */
const AIRDECK: Account = { uid: 10_001, gid: 10_001 };
const SOMEBODY: Account = { uid: 10_002, gid: 10_002 };

function rotate(dataDir = folder, by: Account | undefined = undefined): Promise<Ended> {
  const env = { PATH: process.env.PATH, AIRDECK_DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile(process.execPath, [program], { env, ...by }, (error, out, errors) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, errors }),
    );
  });
}

const keyFile = async () =>
  JSON.parse(await readFile(path, 'utf8')) as { current: string; keys: Record<string, string> };

describe('a new key of the installation', () => {
  test('is noticed by the running server, and the old one still opens what it closed', async () => {
    const server = await openKeyFile(path);
    const old = await server.current();
    expect(await rotate()).toEqual({ code: 0, out: 'k2\n', errors: '' });
    const current = await server.current();
    expect(current.id).toBe('k2');
    expect(current.key).not.toEqual(old.key);
    expect(await server.get(old.id)).toEqual(old);
    expect(await rotate()).toMatchObject({ out: 'k3\n' });
    expect(Object.keys((await keyFile()).keys)).toEqual(['k1', 'k2', 'k3']);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['connector-keys.json']);
  });

  test.each(['400', '444'])('leaves the rights of the file as they were set up: %s', async (mode) => {
    await openKeyFile(path);
    await chmod(path, mode);
    expect(await rotate()).toMatchObject({ out: 'k2\n', errors: '' });
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe(mode);
  });

  test.runIf(isRoot)('leaves the file to its owner, also when root makes it', async () => {
    await openKeyFile(path);
    await chmod(path, 0o400);
    await chown(path, AIRDECK.uid, AIRDECK.gid);
    expect(await rotate()).toMatchObject({ out: 'k2\n', errors: '' });
    const { uid, gid, mode } = await stat(path);
    expect({ uid, gid, mode: mode & 0o777 }).toEqual({ ...AIRDECK, mode: 0o400 });
  });

  test.runIf(isRoot)('is not made by somebody who would take the file away from its owner', async () => {
    await openKeyFile(path);
    const text = await readFile(path, 'utf8');
    await chmod(path, 0o444);
    await chown(path, AIRDECK.uid, AIRDECK.gid);
    await chown(folder, SOMEBODY.uid, SOMEBODY.gid);
    const { code, out, errors } = await rotate(folder, SOMEBODY);
    expect({ code, out, errors }).toEqual({
      code: 1,
      out: '',
      errors: `No key was added: ${path} belongs to user 10001 and group 10001, and only that user or root can put a new one in its place.\n`,
    });
    expect(await readFile(path, 'utf8')).toBe(text);
    expect(await readdir(folder)).toEqual(['connector-keys.json']);
  });

  test('is not made in a folder without an installation, and nothing is left there', async () => {
    const { code, out, errors } = await rotate();
    expect([code, out]).toEqual([1, '']);
    expect(errors).toBe(
      `There is no key file ${path}. AIRDECK_DATA_DIR has to be the data folder of the installation, or CONNECTOR_KEYS_FILE its key file.\n`,
    );
    expect(await readdir(folder)).toEqual([]);
    expect((await rotate(join(folder, 'nowhere'))).code).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  test('is not put into a damaged file, whose content is not shown either', async () => {
    const text = '{"current":"k1","keys":{"k1":"c2VjcmV0"}}';
    await writeFile(path, text);
    const { code, errors } = await rotate();
    expect(code).toBe(1);
    expect(errors).toContain('is damaged');
    expect(errors).not.toContain('c2VjcmV0');
    expect(errors.trim().split('\n')).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test('is never written over by another that is made at the same time', async () => {
    const file = await openKeyFile(path);
    const made = await Promise.allSettled(Array.from({ length: 20 }, () => file.addKey()));
    const ids = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    const { current, keys } = await keyFile();
    expect(Object.keys(keys)).toEqual(['k1', ...ids]);
    expect(current).toBe(ids.at(-1));
    expect(await file.addKey()).toBe(`k${ids.length + 2}`);
  });

  test('waits for a person where a crash left the lock, and says which file to delete', async () => {
    await openKeyFile(path);
    await writeFile(`${path}.lock`, '');
    const { code, errors } = await rotate();
    expect(code).toBe(1);
    expect(errors).toContain(`delete ${path}.lock`);
    expect(Object.keys((await keyFile()).keys)).toEqual(['k1']);
    await rm(`${path}.lock`);
    expect((await rotate()).out).toBe('k2\n');
  });
});
