import { expect, test } from 'vitest';
import { nameOfPath, targetOf } from './field-name.ts';
import { searchColumns } from './search-columns.ts';

test.each([
  'port',
  'winlog.event_id',
  'fields',
  'fields.env',
  'fields.fields.env',
  'fieldset.env',
  ...searchColumns.keys(),
])('the name of the original field %s leads back to it', (path) => {
  expect(targetOf(nameOfPath(path))).toEqual({ kind: 'path', path: path.split('.') });
});

test('a name is as the source wrote it wherever that can mean nothing else', () => {
  expect(['port', 'winlog.user', 'user', 'fields.env'].map(nameOfPath)).toEqual([
    ...['port', 'winlog.user', 'fields.user', 'fields.fields.env'],
  ]);
});
