import { inflateRawSync } from 'node:zlib';
import { inputError } from './command-error.ts';

export type ZipEntry = { readonly name: string; readonly bytes: Buffer };

export type ZipLimits = {
  readonly isWanted: (name: string) => boolean;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly maxTotalBytes: number;
};

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;

/**
 * The wanted files of a zip. What its directory says about sizes is not believed: unpacking stops at the limits. Throws
 * `CommandError` for what is no zip, is encrypted, or goes beyond a limit.
 */
export function readZip(archive: Buffer, limits: ZipLimits): ZipEntry[] {
  try {
    return entriesOf(archive, limits);
  } catch (error) {
    // Places that lie outside the file, and streams that do not unpack.
    if (error instanceof RangeError || (error instanceof Error && 'code' in error && 'errno' in error)) {
      throw inputError('ARCHIVE_UNREADABLE', 'The zip is damaged, or holds a file that is too large.');
    }
    throw error;
  }
}

function entriesOf(archive: Buffer, { isWanted, maxFiles, maxFileBytes, maxTotalBytes }: ZipLimits): ZipEntry[] {
  const end = endOfDirectory(archive);
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  let totalBytes = 0;
  const entries: ZipEntry[] = [];
  for (let index = 0; index < count; index += 1) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new RangeError('directory');
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    if (isWanted(name)) {
      if (entries.length >= maxFiles)
        throw inputError('ARCHIVE_UNREADABLE', `The zip holds more than ${maxFiles} rules.`);
      const bytes = contentAt(archive, at, maxFileBytes);
      totalBytes += bytes.length;
      if (totalBytes > maxTotalBytes) throw inputError('ARCHIVE_UNREADABLE', 'The zip unpacks to too much.');
      entries.push({ name, bytes });
    }
    at += 46 + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** Stands at the end, before a comment of any length. */
function endOfDirectory(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - MAX_COMMENT_BYTES);
  for (let at = archive.length - END_BYTES; at >= first; at -= 1) {
    if (archive.readUInt32LE(at) === END_OF_DIRECTORY) return at;
  }
  throw inputError('ARCHIVE_UNREADABLE', 'The file is no zip.');
}

function contentAt(archive: Buffer, entry: number, maxFileBytes: number): Buffer {
  const isEncrypted = (archive.readUInt16LE(entry + 8) & 1) === 1;
  if (isEncrypted) throw inputError('ARCHIVE_UNREADABLE', 'The zip is encrypted.');
  const method = archive.readUInt16LE(entry + 10);
  const packedBytes = archive.readUInt32LE(entry + 20);
  const local = archive.readUInt32LE(entry + 42);
  if (archive.readUInt32LE(local) !== LOCAL_ENTRY) throw new RangeError('entry');
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const packed = archive.subarray(from, from + packedBytes);
  if (method === 0 && packed.length <= maxFileBytes) return packed;
  if (method !== 8) throw inputError('ARCHIVE_UNREADABLE', 'The zip is packed in a way that is not read here.');
  return inflateRawSync(packed, { maxOutputLength: maxFileBytes });
}
