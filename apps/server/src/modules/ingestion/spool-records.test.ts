import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32c } from './crc32c.ts';
import { encodeRecord, readRecords, type SpooledLine, sealOf, spoolDoors } from './spool-records.ts';

const seal = sealOf('0000000001-a.spool');

const lineArbitrary: fc.Arbitrary<SpooledLine> = fc.record({
  door: fc.constantFrom(...spoolDoors),
  address: fc.constantFrom('192.0.2.1', '2001:db8::1', '::ffff:192.0.2.7', ''),
  port: fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
  receivedAt: fc.integer({ min: 0, max: 4_102_444_800_000 }),
  bytes: fc.uint8Array({ maxLength: 120 }).map((bytes) => Buffer.from(bytes)),
});

function written(lines: readonly SpooledLine[], perBlock = 3) {
  const records = lines.map((line, index) => encodeRecord(line, { block: Math.floor(index / perBlock), seal }));
  const ends = records.map(
    (
      (at) => (record: Buffer) =>
        (at += record.length)
    )(0),
  );
  return { bytes: Buffer.concat(records), ends };
}

const readAll = (bytes: Buffer, base = 0) => [...readRecords(bytes, { seal, base })];
const linesOf = (bytes: Buffer) => readAll(bytes).flatMap((record) => record?.line ?? []);

describe('crc32c', () => {
  it('gives the published check values', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
    expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
    expect(crc32c(Buffer.from('56789'), crc32c(Buffer.from('1234')))).toBe(0xe3069283);
  });
});

describe('records on disk', () => {
  it('come back as they were, with their blocks and places', () => {
    fc.assert(
      fc.property(fc.array(lineArbitrary, { maxLength: 20 }), (lines) => {
        const { bytes, ends } = written(lines);
        expect(readAll(bytes, 1_000)).toEqual(
          lines.map((line, index) => ({ line, block: Math.floor(index / 3), end: 1_000 + (ends[index] ?? 0) })),
        );
      }),
    );
  });

  it('lose only the torn one when the file breaks off anywhere', () => {
    fc.assert(
      fc.property(fc.array(lineArbitrary, { minLength: 1, maxLength: 12 }), fc.nat(), (lines, cut) => {
        const { bytes, ends } = written(lines);
        const length = cut % (bytes.length + 1);
        expect(linesOf(bytes.subarray(0, length))).toEqual(lines.slice(0, ends.filter((end) => end <= length).length));
      }),
      { numRuns: 500 },
    );
  });

  it('lose only the one a flipped bit lies in, whichever bit it is', () => {
    fc.assert(
      fc.property(
        fc.array(lineArbitrary, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(7),
        (lines, place, bit) => {
          const { bytes, ends } = written(lines);
          const at = place % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
          const hit = ends.findIndex((end) => at < end);
          expect(linesOf(bytes)).toEqual(lines.filter((_, index) => index !== hit));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('pass over garbage in between, and over zeros a crash of the file system leaves at the end', () => {
    fc.assert(
      fc.property(
        fc.array(lineArbitrary, { maxLength: 6 }),
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        (lines, junk) => {
          const { bytes } = written(lines);
          const records = readAll(Buffer.concat([junk, bytes, Buffer.alloc(500)]));
          expect(records.flatMap((record) => record?.line ?? [])).toEqual(lines);
          expect(records.filter((record) => record === undefined)).toHaveLength(lines.length === 0 ? 1 : 2);
        },
      ),
    );
  });

  it('cannot be written by a sender: a line that holds a record of another segment stays a line', () => {
    const forged = encodeRecord(
      { door: 'tcp', address: '203.0.113.66', receivedAt: 0, bytes: Buffer.from('forged') },
      { block: 0, seal: sealOf('0000000001-b.spool') },
    );
    const { bytes } = written([{ door: 'udp', address: '192.0.2.1', receivedAt: 1, bytes: forged }]);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    expect(linesOf(bytes)).toEqual([]);
  });
});
