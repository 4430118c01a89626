import { describe, expect, test } from 'vitest';
import { compileField, identityOf } from './field-values.ts';
import { testEvent } from './test-event.ts';

function read(name: string, parts: Parameters<typeof testEvent>[0]) {
  return compileField(name)(testEvent(parts));
}

describe('where a field is taken from', () => {
  test('a filled column wins over a field of the same name', () => {
    expect(read('user', { user: 'root', fields: { user: 'other' } })).toEqual(['root']);
  });
  test('an empty column gives way to the original field', () => {
    expect(read('dst_ip', { dst_ip: '', fields: { dst_ip: '192.0.2.1' } })).toEqual(['192.0.2.1']);
    expect(read('dst_ip', { dst_ip: '' })).toEqual([]);
  });
  test('the literal key wins over the path, even when its value is null', () => {
    const fields = { 'actor.id': 'literal', actor: { id: 'path' } };
    expect(read('actor.id', { fields })).toEqual(['literal']);
    expect(read('actor.id', { fields: { ...fields, 'actor.id': null } })).toEqual([]);
  });
  test('paths go through objects and through every element of lists', () => {
    const fields = { targets: [{ id: 'a' }, { id: ['b', null, ['c']] }, 'no object', { other: 1 }] };
    expect(read('targets.id', { fields })).toEqual(['a', 'b', 'c']);
  });
  test('columns that hold no original value of an event are not offered as fields', () => {
    expect(read('fields', {})).toEqual([]);
    expect(read('time_source', {})).toEqual([]);
  });
});

describe('hostile names and values', () => {
  test.each(['__proto__', 'constructor', 'toString', '__proto__.polluted', 'a.constructor.name', 'list.length'])(
    '%s is nothing unless the event has it itself',
    (name) => expect(read(name, { fields: { a: {}, list: [] } })).toEqual([]),
  );
  test('an own field called __proto__ is read like any other', () => {
    const fields = JSON.parse('{"__proto__":{"x":"mine"}}') as Record<string, unknown>;
    expect(read('__proto__.x', { fields })).toEqual(['mine']);
  });
  test('lists nested without end neither overflow the stack nor count', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(5000)}"x"${']'.repeat(5000)}`);
    expect(read('a', { fields: { a: [deep, 'y'] } })).toEqual(['y']);
  });
});

test('a missing or empty field has no identity; a list has one as a whole', () => {
  expect(identityOf([])).toBeUndefined();
  expect(identityOf([''])).toBeUndefined();
  expect(identityOf(['a'])).toBe('a');
  expect(identityOf(['a', 'b'])).toBe('["a","b"]');
});
