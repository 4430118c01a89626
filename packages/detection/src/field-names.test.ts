import { expect, test } from 'vitest';
import { compileField } from './field-values.ts';
import { testEvent } from './test-event.ts';

function read(name: string, fields: Record<string, unknown>): readonly unknown[] {
  return compileField(name)(testEvent({ fields }));
}

test('a Windows field is found wherever a shipper puts it, in the event itself first', () => {
  expect(read('Image', { Image: 'a', NewProcessName: 'b' })).toEqual(['a']);
  expect(read('Image', { NewProcessName: 'b' })).toEqual(['b']);
  expect(read('Image', { Event: { EventData: { Image: 'c' } } })).toEqual(['c']);
  expect(read('Image', { EventData: { NewProcessName: 'd' } })).toEqual(['d']);
  expect(read('Image', { winlog: { event_data: { Image: 'e' } } })).toEqual(['e']);
  expect(read('TaskName', { Event: { UserData: { TaskUpdated: { TaskName: 'f' } } } })).toEqual(['f']);
  expect(read('EventID', { Event: { System: { EventID: { '#text': 4625 } } } })).toEqual([4625]);
  expect(read('EventID', { Event: { System: { EventID: 4625 } } })).toEqual([4625]);
  expect(read('Image', { Event: null, EventData: ['x'], winlog: 'y' })).toEqual([]);
});

test('fields. names the field of the original where a column has that name too', () => {
  expect(read('action', { action: 'Edit' })).toEqual(['login']);
  expect(read('fields.action', { action: 'Edit' })).toEqual(['Edit']);
  expect(read('fields.action', {})).toEqual([]);
});

test('a name as a search writes it leads into an object called fields', () => {
  const shipped = { env: 'test', host: 'b', fields: { env: 'prod', host: 'a' } };
  expect(read('fields.fields.env', shipped)).toEqual(['prod']);
  expect(read('fields.fields.host', shipped)).toEqual(['a']);
  expect(read('fields.fields.env', { 'fields.env': 'prod' })).toEqual(['prod']);
  expect(read('fields.fields.env', { env: 'test' })).toEqual([]);
});

test('everything of an event is a bounded list of its values, never of its JSON', () => {
  const event = testEvent({ message: 'm', raw: '{"a":1}', fields: { a: 1, b: [{ c: 'x' }], d: null } });
  expect(compileField('*')(event)).toEqual(['m', 1, 'x']);
  expect(compileField('*')(testEvent({ message: '', raw: 'a line' }))).toEqual(['a line']);
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 5000; depth += 1) deep = [deep];
  const many = testEvent({ message: '', fields: { deep, list: Array(100_000).fill('x') } });
  expect(compileField('*')(many).length).toBeLessThan(10_000);
});
