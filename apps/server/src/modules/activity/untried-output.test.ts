import { expect, test } from 'vitest';
import { untriedOutput } from './untried-output.ts';

const NOTE = { dry_run: 'Not called in a dry run.' };

test('every promised field is there, empty, so that what reads it goes on', () => {
  const schema = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      count: { type: 'integer' },
      changed: { type: 'boolean' },
      members: { type: 'array', items: { type: 'string' } },
      until: { type: ['string', 'null'] },
      anything: { description: 'No type.' },
      user: { type: 'object', properties: { name: { type: 'string' } } },
    },
  };
  expect(untriedOutput(schema)).toEqual({
    ...{ id: '', count: 0, changed: false, members: [], until: null, anything: null, user: { name: '' } },
    ...NOTE,
  });
});

test.each([
  ['none', undefined],
  ['a list', { type: 'array' }],
  ['a schema that goes round in depth', deep(50)],
  [
    'fields named like what every object has',
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
  ],
])('%s is no reason to fail', (_what, schema) => {
  const output = untriedOutput(schema);
  expect(output).toMatchObject(NOTE);
  expect(Object.getPrototypeOf(output)).toBe(Object.prototype);
});

function deep(levels: number): Record<string, unknown> {
  return levels === 0 ? { type: 'string' } : { type: 'object', properties: { inside: deep(levels - 1) } };
}
