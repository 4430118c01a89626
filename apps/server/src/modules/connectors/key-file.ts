import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, unlink, writeFile } from 'node:fs/promises';
import type { KeyProvider } from '@airdeck/connector-kit/secrets';
import { z } from 'zod';

const KEY_BYTES = 32;

const keyFileSchema = z.strictObject({
  current: z.string(),
  /** Base64 of 32 bytes by id; old ones stay until everything is wrapped anew. */
  keys: z.record(
    z.string(),
    z.base64().refine((text) => Buffer.from(text, 'base64').length === KEY_BYTES),
  ),
});

/** The installation's key-encryption keys in a file of mode 600, made on first use. Never in the database or a log. */
export async function openKeyFile(path: string): Promise<KeyProvider> {
  const text = (await readIfThere(path)) ?? (await createKeyFile(path));
  // A copy put back from a backup may have come with wider rights.
  await chmod(path, 0o600);
  const file = readKeys(text, path);
  const keys = new Map(
    Object.entries(file.keys).map(([id, base64]) => [id, { id, key: new Uint8Array(Buffer.from(base64, 'base64')) }]),
  );
  const current = keys.get(file.current);
  if (!current) throw damaged(path);
  return { current: () => Promise.resolve(current), get: (id) => Promise.resolve(keys.get(id)) };
}

function readKeys(text: string, path: string): z.output<typeof keyFileSchema> {
  try {
    return keyFileSchema.parse(JSON.parse(text));
  } catch {
    // Neither the text nor what the parser says of it may come into a log.
    throw damaged(path);
  }
}

function damaged(path: string): Error {
  return new Error(
    `The key file ${path} is damaged. Put back a copy of it: without it the connectors' secrets cannot be opened.`,
  );
}

async function createKeyFile(path: string): Promise<string> {
  const text = JSON.stringify({ current: 'k1', keys: { k1: randomBytes(KEY_BYTES).toString('base64') } });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  try {
    // A link fails when the file exists: of two processes that start at once, one makes the key and both use it.
    await link(draft, path);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return await readFile(path, 'utf8');
  } finally {
    await unlink(draft);
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
