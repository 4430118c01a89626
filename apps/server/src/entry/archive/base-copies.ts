/** Copies of the whole database, each with what is needed to begin from it. */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { makeDurable, writePacked } from '../backup/packed-file.ts';
import { ArchiveError } from './archive-error.ts';
import { DRAFT, listWhole, makeFolder, momentName, readSealed, writeSealed } from './archive-folder.ts';
import { connectForReplication, streamBase } from './replication.ts';
import { formatPosition, parsePosition } from './wal-position.ts';

export const BASES = 'bases';
export const BASE_FILE = 'base.tar.gz';
const MANIFEST = 'manifest.json';
/** The copy reads the data disk, and is in no hurry. */
const MAX_RATE_KB = 64 * 1024;

const manifestSchema = z.object({
  format: z.literal(1),
  /** Before this moment it is of no use: the copy was not whole. */
  finished_at: z.iso.datetime(),
  start: z.string(),
  end: z.string(),
  timeline: z.int().min(1),
  product_version: z.string(),
  postgres: z.string(),
  /** Files of a database are those of one kind of machine. */
  platform: z.string(),
  file: z.object({ path: z.literal(BASE_FILE), bytes: z.int().min(0), sha256: z.string() }),
});
export type BaseManifest = z.output<typeof manifestSchema>;
export type Base = BaseManifest & { name: string };

export function thisPlatform(): string {
  return `${process.platform}-${process.arch}`;
}

export async function copyBase(deps: {
  folder: string;
  databaseUrl: string;
  productVersion: string;
  postgres: string;
  now: () => Date;
  signal: AbortSignal;
}): Promise<Base> {
  const { folder, now } = deps;
  const bases = join(folder, BASES);
  await clearDrafts(bases);
  const name = momentName(now());
  const draft = join(bases, `${name}${DRAFT}`);
  await makeFolder(draft);
  const client = await connectForReplication(deps.databaseUrl);
  const breakOff = () => void client.end();
  deps.signal.addEventListener('abort', breakOff, { once: true });
  try {
    const { tar, done } = streamBase(client, MAX_RATE_KB);
    const { bytes, sha256 } = await writePacked(draft, BASE_FILE, tar);
    const { start, end, timeline } = await done;
    const manifest: BaseManifest = {
      ...{ format: 1, finished_at: now().toISOString(), timeline },
      ...{ start: formatPosition(start), end: formatPosition(end) },
      ...{ product_version: deps.productVersion, postgres: deps.postgres, platform: thisPlatform() },
      file: { path: BASE_FILE, bytes, sha256 },
    };
    await writeSealed(join(draft, MANIFEST), manifest);
    await renameFolder(draft, join(bases, name));
    return { ...manifest, name };
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  } finally {
    deps.signal.removeEventListener('abort', breakOff);
    await client.end().catch(() => undefined);
  }
}

async function renameFolder(from: string, to: string): Promise<void> {
  await rename(from, to);
  await makeDurable(join(to, '..'));
}

/** Left by a copy that broke off. */
async function clearDrafts(bases: string): Promise<void> {
  for (const name of await readdir(bases)) {
    if (name.endsWith(DRAFT)) await rm(join(bases, name), { recursive: true, force: true });
  }
}

/** Oldest first. One that cannot be told what it is must not keep anybody from the others. */
export async function listBases(folder: string, onDamaged: (line: string) => void): Promise<Base[]> {
  const found: Base[] = [];
  for (const name of await listWhole(join(folder, BASES))) {
    try {
      const manifest = await readSealed(join(folder, BASES, name, MANIFEST), manifestSchema);
      if (manifest !== undefined) found.push({ ...manifest, name });
    } catch (error) {
      if (!(error instanceof ArchiveError) || error.trouble !== 'damaged') throw error;
      onDamaged(`${BASES}/${name}/${MANIFEST} is not what was written; that copy is left out.`);
    }
  }
  return found;
}

export const startOf = ({ start }: BaseManifest): bigint => parsePosition(start);
export const endOfBase = ({ end }: BaseManifest): bigint => parsePosition(end);
