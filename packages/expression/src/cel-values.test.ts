import { describe, expect, it } from 'vitest';
import { fromCel } from './cel-values.ts';
import { ExpressionError } from './expression-error.ts';

const plenty = () => ({ nodes: 1_000, length: 1_000 });

/** The value in a list with itself, and that with itself again: few values, many places. */
function doubled(value: unknown, times: number): unknown {
  return times === 0 ? value : doubled([value, value], times - 1);
}

describe('a result as JSON', () => {
  it('is refused for its size before any of it is made', () => {
    let made = 0;
    class Watched extends Date {
      override toISOString(): string {
        made += 1;
        return super.toISOString();
      }
    }
    const value = doubled(new Watched(0), 12);
    expect(() => fromCel(value, plenty())).toThrow(ExpressionError);
    expect(() => fromCel([new Watched(0), 'x'.repeat(2_000)], plenty())).toThrow(ExpressionError);
    expect(() => fromCel([new Watched(0), new Uint8Array(900)], plenty())).toThrow(ExpressionError);
    expect(made).toBe(0);
    expect(fromCel(doubled(new Watched(0), 2), plenty())).toEqual(doubled('1970-01-01T00:00:00.000Z', 2));
  });

  it('keeps keys that the host has a meaning for, and those that are no text', () => {
    const map = new Map<unknown, unknown>([
      ['__proto__', 1n],
      ['constructor', 2n],
      [3n, [null, true]],
    ]);
    const result = fromCel(map, plenty());
    expect(Object.entries(result as object)).toEqual([
      ['3', [null, true]],
      ['__proto__', 1],
      ['constructor', 2],
    ]);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});
