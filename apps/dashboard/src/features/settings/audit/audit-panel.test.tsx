import type { AuditRecord } from '@airdeck/contracts/audit/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import './audit-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const person = { id: '01920000-0000-7000-8000-0000000000cc', uname: 'person.4cc95f@northwind.example' };
const contact = '01920000-0000-7000-8000-0000000000dd';

const record: AuditRecord = {
  sequence: 7,
  at: '2026-11-21T10:00:00.000Z',
  actor: { kind: 'user', id: person.id, name: person.uname },
  action: 'contact.create',
  target: { kind: 'contact', id: contact },
  outcome: 'ok',
  code: null,
  data: { name: 'Ben Okoro' },
  request_id: null,
  hash: 'h',
};

function showAudit(records: readonly AuditRecord[] = [record]) {
  const asked: (string | null)[] = [];
  const user = { ...person, fullname: 'Bo Lindqvist', role: 'Analyst', status: 'active', from_provider: false };
  const app = showApp('/settings/tenant-settings?panel=audit', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json({ is_provider: false, automation: { enabled: true } }),
      [`GET ${api}/users`]: () => Response.json([{ ...user, mfa_enabled: true, last_sign_in_at: null }]),
      [`GET ${api}/audit`]: ({ url }) => {
        asked.push(url.searchParams.get('action'));
        return Response.json({ records, cursor: null });
      },
    },
  });
  return { ...app, asked };
}

test('a record names who and what, with ids on hover and to copy', async () => {
  showAudit();
  const who = await screen.findByText('Bo Lindqvist');
  expect(who.title).toBe(`${person.uname}, id ${person.id}`);
  expect(screen.queryByText(/Person 4cc95/)).toBeNull();
  const row = screen.getByRole('button', { expanded: false, name: /contact\.create/ });
  expect(row.textContent).toContain('Contact Ben Okoro');
  expect(within(row).getByTitle(`Contact ${contact}`)).toBeTruthy();
  fireEvent.click(row);
  expect(screen.getByRole('button', { name: 'Copy target id' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Copy actor id' })).toBeTruthy();
});

test('a record that stands for more refusals of the same says in its row how many', async () => {
  const refused: AuditRecord = {
    ...{ ...record, action: 'route.call', target: { kind: 'route', id: 'settings.update' } },
    ...{ outcome: 'refused', code: 'TENANT_FORBIDDEN', data: {} },
  };
  showAudit([
    { ...refused, sequence: 10, data: { repeated: 1 } },
    { ...refused, sequence: 9, data: { repeated: 1029 } },
    { ...refused, sequence: 8 },
  ]);
  const rows = await screen.findAllByRole('button', { name: /route\.call/ });
  expect(rows.map((row) => /(?:once|and [\d,]+) more/.exec(row.textContent ?? '')?.[0])).toEqual([
    'once more',
    'and 1,029 more',
    undefined,
  ]);
});

test('an action is chosen from those there are, or typed', async () => {
  const { asked, at } = showAudit();
  await screen.findByText('Bo Lindqvist');
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Action' });
  expect(field.placeholder).toBe('Any action');
  fireEvent.change(field, { target: { value: 'user.set' } });
  fireEvent.click(await screen.findByRole('option', { name: 'user.set_role', hidden: true }));
  await waitFor(() => expect(asked.at(-1)).toBe('user.set_role'));
  expect(decodeURIComponent(at())).toContain('user.set_role');
  fireEvent.change(field, { target: { value: 'fortigate.' } });
  await waitFor(() => expect(asked.at(-1)).toBe('fortigate.'));
});
