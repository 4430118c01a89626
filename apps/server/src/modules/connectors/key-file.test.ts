import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addKey, openKeyFile } from './key-file.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  path = join(folder, 'connector-keys.json');
});
afterEach(() => rm(folder, { recursive: true }));

const modeOf = async () => (await stat(path)).mode & 0o777;

describe('the key file', () => {
  test('is made once under starts at the same time, and all of them use the same key', async () => {
    const providers = await Promise.all(Array.from({ length: 20 }, () => openKeyFile(path)));
    const keys = await Promise.all(
      providers.map(async (provider) => Buffer.from((await provider.current()).key).toString('hex')),
    );
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toHaveLength(64);
    expect(await modeOf()).toBe(0o600);
    expect(await readdir(folder)).toEqual(['connector-keys.json']);
  });

  test('is found again as it is', async () => {
    const first = await (await openKeyFile(path)).current();
    const text = await readFile(path, 'utf8');
    const again = await openKeyFile(path);
    expect(await again.current()).toEqual(first);
    expect(await again.get(first.id)).toEqual(first);
    expect(await again.get('another')).toBeUndefined();
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test('loses rights that a copy from elsewhere may have brought', async () => {
    await openKeyFile(path);
    await chmod(path, 0o644);
    await openKeyFile(path);
    expect(await modeOf()).toBe(0o600);
  });

  test.each([
    ['cut off', '{"current":"k1","keys":{"k1":"c2VjcmV0'],
    ['with a short key', '{"current":"k1","keys":{"k1":"c2VjcmV0"}}'],
    ['without its current key', `{"current":"k2","keys":{"k1":"${'A'.repeat(43)}="}}`],
  ])('is refused when it is %s, by name and without its content, and never replaced', async (_how, text) => {
    await writeFile(path, text);
    const refused = await openKeyFile(path).catch((error: unknown) => String(error));
    expect(refused).toContain(`The key file ${path} is damaged.`);
    expect(refused).not.toContain('c2VjcmV0');
    await expect(addKey(path)).rejects.toThrow('is damaged');
    expect(await readFile(path, 'utf8')).toBe(text);
  });
});
