import { describe, expect, it } from 'vitest';
import { createJsonOutline } from './json-outline.ts';

/** The outline of a text that comes in pieces of so many bytes. */
function outlineOf(value: unknown, { pieces = 7, space = 0 } = {}): unknown {
  const outline = createJsonOutline(1_048_576);
  const bytes = Buffer.from(JSON.stringify(value, null, space));
  for (let at = 0; at < bytes.length; at += pieces) outline.write(bytes.subarray(at, at + pieces));
  return JSON.parse(outline.text());
}

describe('the outline of a JSON text', () => {
  it.each<[string, unknown]>([
    ['an object', { a: 1, b: 'two', c: [true, false, null], d: { e: -1.5e3 }, f: {}, g: [] }],
    ['a list', [{ id: 'x' }, { id: 'y' }, 3, 'z']],
    ['signs that mean something in JSON', { 'a"b\\': '{"x":[1,2]},\\"', empty: '', é: '\u0000\n ü 😀 \\' }],
    ['a single value', 'alone'],
    ['a single number', 12],
  ])('of %s that is short is the text itself, wherever its pieces end', (_what, value) => {
    for (const pieces of [1, 2, 3, 1000]) {
      expect(outlineOf(value, { pieces })).toEqual(value);
      expect(outlineOf(value, { pieces, space: 2 })).toEqual(value);
    }
  });

  it('has no long text, and nothing that is nested deeply', () => {
    const record = { id: 'a', text: 'x"'.repeat(100_000), at: '2026-11-20', far: { deep: [1], n: { o: 2 } } };
    expect(
      outlineOf({ records: [record, { id: 'b' }], next: 'n', [`k${'x'.repeat(9_000)}`]: 1 }, { pieces: 999 }),
    ).toEqual({
      records: [{ id: 'a', text: '', at: '2026-11-20', far: { deep: [], n: {} } }, { id: 'b' }],
      next: 'n',
      '': 1,
    });
  });

  it('is small for very many short values, and keeps what stands before and behind them', () => {
    const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`field ${index}`, index]));
    const record = { id: 'a', ...many, items: Array.from({ length: 200_000 }, () => ({ one: [2] })) };
    const outline = outlineOf({ meta: { from: 1 }, list: [record], page: { next: 'n' } }, { pieces: 65_536 });
    expect(outline).toMatchObject({ meta: { from: 1 }, list: [{ id: 'a', 'field 0': 0 }], page: { next: 'n' } });
    expect(JSON.stringify(outline).length).toBeLessThan(300_000);
  });

  it('says when it is too large itself', () => {
    const outline = createJsonOutline(1_000);
    expect(outline.write(Buffer.from('["short",'))).toBe(true);
    expect(outline.write(Buffer.from('"text",'.repeat(1_000)))).toBe(false);
  });

  it('of what is no JSON is none either', () => {
    const outline = createJsonOutline(1_000);
    outline.write(Buffer.from('<html>]}}"'));
    expect(() => JSON.parse(outline.text())).toThrow();
  });
});
