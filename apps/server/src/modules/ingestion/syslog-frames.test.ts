import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader } from './syslog-frames.ts';

function framesOf(chunks: readonly Buffer[], maxBytes = 1_000) {
  const frames: string[] = [];
  let cut = 0;
  const reader = createFrameReader({
    maxBytes,
    onFrame: (frame) => frames.push(frame.toString('latin1')),
    onCut: () => cut++,
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return { frames, cut };
}

describe('framing', () => {
  it.each<[string, string, string[]]>([
    ['lines', '<1>a\n<2>b\n', ['<1>a', '<2>b']],
    ['the last without newline', '<1>a\nb', ['<1>a', 'b']],
    ['counts', '4 <1>a5 <2>b\n', ['<1>a', '<2>b\n']],
    ['both in turn', '4 <1>a<2>b\n4 <3>c', ['<1>a', '<2>b', '<3>c']],
    ['a number that is no count', '12 monkeys\n2026-11-21 x\n', ['12 monkeys', '2026-11-21 x']],
    ['a number that is too long', '12345678 <x\n', ['12345678 <x']],
    ['a count that is too small', '3 <1>abc\n<2>b\n', ['<1>', 'abc', '<2>b']],
    ['only a number', '12', ['12']],
    ['empty lines', '\n\r\n\0\n<1>a\n', ['<1>a']],
  ])('%s', (_name, text, expected) => {
    expect(framesOf([Buffer.from(text, 'latin1')]).frames).toEqual(expected);
  });

  it('keeps the beginning of a frame that is too long and goes on', () => {
    expect(framesOf([Buffer.from(`${'x'.repeat(25)}\n<1>a\n30 <${'y'.repeat(29)}<2>b\n`)], 10)).toEqual({
      frames: ['x'.repeat(10), '<1>a', `<${'y'.repeat(9)}`, '<2>b'],
      cut: 2,
    });
  });

  it('takes memory for a frame that does not end by its bytes, not by the pieces it comes in, and for no more than is kept', () => {
    const reader = createFrameReader({ maxBytes: 100_000, onFrame: () => undefined, onCut: () => undefined });
    const chunk = Buffer.alloc(65_536, 'x');
    for (let n = 0; n < 10_000; n++) reader.push(chunk.subarray(n, n + 1));
    expect(reader.heldBytes).toBeGreaterThanOrEqual(10_000);
    expect(reader.heldBytes).toBeLessThanOrEqual(20_000);
    for (let n = 0; n < 10; n++) reader.push(chunk);
    expect(reader.heldBytes).toBe(100_000);
    reader.push(Buffer.from('\n<1>whole\n'));
    expect(reader.heldBytes).toBe(0);
  });

  it('does not depend on how the network cuts the stream', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary-ascii', maxLength: 30 }),
      fc.constantFrom('\n', '5 <1>ab', '12 <34>1 - - -', '99', '7 ', '<13>x\n'),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }),
        (pieces, sizes) => {
          const whole = Buffer.from(pieces.join(''), 'latin1');
          const chunks: Buffer[] = [];
          for (let at = 0, turn = 0; at < whole.length; turn++) {
            const size = sizes[turn % sizes.length] ?? 1;
            chunks.push(whole.subarray(at, at + size));
            at += size;
          }
          expect(framesOf(chunks, 20)).toEqual(framesOf([whole], 20));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
