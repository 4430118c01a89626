import { expect, test } from 'vitest';
import { actionChoices } from './audit-actions.ts';
import { actorName, peopleOf, targetWords } from './audit-names.ts';

const ana = {
  id: '01920000-0000-7000-8000-0000000000aa',
  uname: 'person.4cc95f@northwind.example',
  fullname: 'Ana Souza',
};
const tenant = { id: '01920000-0000-7000-8000-000000000001', name: 'Northwind Traders' };
const names = { people: peopleOf([ana]), tenant };

test('who is told by full name, also behind a key, and nobody else gets one', () => {
  expect(actorName({ kind: 'user', id: ana.id, name: 'renamed@northwind.example' }, names)).toBe('Ana Souza');
  expect(actorName({ kind: 'api_key', id: tenant.id, name: ana.uname }, names)).toBe('Ana Souza');
  expect(actorName({ kind: 'user', id: tenant.id, name: 'left@northwind.example' }, names)).toBeUndefined();
  expect(actorName({ kind: 'source', id: ana.id, name: ana.uname }, names)).toBeUndefined();
});

const run = '01920000-0000-7000-8000-0000000000bb';

test.each([
  ['a person by name', 'user', ana.id, { name: 'Blue key' }, 'User', 'Ana Souza'],
  [
    'somebody who left by address',
    'user',
    run,
    { email: 'left@northwind.example', name: 'Blue key' },
    'User',
    'left@northwind.example',
  ],
  ['this tenant', 'tenant', tenant.id, { name: 'Old name' }, 'Tenant', 'Northwind Traders'],
  ['what the record names', 'rule_response', run, { name: 'Block it' }, 'Rule response', 'Block it'],
  ['a case by its reference', 'case', run, { reference: 'CASE-21', name: 'Renamed' }, 'Case', 'CASE-21'],
  ['a domain', 'sso_domain', run, { domain: 'northwind.example' }, 'Sign-in domain', 'northwind.example'],
  ['anything else by the end of its id', 'run', run, { status: 'success' }, 'Run', '…000000bb'],
  ['an id that is a name', 'route', 'users.list', null, 'Route', 'users.list'],
  ['a kind alone', 'notification', null, {}, 'Notification', undefined],
])('a target is told in words: %s', (_what, kind, id, data, word, name) => {
  expect(targetWords({ target: { kind, id }, data }, names)).toEqual({ kind: word, name });
});

test('actions to choose from stand by noun, each noun first, with those only the records know', () => {
  const choices = actionChoices(['fortigate.block_address', 'user.set_role', 'user.fly']);
  expect(choices.find(({ group }) => group === 'Fortigate')?.items).toEqual(['fortigate.', 'fortigate.block_address']);
  const users = choices.find(({ group }) => group === 'User')?.items ?? [];
  expect(users.slice(0, 2)).toEqual(['user.', 'user.create']);
  expect(users.filter((item) => item === 'user.set_role')).toHaveLength(1);
  expect(users).toContain('user.fly');
});
