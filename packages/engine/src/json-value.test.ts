import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText, orderedJsonText, toJsonValue } from './json-value.ts';

describe('JSON for the database', () => {
  it('replaces what PostgreSQL refuses and nothing else', () => {
    expect(jsonText({ a: 'x\u0000y', '\ud800': ['\udc00'], ok: '😀' })).toBe(
      '{"a":"x\ufffdy","\ufffd":["\ufffd"],"ok":"😀"}',
    );
    const harmless = { text: 'a \\u0000 b', path: 'C:\\ud8' };
    expect(JSON.parse(jsonText(harmless))).toEqual(harmless);
  });

  it('is the plain text for every value without such characters', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = JSON.stringify(value);
        return text.includes('\\u0000') || jsonText(value) === text;
      }),
    );
  });

  it('has one text in order for a value and for what is read of it again, whatever the order of its keys', () => {
    const backwards = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(backwards);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, backwards(inner)]),
      );
    };
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = orderedJsonText(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(jsonText(value)));
        expect(orderedJsonText(backwards(JSON.parse(jsonText(value))))).toBe(text);
      }),
    );
    const odd = { at: new Date(0), none: undefined, minus: -0, not: Number.NaN, list: [undefined, () => 1] };
    expect(orderedJsonText(odd)).toBe('{"at":"1970-01-01T00:00:00.000Z","list":[null,null],"minus":0,"not":null}');
  });

  it('writes nothing as null', () => {
    expect(jsonText(undefined)).toBe('null');
  });
});

describe('values from outside', () => {
  it('become plain data: no getters, no thenables, no prototypes', () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": true}, "then": "x", "constructor": 1}');
    const check = toJsonValue(hostile, 1_000);
    expect(check).toMatchObject({ ok: true });
    expect(JSON.stringify(check.ok && check.value)).toBe(JSON.stringify(hostile));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('are refused with a reason when they are too large or not JSON', () => {
    expect(toJsonValue('x'.repeat(100), 50)).toMatchObject({ ok: false, reason: 'too_large' });
    expect(toJsonValue(10n, 50)).toMatchObject({ ok: false, reason: 'not_json' });
    expect(toJsonValue(undefined, 50)).toEqual({ ok: true, value: null, sizeBytes: 4 });
  });
});
