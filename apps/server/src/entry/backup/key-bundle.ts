/**
 * What opens the sealed parts of a backup: the keys of connectors' secrets, the installation's secret, and the passwords of
 * a demo. Without it nobody can read those parts, so it is taken along only when the operator says where to.
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { BackupError } from './backup-error.ts';

const names = ['connector-keys.json', 'identity.secret', 'demo.json'] as const;

const bundleSchema = z.object({
  /** Of no other backup, or of one of the same installation. */
  airdeck_keys: z.literal(1),
  files: z.partialRecord(z.enum(names), z.string()),
});

type KeyPlaces = Pick<Config, 'dataDir' | 'connectorKeysFile'>;

/** The keys of connectors may have a place of their own, which several processes share. */
function placeOf(name: (typeof names)[number], { dataDir, connectorKeysFile }: KeyPlaces): string {
  return name === 'connector-keys.json' ? connectorKeysFile : join(dataDir, name);
}

export async function readKeysOf(places: KeyPlaces): Promise<string> {
  const files: Partial<Record<(typeof names)[number], string>> = {};
  for (const name of names) {
    const text = await readFile(placeOf(name, places), 'utf8').catch(undefinedWhenMissing);
    if (text !== undefined) files[name] = text;
  }
  if (files['connector-keys.json'] === undefined) {
    throw new BackupError(
      `There is no key file ${places.connectorKeysFile}, so there are no keys to take along. Set AIRDECK_DATA_DIR to the data folder of the installation, or CONNECTOR_KEYS_FILE to its key file.`,
    );
  }
  return `${JSON.stringify({ airdeck_keys: 1, files })}\n`;
}

/** For the owner only, and never over another file. */
export async function writeKeyFile(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new BackupError(`There already is a file ${path}. Name another one for the keys.`);
  }
}

export async function readKeyFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(undefinedWhenMissing);
  if (text === undefined) throw new BackupError(`There is no key file ${path}.`);
  return text;
}

/** Throws for what cannot be put back, before anything else is. */
export function checkKeys(text: string, { identitySecret }: { identitySecret: string | undefined }): void {
  const { files } = bundleOf(text);
  if (files['identity.secret'] !== undefined || identitySecret !== undefined) return;
  throw new BackupError(
    'The keys of this backup hold no identity.secret, because the installation had it in its environment: set IDENTITY_SECRET to its value.',
  );
}

export async function putKeysBack(places: KeyPlaces, text: string): Promise<void> {
  const { files } = bundleOf(text);
  for (const name of names) {
    const content = files[name];
    if (content === undefined) continue;
    const place = placeOf(name, places);
    // A key file that is shared may be in place already.
    const there = await readFile(place, 'utf8').catch(undefinedWhenMissing);
    if (there === content) continue;
    if (there !== undefined) throw new BackupError(`${place} holds other keys than the backup. Move it away first.`);
    await writeFile(place, content, { mode: 0o600, flag: 'wx', flush: true });
  }
}

function bundleOf(text: string): z.output<typeof bundleSchema> {
  try {
    return bundleSchema.parse(JSON.parse(text));
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
