import { expect, test } from 'vitest';
import { typeWords } from './type-words.ts';

test.each([
  [{ type: 'string' }, 'text'],
  [{ type: 'integer' }, 'whole number'],
  [{ type: 'number' }, 'number'],
  [{ type: 'boolean' }, 'yes or no'],
  [{ type: 'object' }, 'object'],
  [{ type: ['string', 'null'] }, 'text'],
  [{ type: 'array' }, 'list'],
  [{ type: 'array', items: {} }, 'list'],
  [{ type: 'array', items: { type: 'object' } }, 'list of object'],
  [{ type: 'array', items: { type: 'array', items: { type: 'integer' } } }, 'list of list of whole number'],
  [{}, undefined],
  [{ type: 'constructor' }, undefined],
])('%j is %s', (schema, words) => expect(typeWords(schema)).toBe(words));

test('choices are named only where they are asked for, in lists as well', () => {
  const choice = { type: 'string', enum: ['low', 2] };
  expect(typeWords(choice)).toBe('text');
  expect(typeWords(choice, { choices: true })).toBe('one of low, 2');
  expect(typeWords({ type: 'array', items: choice }, { choices: true })).toBe('list of one of low, 2');
});
