import type { TenantUser } from '@airdeck/contracts/users/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { peopleOfLargeTenant, zoe } from '../../components/people-fixture.ts';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../test-app.tsx';
import { acknowledgedCase, caseList } from './case/case-fixtures.ts';
// Loaded with the file, or the test would wait for it.
import './bulk-dialogs.tsx';

vi.setConfig({ testTimeout: 60_000 });

type Answer = NonNullable<Given['answers']>[string];

function person(number: number, fullname: string, { role = 'Analyst', status = 'active' }: Partial<TenantUser> = {}) {
  const id = `01a1fb94-b561-76ac-8033-00000000000${number}`;
  const uname = `${fullname.split(' ')[0]?.toLowerCase()}@example.com`;
  return { id, fullname, uname, role, status, mfa_enabled: null, last_sign_in_at: null, from_provider: false };
}

async function askWhom(users: Answer, more: Record<string, Answer> = {}) {
  showApp('/air/case-management', {
    answers: {
      [`GET /api/tenants/${ownTenant}/case`]: () => Response.json(caseList([acknowledgedCase])),
      [`GET /api/tenants/${ownTenant}/users`]: users,
      ...more,
    },
  });
  fireEvent.click(await screen.findByRole('checkbox', { name: /^Select CASE-7/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Assign…' }));
  const dialog = within(await screen.findByRole('dialog'));
  const field = dialog.getByRole<HTMLInputElement>('combobox', { name: 'To' });
  field.focus();
  return { dialog, field };
}

test('cases are given to nobody the server would refuse: who only reads, or has not come yet', async () => {
  const people = [
    person(1, 'Tom Reed'),
    person(2, 'Ada Lane', { role: 'Admin' }),
    person(3, 'Rui Moss', { role: 'ReadOnly' }),
    person(4, 'Ivy Dale', { status: 'invited' }),
    person(5, 'Sam Hall', { status: 'disabled' }),
  ];
  await askWhom(() => Response.json(people));
  await screen.findByRole('option', { name: /^Tom Reed/ });
  const offered = within(screen.getByRole('listbox', { name: 'To' })).getAllByRole('option');
  expect(offered.map(({ textContent }) => textContent)).toEqual([
    'Ana Souza (you)',
    'Nobody',
    'Tom Reed (tom@example.com)',
    'Ada Lane (ada@example.com)',
  ]);
});

const enter = { key: 'Enter', code: 'Enter' };

test('a name that was typed is taken with Enter, and never sends the form with whoever stood there before', async () => {
  const { field } = await askWhom(() => Response.json([person(1, 'Tom Reed'), person(2, 'Ada Lane')]));
  await screen.findByRole('option', { name: /^Tom Reed/ });
  fireEvent.change(field, { target: { value: 'nobody of this name' } });
  expect(fireEvent.keyDown(field, enter)).toBe(false);
  fireEvent.change(field, { target: { value: 'tom' } });
  const list = within(screen.getByRole('listbox', { name: 'To' }));
  await waitFor(() => expect(list.getAllByRole('option')).toHaveLength(1));
  expect(fireEvent.keyDown(field, enter)).toBe(false);
  await waitFor(() => expect(field.value).toBe('Tom Reed (tom@example.com)'));
  expect(fireEvent.keyDown(field, enter)).toBe(true);
});

test('cases are given to somebody beyond those one answer holds, who is not looked for again once chosen', async () => {
  const sent: unknown[] = [];
  const searches: (string | null)[] = [];
  const users: Answer = (request) => {
    searches.push(request.url.searchParams.get('q'));
    return peopleOfLargeTenant(request);
  };
  const { dialog, field } = await askWhom(users, {
    [`POST /api/tenants/${ownTenant}/case/bulk`]: ({ body }) => {
      sent.push(body);
      return failure(409, 'CONFLICT');
    },
  });
  await screen.findByRole('option', { name: /^Person 0/ });
  fireEvent.change(field, { target: { value: 'zoe' } });
  fireEvent.click(await screen.findByRole('option', { name: /^Zoe Young/ }));
  await waitFor(() => expect(field.value).toBe(`Zoe Young (${zoe.uname})`));
  fireEvent.click(dialog.getByRole('button', { name: 'Assign' }));
  await waitFor(() => expect(sent).toMatchObject([{ change: { assignee: zoe.uname } }]));
  expect(searches).toEqual([null, 'zoe']);
});
