import type { Contact } from '@airdeck/contracts/contacts/schema';
import { expect, test } from 'vitest';
import { contactDirectorySearch } from './contact-directory-search.ts';
import { contactRows, movedTo } from './contact-rows.ts';

const contact = (name: string, place: number | null, more: Partial<Contact> = {}): Contact => ({
  id: name,
  tenant: 't',
  name,
  email: `${name.toLowerCase()}@example.com`,
  phone: '',
  job_title: '',
  kind: 'technical',
  escalation_order: place,
  notify: { case_severities: [], channels: [] },
  notes: '',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more,
});
const order = (contacts: readonly Contact[]) => contacts.map(({ name, escalation_order: at }) => `${name}${at ?? '-'}`);
const names = (q: string, contacts: readonly Contact[]) =>
  contactRows([{ tenantId: 't', tenantName: 'T', contacts }], q).map(({ name }) => name);

test('who is called first stands first, the others follow by name; tenants stand side by side', () => {
  const rows = contactRows(
    [
      {
        tenantId: 'n',
        tenantName: 'Northwind',
        contacts: [contact('Zoe', null), contact('Bob', 2), contact('Ana', 1)],
      },
      { tenantId: 'c', tenantName: 'Contoso', contacts: [contact('Carl', 1), contact('Abe', null)] },
    ],
    undefined,
  );
  expect(rows.map(({ name, tenantName, places }) => `${name} ${tenantName} ${places}`)).toEqual([
    'Ana Northwind 2',
    'Carl Contoso 1',
    'Bob Northwind 2',
    'Abe Contoso 1',
    'Zoe Northwind 2',
  ]);
});

test.each([
  ['josé', ['José']],
  ['JOSE', ['José']],
  ['jose example', ['José']],
  ['5550100', ['José']],
  ['555-0100', ['José']],
  ['jose nobody', []],
  ['.*', []],
])('the text %s finds %j', (q, found) => {
  expect(
    names(q, [contact('José', null, { email: 'jose@example.com', phone: '+1 555-0100' }), contact('Eve', 1)]),
  ).toEqual(found);
});

test('a move closes up behind and makes room, and leaves everybody a place of their own', () => {
  const four = [contact('A', 1), contact('B', 2), contact('C', 3), contact('D', 4), contact('X', null)];
  expect(order(movedTo(four, 'D', 1))).toEqual(['A2', 'B3', 'C4', 'D1', 'X-']);
  expect(order(movedTo(four, 'A', 3))).toEqual(['A3', 'B1', 'C2', 'D4', 'X-']);
  expect(order(movedTo(four, 'B', 99))).toEqual(['A1', 'B4', 'C2', 'D3', 'X-']);
  expect(order(movedTo(four, 'B', 0))).toEqual(['A2', 'B1', 'C3', 'D4', 'X-']);
  expect(order(movedTo(four, 'X', 1))).toEqual(order(four));
});

test('only ids get into the address’ filters and contact', () => {
  const id = '01920000-0000-7000-8000-000000000001';
  expect(contactDirectorySearch({ q: 'a', user: 'new', filters: { tenant: `${id},x` } })).toEqual({
    q: 'a',
    user: 'new',
    filters: { tenant: [id] },
  });
  expect(contactDirectorySearch({ user: '../x', filters: { tenant: ['<b>'] } })).toEqual({});
});
