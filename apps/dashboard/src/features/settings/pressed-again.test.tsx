import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const slow = { timeout: 20_000 };
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }, slow));
const type = async (label: string, value: string) => {
  const [field] = await screen.findAllByLabelText(label, { exact: false }, slow);
  if (field === undefined) throw new Error(`There is no field ${label}.`);
  fireEvent.change(field, { target: { value } });
};

const creations = [
  {
    what: 'an API key',
    at: '/settings/profile',
    route: 'POST /me/api_keys',
    fill: async () => {
      await press('Create key');
      const dialog = await screen.findByRole('dialog', {}, slow);
      fireEvent.change(await within(dialog).findByLabelText('Name'), { target: { value: 'CI runner' } });
    },
    submit: async () => fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Create key' })),
    change: () =>
      fireEvent.change(within(screen.getByRole('dialog')).getByLabelText('Name'), { target: { value: 'Other' } }),
  },
  {
    what: 'an event source',
    at: '/integrations/sources',
    route: `POST /api/${ownTenant}/event/sources/new`,
    fill: async () => {
      await press('Create source');
      await type('Name', 'Branch');
    },
    submit: () => press('Make the source'),
    change: () => type('Name', 'Other'),
  },
];

test.each(creations)(
  '$what whose answer got lost is the same one when the button is pressed again',
  async (creation) => {
    const calls: { key: string | null; body: unknown }[] = [];
    showApp(creation.at, {
      me: userWith({ own: 'Admin' }),
      answers: {
        [`GET /api/${ownTenant}/event/sources`]: () => Response.json([]),
        'GET /me/api_keys': () => Response.json([]),
        [creation.route]: ({ body, headers }) => {
          calls.push({ key: headers.get('idempotency-key'), body });
          return calls.length < 3 ? Promise.reject(new TypeError('Failed to fetch')) : failure(409, 'CONFLICT');
        },
      },
    });
    const pressed = async (times: number) => {
      await creation.submit();
      await waitFor(() => expect(calls).toHaveLength(times), slow);
      await screen.findByRole('alert', {}, slow);
    };
    await creation.fill();
    await pressed(1);
    await pressed(2);
    expect(calls[1]).toEqual(calls[0]);
    await creation.change();
    await pressed(3);
    expect(calls[2]?.key).not.toBe(calls[0]?.key);
    // Refused is an answer: what follows is another attempt.
    await pressed(4);
    expect(calls[3]?.key).not.toBe(calls[2]?.key);
  },
);
