import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from './app-error.ts';
import { parseStrictJson } from './json-body.ts';

function refusedAs(text: string): string | undefined {
  try {
    parseStrictJson(text);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : 'CRASH';
  }
}

function withKeys(count: number): string {
  return JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])));
}

describe('strict JSON', () => {
  it('gives up at the first key too many: what stands behind it is not looked at', () => {
    // Behind it the body is broken, which would be told otherwise.
    expect(() => parseStrictJson(`${withKeys(10_001).slice(0, -1)},"open`)).toThrow(
      'The body has more than 10000 keys.',
    );
  });

  it('reads what JSON.parse reads, for any value without repeated keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!text.includes('__proto__'));
        expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['the same key twice', '{"a":1,"a":2}'],
    ['the same key twice, once escaped', String.raw`{"role":1,"ro\u006ce":2}`],
    ['the same key twice, deep inside', '[{"x":{"a":1,"b":{},"a":2}}]'],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['an escaped __proto__', String.raw`{"\u005f_proto__":1}`],
    ['33 levels', `${'['.repeat(33)}${']'.repeat(33)}`],
    ['a million levels', '['.repeat(1_000_000)],
    ['an open string', '{"a":"b'],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{"a":1}//'],
    ['a number beyond the largest', '{"a":[1,1e400]}'],
    ['one written out', `{"a":-${'9'.repeat(400)}}`],
    ['one whose exponent alone would fit', `${'9'.repeat(250)}e99`],
    ['one behind a point', '1.5E+0400'],
    ['NaN', '{"a":NaN}'],
    ['Infinity', '[-Infinity]'],
    ['a mark of the byte order', '\uFEFF{"a":1}'],
    ['nothing', ' '],
    ['two values', '{}{}'],
    ['more keys than 10,000 in one object', withKeys(10_001)],
    ['more keys than 10,000 in many objects', `[${Array(101).fill(withKeys(100)).join()}]`],
  ])('refuses %s', (_name, text) => {
    expect(refusedAs(text)).toBe('BODY_NOT_DECODABLE');
  });

  it.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"a"}',
    '["a","a"]',
    '{"a":"1e400","b":1e308,"c":-0,"d":1e-400}',
    `{"a":"${'9'.repeat(400)}"}`,
    `${'['.repeat(32)}${']'.repeat(32)}`,
    withKeys(10_000),
    `[${Array(100).fill(withKeys(100)).join()}]`,
  ])('takes %s', (text) => {
    expect(refusedAs(text)).toBeUndefined();
  });
});
