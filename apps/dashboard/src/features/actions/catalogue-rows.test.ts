import { expect, test } from 'vitest';
import { action } from './action-fixtures.ts';
import { catalogueRows, vendorOptions } from './catalogue-rows.ts';

const actions = [
  action('okta.suspend_user', { friendly_name: 'Suspend user', vendor: 'Okta', product: 'Okta' }),
  action('fortigate.unblock_address', { friendly_name: 'Unblock address', vendor: 'Fortinet', product: 'FortiGate' }),
  action('fortigate.block_address', { friendly_name: 'Block address', vendor: 'Fortinet', product: 'FortiGate' }),
  action('github.get_user', { friendly_name: 'Get user', vendor: 'GitHub', product: 'GitHub', description: 'Réads.' }),
];
const shown = (search: Parameters<typeof catalogueRows>[1]) =>
  catalogueRows(actions, search).map((row) => (row.kind === 'product' ? `${row.label} (${row.count})` : row.id));

test('actions stand under their product, both by name; a vendor of the same name is said once', () => {
  expect(shown({})).toEqual([
    'Fortinet FortiGate (2)',
    'fortigate.block_address',
    'fortigate.unblock_address',
    'GitHub (1)',
    'github.get_user',
    'Okta (1)',
    'okta.suspend_user',
  ]);
});

test('every word must be found, in any part, whatever its case and accents', () => {
  expect(shown({ q: ' USER  okta ' })).toEqual(['Okta (1)', 'okta.suspend_user']);
  expect(shown({ q: 'reads' })).toEqual(['GitHub (1)', 'github.get_user']);
  expect(shown({ q: 'user fortigate' })).toEqual([]);
});

test('the filter and the search hold together', () => {
  expect(shown({ q: 'user', filters: { vendor: ['Fortinet', 'GitHub'] } })).toEqual(['GitHub (1)', 'github.get_user']);
});

test('vendors are counted as the search finds them, and a chosen one can always be taken back', () => {
  expect(vendorOptions(actions, { q: 'user', filters: { vendor: ['Fortinet'] } })).toEqual([
    { value: 'Fortinet', label: 'Fortinet', count: 0 },
    { value: 'GitHub', label: 'GitHub', count: 1 },
    { value: 'Okta', label: 'Okta', count: 1 },
  ]);
});
