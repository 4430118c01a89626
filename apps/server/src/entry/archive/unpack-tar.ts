/**
 * The tar files that PostgreSQL writes of a cluster: plain files and folders with short names. Anything else (links to other
 * places, names that lead out of the folder) is refused.
 */
import { chown, type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupError } from '../backup/backup-error.ts';

const BLOCK = 512;
const FILE = '0';
const FOLDER = '5';

type Owner = { uid: number; gid: number } | undefined;
type Entry = { path: string; bytes: number; kind: string };

/** Into a folder that is there, for that owner. */
export async function unpackTar(source: AsyncIterable<Buffer>, folder: string, owner: Owner): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let file: { handle: FileHandle; left: number; padding: number } | undefined;
  let padding = 0;
  let isOver = false;
  for await (const chunk of source) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (!isOver) {
      if (padding > 0) {
        const skipped = Math.min(padding, rest.length);
        rest = rest.subarray(skipped);
        padding -= skipped;
        if (padding > 0) break;
      }
      if (file !== undefined) {
        const piece = rest.subarray(0, file.left);
        if (piece.length > 0) await file.handle.writeFile(piece);
        rest = rest.subarray(piece.length);
        file.left -= piece.length;
        if (file.left > 0) break;
        await file.handle.close();
        padding = file.padding;
        file = undefined;
        continue;
      }
      if (rest.length < BLOCK) break;
      const entry = entryOf(rest.subarray(0, BLOCK));
      rest = rest.subarray(BLOCK);
      if (entry === undefined) isOver = true;
      else file = await begin(entry, folder, owner);
    }
    if (isOver) rest = Buffer.alloc(0);
  }
  if (file === undefined && isOver) return;
  await file?.handle.close();
  throw new BackupError('The copy of the database ends in the middle.');
}

async function begin({ path, bytes, kind }: Entry, folder: string, owner: Owner) {
  const to = join(folder, path);
  if (kind === FOLDER) {
    await mkdir(to, { recursive: true, mode: 0o700 });
    if (owner !== undefined) await chown(to, owner.uid, owner.gid);
    return undefined;
  }
  if (kind !== FILE) throw new BackupError(`The copy of the database holds ${path}, which is no plain file.`);
  const handle = await open(to, 'wx', 0o600);
  if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
  return { handle, left: bytes, padding: (BLOCK - (bytes % BLOCK)) % BLOCK };
}

/** Undefined for the empty block that ends a tar file. */
function entryOf(head: Buffer): Entry | undefined {
  if (head.every((byte) => byte === 0)) return undefined;
  const text = (from: number, to: number) => head.toString('latin1', from, to).split('\0', 1)[0] ?? '';
  const path = text(0, 100).replace(/\/$/, '');
  const bytes = Number.parseInt(text(124, 136).trim(), 8);
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  const isWhole = Number.parseInt(text(148, 156).trim(), 8) === sum && Number.isInteger(bytes);
  const isInside = path !== '' && !path.startsWith('/') && !path.split('/').includes('..');
  if (!isWhole || !isInside) throw new BackupError('The copy of the database is not what was written.');
  return { path, bytes, kind: text(156, 157) || FILE };
}
