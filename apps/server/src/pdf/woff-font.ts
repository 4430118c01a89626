import { inflateSync } from 'node:zlib';

const HEADER = 44;
const ENTRY = 20;

/**
 * The font in a WOFF file as it was before it was packed (W3C, WOFF 1.0). The PDF library could read the file, but unpacks
 * it in JavaScript, which would be most of the work of a report.
 */
export function unpackWoff(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') throw new Error('Not a WOFF file.');
  const count = file.readUInt16BE(12);
  const tables = Array.from({ length: count }, (_, index) => {
    const at = HEADER + ENTRY * index;
    const offset = file.readUInt32BE(at + 4);
    const packed = file.subarray(offset, offset + file.readUInt32BE(at + 8));
    const length = file.readUInt32BE(at + 12);
    return {
      tag: file.subarray(at, at + 4),
      checksum: file.readUInt32BE(at + 16),
      bytes: packed.length < length ? inflateSync(packed, { maxOutputLength: length }) : packed,
    };
  });
  const power = Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  file.copy(head, 0, 4, 8);
  [count, 16 * 2 ** power, power, 16 * (count - 2 ** power)].forEach((value, index) => {
    head.writeUInt16BE(value, 4 + 2 * index);
  });
  const parts: Buffer[] = [head];
  let offset = head.length;
  tables.forEach(({ tag, checksum, bytes }, index) => {
    const at = 12 + 16 * index;
    tag.copy(head, at);
    [checksum, offset, bytes.length].forEach((value, place) => {
      head.writeUInt32BE(value, at + 4 + 4 * place);
    });
    const padding = Buffer.alloc((4 - (bytes.length % 4)) % 4);
    parts.push(bytes, padding);
    offset += bytes.length + padding.length;
  });
  return Buffer.concat(parts);
}
