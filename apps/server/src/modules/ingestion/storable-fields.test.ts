import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storableFields } from './storable-fields.ts';

describe('fields the store takes', () => {
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [
      { a: 1, 'a.b': 2, 'a.b.c': 3, 'd.e': 4 },
      { a: 1, a_b: 2, a_b_c: 3, 'd.e': 4 },
    ],
    [
      { 'x.y.z': 1, 'x.y': 2, 'x.yz': 3 },
      { x_y_z: 1, x_y: 2, 'x.yz': 3 },
    ],
    [
      { a: { b: 1, 'b.c': 2 }, a_b: 3 },
      { a: { b: 1, b_c: 2 }, a_b: 3 },
    ],
    [
      { a: 1, 'a.b': 2, a_b: 3 },
      { a: 1, a_b_: 2, a_b: 3 },
    ],
    [
      { size: 9.3e18, small: 1 },
      { size: '9300000000000000000', small: 1 },
    ],
  ])('%j', (fields, stored) => {
    expect(storableFields(fields)).toEqual(stored);
  });

  it('are the very object where nothing is to change', () => {
    const fields = { a: 1, 'b.c': 2, d: { e: [1] } };
    expect(storableFields(fields)).toBe(fields);
  });

  it('give another name exactly to dotted keys that lie above or below another key', () => {
    const key = fc.array(fc.constantFrom('a', 'b', '.', ''), { maxLength: 6 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 8 }), (keys) => {
        const stored = storableFields(Object.fromEntries(keys.map((name) => [name, name])));
        const kept = keys.filter((name) => Object.hasOwn(stored, name) && stored[name] === name);
        const clashing = keys.filter(
          (name) =>
            name.includes('.') &&
            keys.some((other) => other !== name && (other.startsWith(`${name}.`) || name.startsWith(`${other}.`))),
        );
        expect(kept).toEqual(keys.filter((name) => !clashing.includes(name)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are found in linear time, many keys or long ones', () => {
    const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`k${index}.v`, index]));
    expect(Object.keys(storableFields(many))).toHaveLength(150_000);
    const long = { [`${'a.'.repeat(250_000)}b`]: 1, [`${'a.'.repeat(250_000)}c`]: 2 };
    expect(storableFields(long)).toEqual(long);
  }, 20_000);
});
