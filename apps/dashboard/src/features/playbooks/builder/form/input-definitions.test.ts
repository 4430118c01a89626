import { expect, test } from 'vitest';
import { inputRows, inputsOf } from './input-definitions.ts';

const written = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ip: { type: 'string', format: 'ip', title: 'Address', examples: ['192.0.2.7'] },
    days: { type: 'integer', minimum: 1, default: 7 },
    level: { type: 'string', enum: ['low', 'high'] },
    hosts: { type: 'array', items: { type: 'string' }, maxItems: 5 },
    deep: { type: 'object', properties: { a: { type: 'string' } } },
    sure: { type: 'boolean', description: 'Really?' },
  },
  required: ['ip', 'level'],
  minProperties: 1,
};

test('what the rows show and do not show is the same schema again', () => {
  expect(inputsOf(inputRows(written), written)).toEqual(written);
  expect(inputRows(written).map(({ type }) => type)).toEqual(['ip', 'number', 'choice', 'list', 'other', 'boolean']);
});

test('another type begins anew, as the limits of the old one would not fit', () => {
  const rows = inputRows(written).map((row) => (row.name === 'days' ? { ...row, type: 'text' as const } : row));
  expect(inputsOf(rows, written).properties).toMatchObject({ days: { type: 'string' } });
  expect(Object.keys((inputsOf(rows, written).properties as { days: object }).days)).toEqual(['type']);
});

test('an empty list of inputs is an object that takes nothing', () => {
  expect(inputsOf([], {})).toEqual({ type: 'object', additionalProperties: false, properties: {} });
});
