import { expect, test } from 'vitest';
import { action } from '../builder-fixtures.ts';
import { matchingGroups, paletteGroups } from './palette-groups.ts';

const playbook = (id: string, version: number) => ({
  id,
  version,
  metadata: { name: `Playbook ${id}`, description: '', author: '', updated_by: '' },
});
const groups = paletteGroups({
  actions: [
    action('okta.suspend_user', { vendor: 'Okta', product: 'Okta', friendly_name: 'Suspend user' }),
    action('aws.stop', { vendor: 'Amazon', product: 'EC2', friendly_name: 'Stop instance' }),
    action('fortigate.block', { friendly_name: 'Block address' }),
    action('fortigate.allow', { friendly_name: 'Allow address' }),
  ],
  playbooks: [playbook('own', 2), playbook('other', 1), playbook('draft', 0)],
  ownId: 'own',
  connected: new Set(['fortigate', 'okta']),
});

test('what is connected stands first, by product and name; a playbook neither runs itself nor a draft', () => {
  expect(groups.map(({ title, items }) => [title, ...items.map(({ label }) => label)])).toEqual([
    ['Flow', 'Ask somebody', 'Wait'],
    ['Fortinet FortiGate', 'Allow address', 'Block address'],
    ['Okta', 'Suspend user'],
    ['Amazon EC2', 'Stop instance'],
    ['Playbooks', 'Playbook other'],
  ]);
  expect(groups.flatMap(({ items }) => items.filter(({ unconnected }) => unconnected)).map(({ key }) => key)).toEqual([
    'aws.stop',
  ]);
});

test('every word typed has to stand somewhere, also in the product', () => {
  expect(matchingGroups(groups, 'forti block').flatMap(({ items }) => items.map(({ key }) => key))).toEqual([
    'fortigate.block',
  ]);
  expect(matchingGroups(groups, 'nothing like it')).toEqual([]);
});

test('a step begins with the defaults of its input and an id that says what it does', () => {
  expect(groups[1]?.items[1]?.make()).toEqual({
    id: 'block_address',
    kind: 'action',
    action: 'fortigate.block',
    connector_id: null,
    input: {},
  });
});
