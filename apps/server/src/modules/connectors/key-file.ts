import { randomBytes } from 'node:crypto';
import { chmod, type FileHandle, link, open, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import type { KeyEncryptionKey, KeyProvider } from '@airdeck/connector-kit/secrets';
import { z } from 'zod';

const KEY_BYTES = 32;

const keyFileSchema = z
  .strictObject({
    current: z.string(),
    /** Base64 of 32 bytes by id; old ones stay until everything is wrapped anew. */
    keys: z.record(
      z.string(),
      z.base64().refine((text) => Buffer.from(text, 'base64').length === KEY_BYTES),
    ),
  })
  .refine(({ current, keys }) => Object.hasOwn(keys, current));

/** The keys of the installation, and the way to a new one. */
export type KeyFile = KeyProvider & { addKey(): Promise<string> };

/**
 * The installation's key-encryption keys in a file of mode 600, made on first use. Never in the database or a log. A key
 * added by another process is noticed by the next use.
 */
export async function openKeyFile(path: string): Promise<KeyFile> {
  const text = (await readIfThere(path)) ?? (await createKeyFile(path));
  await closeToOthers(path);
  let known = { changedAt: await changeOf(path), keys: keyRing(text, path) };

  async function ring(): Promise<KeyRing> {
    const changedAt = await changeOf(path);
    // A file that is away for a moment leaves the keys that were read; whoever starts without it is told.
    if (changedAt === known.changedAt || changedAt === undefined) return known.keys;
    const again = await readIfThere(path);
    if (again !== undefined) known = { changedAt, keys: keyRing(again, path) };
    return known.keys;
  }

  return {
    current: async () => (await ring()).current,
    get: async (id) => (await ring()).byId.get(id),
    addKey: () => addKey(path),
  };
}

/**
 * Makes a new key the current one of a file that exists; the old ones stay and open what they closed. Returns its id.
 * Throws while another one is being made: the slower of two would write over the other's key, and with it what was closed
 * meanwhile. Whoever runs it need not be who the processes run as, so owner and rights of the file stay as they are.
 */
export async function addKey(path: string): Promise<string> {
  return await alone(`${path}.lock`, async () => {
    const file = readKeys((await readIfThere(path)) ?? '', path);
    const id = nextId(Object.keys(file.keys));
    const keys = { ...file.keys, [id]: randomBytes(KEY_BYTES).toString('base64') };
    await replaceFile(path, JSON.stringify({ current: id, keys }));
    return id;
  });
}

/** A copy put back from a backup may have come with wider rights. One that a platform mounts is the platform's to guard. */
async function closeToOthers(path: string): Promise<void> {
  try {
    await chmod(path, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'EROFS') throw error;
  }
}

/** Keys by id and the id of the current one, out of the text of a key file. Throws for a damaged one, without its content. */
export function keysIn(text: string, path: string): { current: string; keys: ReadonlyMap<string, Uint8Array> } {
  const { current, byId } = keyRing(text, path);
  return { current: current.id, keys: new Map([...byId].map(([id, { key }]) => [id, key])) };
}

type KeyRing = { current: KeyEncryptionKey; byId: ReadonlyMap<string, KeyEncryptionKey> };

function keyRing(text: string, path: string): KeyRing {
  const file = readKeys(text, path);
  const byId = new Map(
    Object.entries(file.keys).map(([id, base64]) => [id, { id, key: new Uint8Array(Buffer.from(base64, 'base64')) }]),
  );
  const current = byId.get(file.current);
  if (!current) throw damaged(path);
  return { current, byId };
}

function nextId(ids: readonly string[]): string {
  const numbers = ids.flatMap((id) => /^k(\d+)$/.exec(id)?.[1] ?? []).map(Number);
  return `k${Math.max(0, ...numbers) + 1}`;
}

async function changeOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, ino, size } = await stat(path);
    return `${mtimeMs} ${ino} ${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A lock that a crash leaves behind is for people to remove: nothing here can tell it from one that is held. */
async function alone<T>(lock: string, work: () => Promise<T>): Promise<T> {
  try {
    await writeFile(lock, '', { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`Another key is being made just now. If that is long over, delete ${lock} and try again.`);
  }
  try {
    return await work();
  } finally {
    await unlink(lock);
  }
}

/** Either the old file or the whole new one is there, also when the machine stops in between. */
async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await takeRightsOf(path, file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Otherwise the processes could no longer read a file that root or another account put in its place. Through the open file:
 * by its name, whoever owns the folder could have root give away another one.
 */
async function takeRightsOf(path: string, draft: FileHandle): Promise<void> {
  const [old, own] = await Promise.all([stat(path), draft.stat()]);
  if (old.uid !== own.uid || old.gid !== own.gid) {
    try {
      await draft.chown(old.uid, old.gid);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
      throw new Error(
        `No key was added: ${path} belongs to user ${old.uid} and group ${old.gid}, and only that user or root can put a new one in its place.`,
      );
    }
  }
  await draft.chmod(old.mode & 0o777);
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
