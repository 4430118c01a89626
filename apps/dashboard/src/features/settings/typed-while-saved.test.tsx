import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';
import { tenantSettings } from './tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const me = userWith({ own: 'Admin' });
const named = (fullname: string) => ({ ...me, user: { ...me.user, fullname } });
const api = `/api/tenants/${ownTenant}`;

test.each([
  {
    what: 'the profile',
    at: '/settings/profile',
    field: 'Name',
    route: 'PATCH /me',
    saved: (name: string) => named(name),
  },
  {
    what: 'the name of the tenant',
    at: '/settings/tenant-settings?panel=details',
    field: 'Name of the tenant',
    route: `PATCH ${api}/settings`,
    saved: (name: string) => ({ ...tenantSettings, name }),
  },
])('what is typed into $what while it is being saved stays, as the next change', async (given) => {
  let answer: () => void = () => undefined;
  showApp(given.at, {
    me,
    answers: {
      [`GET ${api}/settings`]: () => Response.json(tenantSettings),
      'GET /me/sessions': () => Response.json([]),
      [given.route]: () =>
        new Promise((resolve) => {
          answer = () => resolve(Response.json(given.saved('First')));
        }),
    },
  });
  const [field] = await screen.findAllByLabelText<HTMLInputElement>(given.field);
  if (field === undefined) throw new Error(`There is no field ${given.field}.`);
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  type('First');
  const save = await screen.findByRole('button', { name: /^Save/ });
  fireEvent.click(save);
  await waitFor(() => expect(save.hasAttribute('data-loading')).toBe(true));
  type('First and second');
  answer();
  await waitFor(() => expect(save.hasAttribute('data-loading')).toBe(false));
  expect(field.value).toBe('First and second');
  expect(screen.getByRole('button', { name: /^Save/ })).toBeTruthy();
});
