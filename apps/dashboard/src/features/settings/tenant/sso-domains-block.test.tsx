import type { SsoConnection, SsoDomain } from '@airdeck/contracts/settings/schema';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test that opens one would wait for it.
import './sign-in-panel.tsx';

vi.setConfig({ testTimeout: 30_000 });
const path = '/settings/tenant-settings?panel=sign-in';
const api = `/api/tenants/${ownTenant}`;
const record = { name: '_airdeck-challenge.harbour.example', value: 'airdeck-verify=token' };

const connection: SsoConnection = {
  ...{ id: '01920000-0000-7000-8000-0000000000c1', kind: 'oidc', label: 'Harbour ID', issuer: 'https://id.example' },
  ...{ client_id: 'airdeck', client_secret_set_at: null, domains: ['harbour.example'], enabled: true },
  join: { enabled: false, default_role: null, groups_claim: 'groups', group_roles: [] },
  ...{ redirect_uri: 'https://air.example/auth/external/callback', updated_at: '2026-11-01T00:00:00.000Z' },
};
const settings = {
  ...{ name: 'Northwind Traders', brand: { display_name: '', colour: null, logo: null } },
  ...{ mfa: { required_for_social: false }, sign_in: { sso_required: false, break_glass: [] } },
  retention: { days: 90, plan_days: 90, search_days: 30 },
  automation: { enabled: true, changed_by: null, changed_at: null },
  approvals: { two_people: false },
  ...{ is_provider: false, updated_at: '2026-11-01T00:00:00.000Z' },
};

/** The panel over a server that has these connections, and finds the record at that look (never: undefined). */
function show({
  connections = [connection],
  foundAt,
  missing = null,
}: {
  connections?: SsoConnection[];
  foundAt?: number;
  missing?: SsoDomain['missing'];
}) {
  let looks = 0;
  const domain = (): SsoDomain => {
    const isProved = foundAt !== undefined && looks >= foundAt;
    const checked_at = looks === 0 ? null : '2026-11-21T10:00:00.000Z';
    const proved_at = missing === null ? (isProved ? checked_at : null) : '2026-11-01T10:00:00.000Z';
    return { domain: 'harbour.example', record, checked_at, proved_at, missing: isProved ? null : missing };
  };
  showApp(path, {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(settings),
      [`GET ${api}/users`]: () => Response.json([]),
      [`GET ${api}/settings/sso`]: () => Response.json(connections),
      [`GET ${api}/settings/sso_domains`]: () => Response.json([domain()]),
      [`POST ${api}/settings/sso_domains/check`]: () => {
        looks++;
        const ok = domain().proved_at !== null;
        return Response.json({
          ok: ok && domain().missing === null,
          message: ok ? 'The domain is yours.' : 'The record was not found.',
          domain: domain(),
        });
      },
    },
  });
}

test('a domain shows the record to set until it is found, and then that it is proved', async () => {
  show({ foundAt: 2 });
  expect(await screen.findByText('Not proved')).toBeTruthy();
  expect(screen.getByText(record.name)).toBeTruthy();
  expect(screen.getByText(record.value)).toBeTruthy();
  expect(screen.getAllByRole('button', { name: /^Copy (name|value) of the record for harbour.example$/ })).toHaveLength(
    2,
  );
  const check = screen.getByRole('button', { name: 'Check harbour.example now' });
  fireEvent.click(check);
  expect(await screen.findByText('The record was not found.')).toBeTruthy();
  expect(screen.getByText('Not proved')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Check harbour.example now' }));
  expect(await screen.findByText('Proved')).toBeTruthy();
  expect(screen.queryByText(record.value)).toBeNull();
});

test('a proved domain whose record is gone says until when it counts, and is in order once the record is found', async () => {
  show({ foundAt: 1, missing: { since: '2026-11-18T10:00:00.000Z', counts_until: '2026-11-25T10:00:00.000Z' } });
  expect(await screen.findByText('Record gone')).toBeTruthy();
  expect(screen.getByText(/or the proof ends/)).toBeTruthy();
  expect(screen.getByText(record.value)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Check harbour.example now' }));
  expect(await screen.findByText('Proved')).toBeTruthy();
  expect(screen.queryByText('Record gone')).toBeNull();
});

test('without domains there is nothing to prove', async () => {
  show({ connections: [{ ...connection, domains: [] }] });
  expect(await screen.findByText('Harbour ID')).toBeTruthy();
  expect(screen.queryByText('E-mail domains')).toBeNull();
});
