/**
 * What opens the sealed parts of a backup: the keys of connectors' secrets, the installation's secret, and the passwords of
 * a demo. Without it nobody can read those parts, so it is taken along only when the operator says where to.
 */
import { createHash, randomUUID } from 'node:crypto';
import { access, constants, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { keysIn } from '../../modules/connectors/key-file.ts';
import { BackupError } from './backup-error.ts';

const CONNECTOR_KEYS = 'connector-keys.json';
const names = [CONNECTOR_KEYS, 'identity.secret', 'demo.json'] as const;

const bundleSchema = z.object({
  /** Of no other backup, or of one of the same installation. */
  airdeck_keys: z.literal(1),
  files: z.partialRecord(z.enum(names), z.string()),
});

type Bundle = z.output<typeof bundleSchema>;
type KeyPlaces = Pick<Config, 'dataDir' | 'connectorKeysFile'>;

/** The keys of connectors may have a place of their own, which several processes share. */
function placeOf(name: (typeof names)[number], { dataDir, connectorKeysFile }: KeyPlaces): string {
  return name === CONNECTOR_KEYS ? connectorKeysFile : join(dataDir, name);
}

export async function readKeysOf(places: KeyPlaces): Promise<string> {
  const files: Partial<Record<(typeof names)[number], string>> = {};
  for (const name of names) {
    const text = await readFile(placeOf(name, places), 'utf8').catch(undefinedWhenMissing);
    if (text !== undefined) files[name] = text;
  }
  const connectorKeys = files[CONNECTOR_KEYS];
  if (connectorKeys === undefined) {
    throw new BackupError(
      `There is no key file ${places.connectorKeysFile}, so there are no keys to take along. Set AIRDECK_DATA_DIR to the data folder of the installation, or CONNECTOR_KEYS_FILE to its key file.`,
    );
  }
  // Nothing could be restored with damaged ones.
  keysAt(places.connectorKeysFile, connectorKeys);
  return `${JSON.stringify({ airdeck_keys: 1, files })}\n`;
}

/** For the owner only, and never over another file. */
export async function writeKeyFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') {
      throw new BackupError(`There already is a file ${path}. Name another one for the keys.`);
    }
    // What is half written opens nothing.
    await rm(path, { force: true });
    if (codeOf(error) === 'ENOSPC') throw error;
    throw new BackupError(`${path} cannot be written (${codeOf(error)}). Name another file for the keys.`);
  }
}

/** Puts other keys into a file that was written here before; at no moment is there a part of them. */
export async function rewriteKeyFile(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

export async function readKeyFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(undefinedWhenMissing);
  if (text === undefined) throw new BackupError(`There is no key file ${path}.`);
  return text;
}

/** Throws for what cannot be put back, before anything else is: damaged keys, and places that are taken or out of reach. */
export async function checkKeys(
  text: string,
  { identitySecret, ...places }: KeyPlaces & Pick<Config, 'identitySecret'>,
): Promise<void> {
  const { files } = bundleOf(text);
  if (files['identity.secret'] === undefined && identitySecret === undefined) {
    throw new BackupError(
      'The keys of this backup hold no identity.secret, because the installation had it in its environment: set IDENTITY_SECRET to its value.',
    );
  }
  for (const { place } of await missingFrom(places, files)) await requireWritable(place, places);
}

export async function putKeysBack(places: KeyPlaces, text: string): Promise<void> {
  for (const { place, content } of await missingFrom(places, bundleOf(text).files)) {
    await writeFile(place, content, { mode: 0o600, flag: 'wx', flush: true });
  }
}

/** What is not in place yet. A key file that is shared may be there already, and hold keys that were made since. */
async function missingFrom(places: KeyPlaces, files: Bundle['files']): Promise<{ place: string; content: string }[]> {
  const missing: { place: string; content: string }[] = [];
  for (const name of names) {
    const content = files[name];
    if (content === undefined) continue;
    const place = placeOf(name, places);
    const there = await readFile(place, 'utf8').catch(undefinedWhenMissing);
    if (there === undefined) missing.push({ place, content });
    else if (there !== content && !(name === CONNECTOR_KEYS && hasKeysOf(content, { place, there }))) {
      throw new BackupError(`${place} holds other keys than the backup. Move it away first.`);
    }
  }
  return missing;
}

function hasKeysOf(content: string, { place, there }: { place: string; there: string }): boolean {
  const has = keysAt(place, there);
  return [...keysAt(place, content)].every(([id, key]) => {
    const same = has.get(id);
    return same !== undefined && Buffer.compare(same, key) === 0;
  });
}

/** The data folder is made by the restore, and has to be empty. */
async function requireWritable(place: string, { dataDir }: KeyPlaces): Promise<void> {
  const folder = dirname(resolve(place));
  if (folder === resolve(dataDir)) return;
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new BackupError(
      `${place} cannot be written (${codeOf(error)}). Make its folder, or name another place for the keys in CONNECTOR_KEYS_FILE.`,
    );
  }
}

function keysAt(path: string, text: string): ReadonlyMap<string, Uint8Array> {
  try {
    return keysIn(text, path).keys;
  } catch (error) {
    throw new BackupError(error instanceof Error ? error.message : String(error));
  }
}

function bundleOf(text: string): Bundle {
  try {
    const bundle = bundleSchema.parse(JSON.parse(text));
    keysIn(bundle.files[CONNECTOR_KEYS] ?? '', CONNECTOR_KEYS);
    return bundle;
  } catch {
    // It holds secrets: neither the text nor what the parser says of it may be shown.
    throw new BackupError('The key file is damaged, or is not one that airdeck backup wrote.');
  }
}

export function keysSha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function undefinedWhenMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined;
  throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
