import type { Customer } from '@airdeck/contracts/customers/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { overtaken } from '../../../components/overtaken-fixture.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
import { tenantSettings } from '../tenant-settings-fixture.ts';
import './customers-panel.tsx';

vi.setConfig({ testTimeout: 60_000 });
const customer: Customer = {
  id: '01920000-0000-7000-8000-0000000000c1',
  name: 'Bakery',
  sku_info: {
    sku_name: 'Small',
    is_mdr_enabled: false,
    is_search_enabled: true,
    retention_length_days: 90,
    search_length_days: 30,
  },
  created_at: '2026-11-01T00:00:00.000Z',
  users: 1,
  invited: 0,
};
/** As a colleague saves it while this person types. */
const theirs: Customer = { ...customer, sku_info: { ...customer.sku_info, is_mdr_enabled: true } };
const path = `/api/tenants/${ownTenant}/customers`;

async function opened() {
  const server = { now: customer };
  const sent: { replaces?: unknown }[] = [];
  showApp('/settings/tenant-settings?panel=customers', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET /api/tenants/${ownTenant}/settings`]: () => Response.json({ ...tenantSettings, is_provider: true }),
      [`GET /api/tenants/${ownTenant}/users`]: () => Response.json([]),
      [`GET ${path}`]: () => Response.json([server.now]),
      [`GET ${path}/roles`]: () => Response.json([]),
      [`PATCH ${path}/${customer.id}`]: ({ body }) => {
        const { replaces, ...change } = body as { name?: string; replaces?: unknown };
        sent.push(body as object);
        const isStale = replaces !== undefined && JSON.stringify(replaces) !== JSON.stringify(server.now.sku_info);
        if (isStale) return overtaken('body.replaces', 'Somebody else changed this plan.');
        if (change.name === 'Mill') return failure(409, 'CONFLICT', 'You already manage a tenant named Mill.');
        server.now = { ...server.now, ...change };
        return Response.json(server.now);
      },
    },
  });
  fireEvent.click(await screen.findByText('Bakery'));
  const type = async (label: string, value: string) =>
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
  return { server, sent, type, press };
}

test('another name leaves the plan out, which a colleague may have changed meanwhile', async () => {
  const { server, sent, type, press } = await opened();
  await type('Name', 'Bakery and Café');
  server.now = theirs;
  press('Save customer');
  await waitFor(() => expect(sent).toEqual([{ name: 'Bakery and Café' }]));
});

test('a plan says what it was made from; loaded again, both changes are kept', async () => {
  const { server, sent, type, press } = await opened();
  await type('Days events are kept', '365');
  server.now = theirs;
  press('Save customer');
  fireEvent.click(await screen.findByRole('button', { name: 'Load it again, keep what I typed' }));
  await waitFor(() => expect(screen.queryByText('Somebody else changed this plan.')).toBeNull());
  press('Save customer');
  const plan = { ...theirs.sku_info, retention_length_days: 365 };
  await waitFor(() => expect(server.now.sku_info).toEqual(plan));
  expect(sent).toEqual([
    { sku_info: { ...customer.sku_info, retention_length_days: 365 }, replaces: customer.sku_info },
    { sku_info: plan, replaces: theirs.sku_info },
  ]);
});

test('a name that is taken is not said to go away by loading the customer again', async () => {
  const { type, press } = await opened();
  await type('Name', 'Mill');
  press('Save customer');
  expect(await screen.findByText('You already manage a tenant named Mill.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Load it again, keep what I typed' })).toBeNull();
});

test('a customer whose answer got lost is looked for in the list, which the form does not wait for', async () => {
  const { state } = showApp('/settings/tenant-settings?panel=customers', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET /api/tenants/${ownTenant}/settings`]: () => Response.json({ ...tenantSettings, is_provider: true }),
      [`GET ${path}`]: () =>
        state.asked.includes(`POST ${path}`) ? new Promise<Response>(() => undefined) : Response.json([]),
      [`GET ${path}/roles`]: () => Response.json([]),
      [`POST ${path}`]: () => Promise.reject(new TypeError('Failed to fetch')),
    },
  });
  const [open] = await screen.findAllByRole('button', { name: 'Create customer' });
  if (open !== undefined) fireEvent.click(open);
  for (const [label, value] of [
    ['Name', 'Mill'],
    ['Plan', 'Small'],
    ['Name of the Admin', 'Ana Souza'],
    ['E-mail address', 'ana@example.com'],
  ] as const) {
    fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  }
  const asked = () => state.asked.filter((each) => each === `GET ${path}`).length;
  const before = asked();
  fireEvent.submit(screen.getByLabelText('Plan'));
  await screen.findByRole('alert');
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
});
