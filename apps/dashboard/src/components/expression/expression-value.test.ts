import { expect, test } from 'vitest';
import { asExpression, asValue } from './expression-value.ts';

test.each([[5], [true], [['a', 'b']], [{ a: 1 }], ['text']])('%j as an expression and back is the same', (value) => {
  expect(asValue(asExpression(value))).toEqual(value);
});

test('what is computed stands for no value', () => {
  expect(asValue('{{ inputs.ip }}')).toBeUndefined();
  expect(asValue('Block {{ 5 }}')).toBeUndefined();
  expect(asExpression(undefined)).toBe('');
});
