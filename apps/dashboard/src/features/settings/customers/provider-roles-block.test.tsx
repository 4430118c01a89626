import type { ProviderRole } from '@airdeck/contracts/customers/schema';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { peopleOfLargeTenant, zoe } from '../../../components/people-fixture.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { tenantSettings } from '../tenant-settings-fixture.ts';
// Loaded with the file, or the test would wait for it.
import './customers-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/customers`;

test('somebody beyond those one answer holds is given a role in all customers, and not offered again', async () => {
  let given: ProviderRole[] = [];
  showApp('/settings/tenant-settings?panel=customers', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET /api/tenants/${ownTenant}/settings`]: () => Response.json({ ...tenantSettings, is_provider: true }),
      [`GET /api/tenants/${ownTenant}/users`]: peopleOfLargeTenant,
      [`GET ${path}`]: () => Response.json([]),
      [`GET ${path}/roles`]: () => Response.json(given),
      [`PUT ${path}/roles`]: ({ body }) => {
        given = [{ ...(body as Pick<ProviderRole, 'username' | 'role'>), fullname: zoe.fullname }];
        return Response.json(given);
      },
    },
  });
  const person = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Person' });
  person.focus();
  await screen.findByRole('option', { name: /^Person 0/ });
  fireEvent.change(person, { target: { value: 'zoe' } });
  fireEvent.click(await screen.findByRole('option', { name: /^Zoe Young/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Give role…' }));
  await screen.findByLabelText('Role of Zoe Young in all customers');
  await vi.waitFor(() => expect(person.value).toBe(''));
  fireEvent.change(person, { target: { value: 'zoe' } });
  expect(await screen.findByText('Nobody of this tenant without a role already.')).toBeTruthy();
});
