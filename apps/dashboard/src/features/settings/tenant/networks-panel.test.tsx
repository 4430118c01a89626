import type { OwnNetworks } from '@airdeck/contracts/own-networks/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './networks-panel.tsx';
import { tenantSettings as settings } from '../tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const GET = `GET ${api}/settings/own_networks`;
const PUT = `PUT ${api}/settings/own_networks`;

const first: OwnNetworks = {
  networks: [
    { network: '10.1.2.0/24', note: 'Firewalls', in_force: true },
    { network: '192.168.0.0/16', note: '', in_force: false },
  ],
  permitted: ['10.0.0.0/8'],
  updated_at: '2026-11-02T00:00:00.000Z',
};
const second = '2026-11-03T00:00:00.000Z';

type Change = Pick<OwnNetworks, 'networks'> & { replaces: string | null };

function networks(of: OwnNetworks, put?: (body: Change) => Response) {
  let now = of;
  const bodies: unknown[] = [];
  const app = showApp('/settings/tenant-settings?panel=networks', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(settings),
      [`GET ${api}/users`]: () => Response.json([]),
      [GET]: () => Response.json(now),
      [PUT]: ({ body }) => {
        bodies.push(body);
        if (put !== undefined) return put(body as Change);
        const list = (body as Change).networks.map((each) => ({ ...each, in_force: true }));
        now = { ...now, networks: list, updated_at: second };
        return Response.json(now);
      },
    },
  });
  return { ...app, bodies };
}
const block = async () => within(await screen.findByRole('region', { name: 'Own networks' }));
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test('where the operator opens nothing it says so, and offers nothing to fill in', async () => {
  networks({ networks: [], permitted: [], updated_at: null });
  expect(await (await block()).findByText('No network can be named here')).toBeTruthy();
  expect(screen.getByText(/TENANT_NETWORKS/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Add network' })).toBeNull();
});

test('a network is added to the list that was seen, and what is closed is told apart', async () => {
  const { bodies } = networks(first);
  expect(await (await block()).findByText('Not in force')).toBeTruthy();
  press('Add network');
  expect(await screen.findByText('Enter a network, such as 10.1.2.0/24.')).toBeTruthy();
  type('Network', 'office');
  press('Add network');
  expect(await screen.findByText('An address or a network such as 10.1.2.0/24.')).toBeTruthy();
  expect(bodies).toEqual([]);
  type('Network', ' 10.9.0.0/16 ');
  type('Note', 'Log servers');
  press('Add network');
  expect(await screen.findByText('10.9.0.0/16')).toBeTruthy();
  expect(bodies).toEqual([
    {
      networks: [
        { network: '10.1.2.0/24', note: 'Firewalls' },
        { network: '192.168.0.0/16', note: '' },
        { network: '10.9.0.0/16', note: 'Log servers' },
      ],
      replaces: first.updated_at,
    },
  ]);
  await waitFor(() => expect((screen.getByLabelText('Network') as HTMLInputElement).value).toBe(''));
});

test('what the server refuses stands at the field, with what was typed', async () => {
  networks(first, () =>
    Response.json(
      {
        message: 'No.',
        code: 'VALIDATION_FAILED',
        request_id: 'r',
        details: [{ path: 'body.networks.2.network', message: 'The operator has opened only 10.0.0.0/8.' }],
      },
      { status: 400 },
    ),
  );
  await (await block()).findByText('10.1.2.0/24');
  type('Network', '172.16.0.0/12');
  press('Add network');
  expect(await screen.findByText('The operator has opened only 10.0.0.0/8.')).toBeTruthy();
  expect((screen.getByLabelText('Network') as HTMLInputElement).value).toBe('172.16.0.0/12');
});

test('one is removed after a question; somebody who was faster is not written over', async () => {
  let tries = 0;
  const { bodies } = networks(first, () => {
    tries += 1;
    if (tries === 1) return failure(409, 'CONFLICT', 'Somebody else has changed the list.');
    return Response.json({ ...first, networks: first.networks.slice(1), updated_at: second });
  });
  await (await block()).findByText('10.1.2.0/24');
  press('Remove 10.1.2.0/24');
  const question = within(await screen.findByRole('dialog', { name: 'Remove 10.1.2.0/24?' }));
  fireEvent.click(question.getByRole('button', { name: 'Remove network' }));
  expect(await question.findByText(/Somebody else has changed the list/)).toBeTruthy();
  fireEvent.click(question.getByRole('button', { name: 'Remove network' }));
  await waitFor(() => expect(screen.queryByText('10.1.2.0/24')).toBeNull());
  expect(bodies).toHaveLength(2);
});
