import { expect, test } from 'vitest';
import { customerFieldsOf, customerProblemsOf, planOf } from './customer-fields.ts';

const good = { ...customerFieldsOf(undefined), name: 'Quay', sku_name: 'AIR Core' };

test('a plan is sent as numbers', () => {
  expect(customerProblemsOf(good)).toEqual({});
  expect(planOf(good)).toEqual({
    sku_name: 'AIR Core',
    is_search_enabled: true,
    is_mdr_enabled: false,
    retention_length_days: 90,
    search_length_days: 30,
  });
});

test.each([
  [{ name: ' ' }, ['name']],
  [{ sku_name: '' }, ['sku_name']],
  [{ retention: '0' }, ['retention']],
  [{ retention: '3651' }, ['retention']],
  [{ search: '1.5' }, ['search']],
  [{ retention: '30', search: '31' }, ['search']],
])('%j is not sent', (change, fields) => {
  expect(Object.keys(customerProblemsOf({ ...good, ...change }))).toEqual(fields);
});
