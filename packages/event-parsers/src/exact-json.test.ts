import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './exact-json.ts';

describe('JSON of events', () => {
  it.each([
    ['{"flow_id":1818937287654321987}', { flow_id: '1818937287654321987' }],
    ['[-9007199254740993,9007199254740991]', ['-9007199254740993', 9007199254740991]],
    ['{"a":"x 1818937287654321987, \\"9007199254740993","b":9007199254740993}', undefined],
    ['9007199254740993', '9007199254740993'],
    ['[1.8189372876543219e18,0.12345678901234566,1e400]', [1.8189372876543219e18, 0.12345678901234566, Infinity]],
    ['{"12345678901234567":12345678901234567}', { '12345678901234567': '12345678901234567' }],
  ])('keeps whole numbers exact: %s', (text, value) => {
    const expected = value ?? { a: 'x 1818937287654321987, "9007199254740993', b: '9007199254740993' };
    expect(parseJson(text)).toEqual(expected);
  });

  it('is read as always where all numbers are exact', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify({ value, long: '12345678901234567 "' });
        // Doubles of 2^53 and more are written without an exponent, and are whole.
        fc.pre(!/(?:^|[[,:])-?\d{16,}(?=[\],}])/.test(text));
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    '',
    '{',
    '[01234567890123456789]',
    '{"a":1234567890123456789 "b":1}',
    '12345678901234567"',
    '"1234567890123456',
  ])('is refused where it is none: %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('is read in linear time, also where a string never closes', () => {
    const escapes = '\\"'.repeat(300_000);
    expect(() => parseJson(`{"a":12345678901234567,"x":"${escapes}`)).toThrow(SyntaxError);
    expect(parseJson(`{"a":12345678901234567,"x":"${escapes}"}`)).toMatchObject({ a: '12345678901234567' });
  }, 20_000);
});
