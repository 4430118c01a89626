import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { expect, test } from 'vitest';
import { fittingActions } from './fitting-actions.ts';

type Inputs = Readonly<Record<string, object>>;

function action(id: string, properties: Inputs, required: string[] = []): ActionDefinition {
  return {
    action_id: id,
    definition_id: id.split('.')[0] ?? id,
    friendly_name: id,
    description: '',
    vendor: 'Vendor',
    product: 'Product',
    input_schema: { type: 'object', properties, required },
    output_schema: {},
    effect: 'reads',
    requires_connector: true,
    timeout_s: 30,
  };
}

const text = { type: 'string' };
const catalogue = [
  action('a.check_ip', { ip: { ...text, format: 'ip' } }, ['ip']),
  action('a.block_v4', { address: { ...text, format: 'ipv4' }, comment: text }, ['address']),
  action('b.suspend', { user: text }, ['user']),
  action('b.sign_ins', { user_principal_name: text, limit: { type: 'integer' } }),
  action('c.find_by_mail', { email: text }, ['email']),
  action('d.create_ioc', { value: { ...text, title: 'Indicator' }, severity: text }, ['value']),
  action('d.delete_ioc', { indicator_id: { ...text, title: 'Indicator' } }, ['indicator_id']),
  action('e.domain', { domain: text }, ['domain']),
  action('f.file', { hash: { ...text, minLength: 32 } }, ['hash']),
  action('g.notify', { title: text, url: text }, ['title', 'url']),
  action('h.invite', { users: { type: 'array', items: text } }, ['users']),
  action('i.contain', { host: text }, ['host']),
  action('j.status', {}),
];
const fitting = (field: string, value: string) =>
  fittingActions(catalogue, { field, value }).map(({ action: { action_id }, input }) => `${action_id} ${input}`);

test.each([
  ['src_ip', '203.0.113.7', ['a.check_ip ip', 'a.block_v4 address', 'd.create_ioc value']],
  ['src_ip', '2001:db8::7', ['a.check_ip ip', 'd.create_ioc value']],
  ['user', 'root', ['b.suspend user', 'b.sign_ins user_principal_name']],
  ['user', 'ana@example.com', ['b.suspend user', 'b.sign_ins user_principal_name', 'c.find_by_mail email']],
  ['host', 'web-1.corp.example', ['d.create_ioc value', 'e.domain domain', 'i.contain host']],
  ['md5', 'd41d8cd98f00b204e9800998ecf8427e', ['d.create_ioc value', 'f.file hash']],
])('%s %s goes into the input it fits, and nowhere else', (field, value, expected) => {
  expect(fitting(field, value)).toEqual(expected);
});

test('an action that only mentions an address among others is not about it', () => {
  expect(fitting('link', 'https://login.example.net/')).toEqual([]);
});
