import { expect, test } from 'vitest';
import { SCHEMA_ROWS_MAX, schemaRows } from './schema-rows.ts';

test('nested fields are named by their path, lists by their entries', () => {
  const rows = schemaRows({
    type: 'object',
    required: ['hits'],
    properties: {
      hits: {
        type: 'array',
        items: { type: 'object', properties: { source: { type: ['string', 'null'], title: 'Source' } } },
      },
      verdict: { enum: ['clean', 'bad'], description: 'What it is.' },
      tags: { type: 'array', items: { type: 'string' } },
      raw: {},
    },
  });
  expect(rows.map(({ path, type, required }) => [path, type, required])).toEqual([
    ['hits', 'list of object', true],
    ['hits[].source', 'text', false],
    ['verdict', 'one of clean, bad', false],
    ['tags', 'list of text', false],
    ['raw', 'anything', false],
  ]);
  expect(rows.map(({ text }) => text)).toEqual(['', 'Source', 'What it is.', '', '']);
});

test('a definition of thousands of fields, or one that is no object, does not fill the screen', () => {
  const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`field_${n}`, { type: 'string' }]));
  expect(schemaRows({ properties })).toHaveLength(SCHEMA_ROWS_MAX);
  expect(schemaRows({ type: 'string' })).toEqual([]);
  expect(schemaRows({ properties: ['no', 'object'] })).toEqual([]);
});
