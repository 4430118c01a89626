import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { tenantSettings } from './tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const me = userWith({ own: 'Admin' });
const api = `/api/tenants/${ownTenant}`;
const QUESTION = 'Leave without saving?';

const forms = [
  {
    what: 'the profile',
    at: '/settings/profile',
    field: 'Name',
    value: 'Ana',
    route: 'PATCH /me',
    saved: { ...me, user: { ...me.user, fullname: 'Ana' } },
  },
  {
    what: 'the name of the tenant',
    at: '/settings/tenant-settings?panel=details',
    field: 'Name of the tenant',
    value: 'Contoso',
    route: `PATCH ${api}/settings`,
    saved: { ...tenantSettings, name: 'Contoso' },
  },
  {
    what: 'the retention',
    at: '/settings/tenant-settings?panel=retention',
    field: 'Keep events for',
    value: '60',
    route: `PATCH ${api}/settings`,
    saved: { ...tenantSettings, retention: { ...tenantSettings.retention, days: 60 } },
  },
  {
    what: 'the brand',
    at: '/settings/tenant-settings?panel=brand',
    field: 'Display name',
    value: 'Contoso',
    route: `PATCH ${api}/settings`,
    saved: { ...tenantSettings, brand: { ...tenantSettings.brand, display_name: 'Contoso' } },
  },
] as const;

async function saving(form: (typeof forms)[number]) {
  let answer: (response: Response) => void = () => undefined;
  const { router, at } = showApp(form.at, {
    me,
    answers: {
      [`GET ${api}/settings`]: () => Response.json(tenantSettings),
      'GET /me/sessions': () => Response.json([]),
      [form.route]: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    },
  });
  const [field] = await screen.findAllByLabelText<HTMLInputElement>(form.field);
  if (field === undefined) throw new Error(`There is no field ${form.field}.`);
  fireEvent.change(field, { target: { value: form.value } });
  const save = await screen.findByRole('button', { name: /^Save/ });
  fireEvent.click(save);
  await waitFor(() => expect(save.hasAttribute('data-loading')).toBe(true));
  return { at, leave: () => void router.navigate({ to: '/home' }), answer: (with_: Response) => answer(with_) };
}

test.each(forms)('$what is not left unasked while it is being saved: a failure would be told nowhere', async (form) => {
  const { leave, answer } = await saving(form);
  leave();
  expect(await screen.findByText(QUESTION)).toBeTruthy();
  answer(failure(500, 'INTERNAL', 'It broke.'));
  fireEvent.click(screen.getByText('Stay', { selector: 'button *' }));
  expect(await screen.findAllByText(/It broke|went wrong|req-9/)).not.toEqual([]);
});

test.each(forms)('once $what is saved, nothing is asked', async (form) => {
  const { at, leave, answer } = await saving(form);
  answer(Response.json(form.saved));
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Save changes/ })).toBeNull());
  leave();
  await waitFor(() => expect(at()).toContain('/home'));
  expect(screen.queryByText(QUESTION)).toBeNull();
});
