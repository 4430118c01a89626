import { expect, test } from 'vitest';
import { chosenOf, chosenText, type Operation, operationRows, withChosen } from './operation-rows.ts';

const operation = (key: string, more: Partial<Operation> = {}): Operation => ({
  key,
  summary: key,
  description: '',
  tags: [],
  effect: 'reads',
  deprecated: false,
  unsupported: null,
  ...more,
});

const list = operation('GET /hosts', { tags: ['Hosts'], summary: 'List hosts' });
const remove = operation('DELETE /hosts/{id}', { tags: ['Hosts', 'Danger'], effect: 'destroys' });
const odd = operation('POST /upload', { tags: ['Files'], effect: 'changes', unsupported: 'Its body is a file.' });
const plain = operation('POST /notes', { effect: 'changes', description: 'Escreve uma anotação' });
const all = [plain, list, odd, remove];

test('operations stand under the first of their tags, those without one at the end', () => {
  expect(operationRows(all, undefined).map(({ id }) => id)).toEqual([
    'tag Hosts',
    'GET /hosts',
    'DELETE /hosts/{id}',
    'tag Files',
    'POST /upload',
    'tag ',
    'POST /notes',
  ]);
});

test.each([
  ['list', ['tag Hosts', 'GET /hosts']],
  ['danger', ['tag Hosts', 'DELETE /hosts/{id}']],
  ['POST anotacao', ['tag ', 'POST /notes']],
  ['nothing', []],
])('a search for %s finds names, addresses, tags and texts', (q, ids) => {
  expect(operationRows(all, q).map(({ id }) => id)).toEqual(ids);
});

test('all of a tag leaves out what cannot be imported, and takes back only its own', () => {
  const chosen = withChosen(new Set(['POST /notes']), [list, remove, odd], true);
  expect([...chosen]).toEqual(['POST /notes', 'GET /hosts', 'DELETE /hosts/{id}']);
  expect(chosenOf([list, remove, odd], chosen)).toBe('all');
  expect(chosenOf([odd], chosen)).toBe('none');
  expect(chosenOf([plain, operation('GET /x')], chosen)).toBe('some');
  expect([...withChosen(chosen, [list, remove], false)]).toEqual(['POST /notes']);
});

test('what is chosen says what it does to the outside', () => {
  expect(chosenText(all, new Set())).toBe('0 of 4 chosen');
  expect(chosenText(all, new Set(['GET /hosts']))).toBe('1 of 4 chosen');
  expect(chosenText(all, new Set(all.map(({ key }) => key)))).toBe(
    '4 of 4 chosen · 2 change something, 1 destroys something',
  );
});
