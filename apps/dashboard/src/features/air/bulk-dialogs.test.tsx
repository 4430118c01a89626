import type { TenantUser } from '@airdeck/contracts/users/schema';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the test would wait for it.
import './bulk-dialogs.tsx';

vi.setConfig({ testTimeout: 60_000 });

function person(number: number, fullname: string, { role = 'Analyst', status = 'active' }: Partial<TenantUser> = {}) {
  const id = `01a1fb94-b561-76ac-8033-00000000000${number}`;
  const uname = `${fullname.split(' ')[0]?.toLowerCase()}@example.com`;
  return { id, fullname, uname, role, status, mfa_enabled: null, last_sign_in_at: null, from_provider: false };
}

test('cases are given to nobody the server would refuse: who only reads, or has not come yet', async () => {
  const people = [
    person(1, 'Tom Reed'),
    person(2, 'Ada Lane', { role: 'Admin' }),
    person(3, 'Rui Moss', { role: 'ReadOnly' }),
    person(4, 'Ivy Dale', { status: 'invited' }),
    person(5, 'Sam Hall', { status: 'disabled' }),
  ];
  showApp('/air/case-management', {
    answers: {
      [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase])),
      [`GET /api/tenants/${ownTenant}/users`]: () => Response.json(people),
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Assign…' }));
  const to = within(await screen.findByRole('dialog')).getByLabelText('To');
  await within(to).findByRole('option', { name: /^Tom Reed/ });
  const offered = within(to).getAllByRole('option');
  expect(offered.slice(1).map(({ textContent }) => textContent)).toEqual([
    'Tom Reed · tom@example.com',
    'Ada Lane · ada@example.com',
    'Nobody',
  ]);
});
