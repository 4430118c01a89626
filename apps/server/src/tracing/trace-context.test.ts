import { describe, expect, it } from 'vitest';
import { isInShare, readTraceparent, writeTraceparent } from './trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('the header traceparent', () => {
  it('is read and written as W3C has it', () => {
    const text = `00-${traceId}-${spanId}-01`;
    expect(readTraceparent(text)).toEqual({ traceId, spanId, sampled: true });
    expect(writeTraceparent({ traceId, spanId, sampled: true })).toBe(text);
    expect(readTraceparent(`00-${traceId}-${spanId}-02`)).toEqual({ traceId, spanId, sampled: false });
    expect(writeTraceparent({ traceId, spanId, sampled: false })).toBe(`00-${traceId}-${spanId}-00`);
  });

  it('of a later version is read as far as this one goes', () => {
    expect(readTraceparent(`cc-${traceId}-${spanId}-01-what-comes-then`)).toEqual({ traceId, spanId, sampled: true });
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
  ])('is not continued when it is none: %s', (text) => {
    expect(readTraceparent(text)).toBeUndefined();
  });
});

describe('the share of traces that is kept', () => {
  it('is all, none, or those whose ids begin low, the same wherever it is asked', () => {
    const [low, high] = [`${'f'.repeat(19)}${'0'.repeat(13)}`, `${'0'.repeat(19)}${'f'.repeat(13)}`];
    expect([low, high].map((id) => isInShare(id, 1))).toEqual([true, true]);
    expect([low, high].map((id) => isInShare(id, 0))).toEqual([false, false]);
    expect([low, high].map((id) => isInShare(id, 0.5))).toEqual([true, false]);
  });
});
