/**
 * Lines on disk, one record each:
 *
 *   mark (4) │ length of the rest (4) │ CRC-32C of length and rest (4) │ block (4) │ received (6) │ door (1) │ address │ line
 *
 * The highest bit of the door says that a port (2) stands before the line, which only the doors of one source write.
 *
 * Mark and sum begin from a seal that only the name of the segment tells, so that no sender can write a line that looks
 * like a record. A record that does not add up costs itself: reading goes on at the next mark behind which one does.
 * Records of one block were written together and are handed on together, also after a crash.
 */
import { crc32c } from './crc32c.ts';

/** Where a line came in. */
export const spoolDoors = ['tcp', 'udp', 'tls'] as const;
export type SpoolDoor = (typeof spoolDoors)[number];

export type SpooledLine = {
  door: SpoolDoor;
  /** Of the sender. */
  address: string;
  /** Of the door, where it is one source's own. */
  port?: number | undefined;
  /** Milliseconds since the epoch. */
  receivedAt: number;
  bytes: Buffer;
};

const HEAD_BYTES = 12;
/** Of the rest, before address and line. */
const FIXED_BYTES = 12;
/** Longer than the longest line a door takes. */
const REST_MAX_BYTES = 2 * 1_048_576;
const ADDRESS_MAX_BYTES = 64;
const HAS_PORT = 0x80;
const PORT_BYTES = 2;

export function recordBytes({ address, port, bytes }: Pick<SpooledLine, 'address' | 'port' | 'bytes'>): number {
  const addressBytes = Math.min(Buffer.byteLength(address), ADDRESS_MAX_BYTES);
  return HEAD_BYTES + FIXED_BYTES + addressBytes + portBytes(port) + bytes.length;
}

function portBytes(port: number | undefined): number {
  return port === undefined ? 0 : PORT_BYTES;
}

export function sealOf(segmentName: string): number {
  return crc32c(Buffer.from(segmentName, 'utf8'));
}

export function encodeRecord(line: SpooledLine, { block, seal }: { block: number; seal: number }): Buffer {
  const address = Buffer.from(line.address, 'utf8').subarray(0, ADDRESS_MAX_BYTES);
  const start = HEAD_BYTES + FIXED_BYTES + address.length + portBytes(line.port);
  const record = Buffer.allocUnsafe(start + line.bytes.length);
  record.writeUInt32LE(markOf(seal), 0);
  record.writeUInt32LE(record.length - HEAD_BYTES, 4);
  record.writeUInt32LE(block, 12);
  record.writeUIntLE(line.receivedAt, 16, 6);
  record.writeUInt8(spoolDoors.indexOf(line.door) | (line.port === undefined ? 0 : HAS_PORT), 22);
  record.writeUInt8(address.length, 23);
  record.set(address, 24);
  if (line.port !== undefined) record.writeUInt16LE(line.port, start - PORT_BYTES);
  record.set(line.bytes, start);
  record.writeUInt32LE(sumOf(record, seal), 8);
  return record;
}

export type StoredRecord = { block: number; line: SpooledLine /** Offset behind it, from `base`. */; end: number };

/** Everything that can be read, in order; `undefined` for each place where bytes had to be passed over. */
export function* readRecords(
  bytes: Buffer,
  { seal, base }: { seal: number; base: number },
): Generator<StoredRecord | undefined, void> {
  for (let at = 0; at < bytes.length; ) {
    const length = recordLengthAt(bytes, at, seal);
    if (length === undefined) {
      yield undefined;
      at = nextRecord(bytes, at + 1, seal);
      continue;
    }
    const record = decode(bytes.subarray(at, at + length));
    at += length;
    yield { ...record, end: base + at };
  }
}

/** Undefined where no whole record stands. */
function recordLengthAt(bytes: Buffer, at: number, seal: number): number | undefined {
  if (at + HEAD_BYTES + FIXED_BYTES > bytes.length || bytes.readUInt32LE(at) !== markOf(seal)) return undefined;
  const rest = bytes.readUInt32LE(at + 4);
  const length = HEAD_BYTES + rest;
  if (rest < FIXED_BYTES || rest > REST_MAX_BYTES || at + length > bytes.length) return undefined;
  const record = bytes.subarray(at, at + length);
  return record.readUInt32LE(8) === sumOf(record, seal) ? length : undefined;
}

/** The next place where a whole record stands, or the end. */
function nextRecord(bytes: Buffer, from: number, seal: number): number {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(markOf(seal));
  for (let at = bytes.indexOf(mark, from); at !== -1; at = bytes.indexOf(mark, at + 1)) {
    if (recordLengthAt(bytes, at, seal) !== undefined) return at;
  }
  return bytes.length;
}

function decode(record: Buffer): { block: number; line: SpooledLine } {
  const door = record.readUInt8(22);
  const addressEnd = 24 + record.readUInt8(23);
  const port = (door & HAS_PORT) === 0 ? undefined : record.readUInt16LE(addressEnd);
  return {
    block: record.readUInt32LE(12),
    line: {
      door: spoolDoors[door & ~HAS_PORT] ?? 'tcp',
      address: record.toString('utf8', 24, addressEnd),
      ...(port === undefined ? {} : { port }),
      receivedAt: record.readUIntLE(16, 6),
      bytes: record.subarray(addressEnd + portBytes(port)),
    },
  };
}

function markOf(seal: number): number {
  return Math.imul(seal ^ 0x5350_4f4c, 0x9e37_79b1) >>> 0;
}

function sumOf(record: Buffer, seal: number): number {
  return crc32c(record.subarray(HEAD_BYTES), crc32c(record.subarray(4, 8), seal));
}
