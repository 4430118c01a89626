import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { batchIdOf, eventIdsOf } from './batch-identity.ts';
import { elementsOf, linesOf } from './record-texts.ts';
import { storableFields } from './storable-fields.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids', () => {
  const bodyHash = Buffer.alloc(32, 1);

  it('are UUIDs, the same for the same delivery, different for every other', () => {
    const ids = [
      batchIdOf('a', { key: undefined, bodyHash }),
      batchIdOf('b', { key: undefined, bodyHash }),
      batchIdOf('a', { key: undefined, bodyHash: Buffer.alloc(32, 2) }),
      batchIdOf('a', { key: 'k', bodyHash }),
      batchIdOf('a', { key: bodyHash.toString('latin1'), bodyHash }),
    ];
    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(UUID);
    expect(batchIdOf('a', { key: 'k', bodyHash: Buffer.alloc(32, 9) })).toBe(ids[3]);
    const [first, second] = [eventIdsOf(ids[0] ?? ''), eventIdsOf(ids[1] ?? '')];
    const events = [first(0), first(1), first(49_999), second(0)];
    expect(new Set(events).size).toBe(4);
    for (const id of events) expect(id).toMatch(UUID);
  });
});

function linesIn(body: Buffer) {
  return [...linesOf(body)].flatMap((record) =>
    record === undefined ? [] : [[record.line, record.bytes.toString()] as const],
  );
}

describe('cutting bodies', () => {
  it('finds the records of any JSON array, exactly as they were written', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom('', ' ', '\n\t '), (values, space) => {
        const body = Buffer.from(`${space}[${space}${values.map((v) => JSON.stringify(v)).join(`,${space}`)}]${space}`);
        const found = [...elementsOf(body)].flatMap((record) =>
          record === undefined ? [] : [record.bytes.toString()],
        );
        expect(found.map((text) => JSON.stringify(JSON.parse(text)))).toEqual(values.map((v) => JSON.stringify(v)));
      }),
    );
  });

  it.each(['[', '[1', '[1,', '["a', '[1]2', '[[1]'])('says that %s is broken', (text) => {
    expect(() => [...elementsOf(Buffer.from(text))]).toThrow();
  });

  it('counts lines as an editor does, without the empty ones', () => {
    const lines = linesIn(Buffer.from('\uFEFFa\r\n\n \n b \r\n\r\n\nc\r'));
    expect(lines).toEqual([
      [1, 'a'],
      [4, ' b '],
      [7, 'c'],
    ]);
  });

  it.each(['\n', ' ', '\r\n', '\t\n \n'])('lets others run in between in a body of nothing but %j', (blank) => {
    const body = Buffer.alloc(4 * 1_048_576, blank);
    const found = [...linesOf(body)];
    expect(found.length).toBeGreaterThanOrEqual(15);
    expect(new Set(found)).toEqual(new Set([undefined]));
  });

  it('finds the same lines however much lies between them', () => {
    const blank = '\n'.repeat(300_000);
    expect(linesIn(Buffer.from(`${blank}a${blank}${' '.repeat(300_000)}b\n`))).toEqual([
      [300_001, 'a'],
      [600_001, `${' '.repeat(300_000)}b`],
    ]);
  });
});

describe('fields for the store', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a path that is there twice', { 'a.b': 1, a: { b: 2 } }, { a_b: 1, a: { b: 2 } }],
    ['a value and a path below it', { a: 1, 'a.b': 2 }, { a: 1, a_b: 2 }],
    ['two literal names one below the other', { 'a.b': 1, 'a.b.c': 2 }, { a_b: 1, a_b_c: 2 }],
    ['a free name that is taken', { 'a.b': 1, a: { b: 2 }, a_b: 3 }, { a_b_: 1, a: { b: 2 }, a_b: 3 }],
    ['deep inside', { x: [{ 'a.b': 1, a: {} }] }, { x: [{ a_b: 1, a: {} }] }],
    [
      'numbers beyond 64 bits',
      { n: 123456789012345680000, list: [1, 2e19], ok: 1e300 },
      { n: '123456789012345680000', list: [1, '20000000000000000000'], ok: 1e300 },
    ],
  ])('%s', (_name, fields, expected) => {
    expect(storableFields(fields)).toEqual(expected);
  });

  it('are the very same object when there is nothing to change', () => {
    const fields = { a: 1, 'b.c': { d: [1, { e: 'x' }] }, f: null };
    expect(storableFields(fields)).toBe(fields);
  });
});
