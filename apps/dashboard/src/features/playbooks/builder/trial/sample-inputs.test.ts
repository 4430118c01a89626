import { expect, test } from 'vitest';
import { sampleInputs } from './sample-inputs.ts';

const schema = {
  type: 'object',
  properties: {
    ip: { type: 'string', examples: ['192.0.2.7', '192.0.2.8'] },
    days: { type: 'integer', default: 7 },
    sure: { type: 'boolean' },
  },
  required: ['sure'],
};

test('a trial begins with examples and defaults', () => {
  expect(sampleInputs(schema, {})).toEqual({ ip: '192.0.2.7', days: 7, sure: false });
});

test('and with what was tried last, of inputs that are still there', () => {
  expect(sampleInputs(schema, { ip: '203.0.113.9', sure: true, gone: 1 })).toEqual({
    ip: '203.0.113.9',
    days: 7,
    sure: true,
  });
});
