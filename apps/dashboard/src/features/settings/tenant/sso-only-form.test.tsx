import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { peopleOfLargeTenant, zoe } from '../../../components/people-fixture.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
import { tenantSettings } from '../tenant-settings-fixture.ts';
// Loaded with the file, or the test would wait for it.
import './sign-in-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;

test('an Admin beyond those one answer holds can be a break-glass account', async () => {
  const sent: unknown[] = [];
  showApp('/settings/tenant-settings?panel=sign-in', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(tenantSettings),
      [`GET ${api}/users`]: peopleOfLargeTenant,
      [`PATCH ${api}/settings`]: ({ body }) => {
        sent.push(body);
        return failure(409, 'CONFLICT');
      },
    },
  });
  const accounts = await screen.findByRole('combobox', { name: 'Break-glass accounts' });
  fireEvent.click(accounts);
  fireEvent.change(accounts, { target: { value: 'zoe' } });
  fireEvent.click(await screen.findByRole('option', { name: /^Zoe Young/ }));
  fireEvent.click(await screen.findByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(sent).toEqual([{ sign_in: { break_glass: [zoe.uname] } }]));
});
