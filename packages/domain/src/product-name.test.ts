import { expect, test } from 'vitest';
import { productName } from './product-name.ts';

test.each([
  ['Fortinet', 'FortiGate', 'Fortinet FortiGate'],
  ['Okta', 'Okta', 'Okta'],
  ['Microsoft', 'Microsoft Graph', 'Microsoft Graph'],
  ['HTTP', 'HTTP request', 'HTTP request'],
  ['Forti', 'FortiGate', 'Forti FortiGate'],
  ['Pet Store', '', 'Pet Store'],
  [' ', 'Pet Store', 'Pet Store'],
])('of %o and %o people read %o', (vendor, product, name) => {
  expect(productName({ vendor, product })).toBe(name);
});
