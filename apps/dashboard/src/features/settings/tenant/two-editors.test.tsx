import type { SlaSettings, SlaSettingsInput } from '@airdeck/contracts/cases/sla-settings';
import type { SsoConnection, SsoConnectionChange, TenantSettings } from '@airdeck/contracts/settings/schema';
import type { TenantUser } from '@airdeck/contracts/users/schema';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { caseSettingQueries } from '../../../queries/cases.ts';
import { settingsQueries } from '../../../queries/settings.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './case-times-panel.tsx';
import './sign-in-panel.tsx';
import { overtaken } from '../../../components/overtaken-fixture.ts';
import { tenantSettings as settings } from '../tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const api = `/api/tenants/${ownTenant}`;
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

const none = { respond_minutes: null, resolve_minutes: null };
const first: SlaSettings = {
  targets: { low: none, medium: none, high: none, critical: { respond_minutes: 15, resolve_minutes: 240 } },
  updated_at: '2026-11-02T00:00:00.000Z',
  updated_by: null,
};
/** As a colleague saves it while this person types. */
const theirs: SlaSettings = {
  ...first,
  targets: { ...first.targets, critical: { respond_minutes: 15, resolve_minutes: 480 } },
  updated_at: '2026-11-03T00:00:00.000Z',
};
const later = '2026-11-04T00:00:00.000Z';

function caseTimes() {
  const server = { now: first, isDown: false };
  const sent: SlaSettingsInput[] = [];
  const opened = showApp('/settings/tenant-settings?panel=case-times', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(settings),
      [`GET ${api}/case_sla`]: () => (server.isDown ? failure(400, 'VALIDATION_FAILED') : Response.json(server.now)),
      [`PUT ${api}/case_sla`]: ({ body }) => {
        const input = body as SlaSettingsInput;
        sent.push(input);
        if (input.based_on !== server.now.updated_at) return overtaken('body.based_on', 'Somebody else changed them.');
        server.now = { targets: input.targets, updated_at: later, updated_by: null };
        return Response.json(server.now);
      },
    },
  });
  const readAgain = () => {
    const { api: client, queryClient } = opened.app;
    const { queryKey } = caseSettingQueries.sla({ api: client, tenantId: ownTenant });
    return queryClient.invalidateQueries({ queryKey });
  };
  return { server, sent, readAgain };
}

const field = async (severity: string, label: string) =>
  await within(await screen.findByRole('group', { name: severity })).findByLabelText<HTMLInputElement>(label);
const type = async (severity: string, label: string, value: string) =>
  fireEvent.change(await field(severity, label), { target: { value } });

test('case times read again beneath what is typed are not taken back with it: the server is told what it was based on', async () => {
  const { server, sent, readAgain } = caseTimes();
  await type('High', 'Respond within', '1 h');
  server.now = theirs;
  await readAgain();
  await type('High', 'Respond within', '2 h');
  press('Save changes');
  expect(await screen.findByText(/Somebody else changed them/)).toBeTruthy();
  expect(sent.map(({ based_on }) => based_on)).toEqual([first.updated_at]);
  // Looked elsewhere and came back meanwhile: saving again is refused again.
  await readAgain();
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.based_on).toBe(first.updated_at);
});

test('case times that cannot be read again stay, with what is typed in them', async () => {
  const { server, readAgain } = caseTimes();
  await type('High', 'Respond within', '1 h');
  server.isDown = true;
  await act(async () => {
    await readAgain();
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect((await field('High', 'Respond within')).value).toBe('1 h');
});

test('loaded again after a colleague was faster, both changes are kept', async () => {
  const { server, sent } = caseTimes();
  await type('High', 'Respond within', '1 h');
  server.now = theirs;
  press('Save changes');
  fireEvent.click(await screen.findByRole('button', { name: 'Load it again, keep what I typed' }));
  await waitFor(() => expect(screen.queryByText(/Somebody else changed them/)).toBeNull());
  expect((await field('High', 'Respond within')).value).toBe('1 h');
  expect((await field('Critical', 'Close within')).value).toBe('8 h');
  press('Save changes');
  await waitFor(() => expect(server.now.updated_at).toBe(later));
  expect(sent.at(-1)?.targets).toEqual({ ...theirs.targets, high: { respond_minutes: 60, resolve_minutes: null } });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull());
});

test('loaded again, it says who saved what saving now replaces, and the focus is there', async () => {
  const { server } = caseTimes();
  await type('Critical', 'Close within', '6 h');
  await type('Critical', 'Respond within', '30 min');
  server.now = { ...theirs, updated_by: 'marcus.bell@northwind.example' };
  press('Save changes');
  const again = await screen.findByRole('button', { name: 'Load it again, keep what I typed' });
  again.focus();
  fireEvent.click(again);
  const note = await screen.findByText(/Marcus Bell saved meanwhile/);
  expect(
    within(note)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Critical, Close within 8 h']);
  await waitFor(() => expect(document.activeElement).toBe(note));
  await type('Critical', 'Close within', '8 h');
  expect(screen.getByText('Loaded again. Saving replaces nothing that others changed.')).toBeTruthy();
  press('Save changes');
  await waitFor(() => expect(screen.queryByRole('note')).toBeNull());
});

test('what is typed while case times are being saved is the next change, based on what was saved', async () => {
  const { server, sent } = caseTimes();
  await type('High', 'Respond within', '1 h');
  press('Save changes');
  await type('High', 'Close within', '1 d');
  await waitFor(() => expect(server.now.updated_at).toBe(later));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save changes' }).dataset.loading).toBeUndefined());
  expect((await field('High', 'Close within')).value).toBe('1 d');
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({
    targets: { ...first.targets, high: { respond_minutes: 60, resolve_minutes: 1440 } },
    based_on: later,
  });
});

const ana: TenantUser = {
  id: '01920000-0000-7000-8000-000000000001',
  fullname: 'Ana Souza',
  uname: 'ana.souza@northwind.example',
  role: 'Admin',
  status: 'active',
  mfa_enabled: true,
  last_sign_in_at: null,
  from_provider: false,
};

test('a break-glass account a colleague names meanwhile stays when only the switch is changed', async () => {
  let now = settings;
  const sent: unknown[] = [];
  const { app } = showApp('/settings/tenant-settings?panel=sign-in', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(now),
      [`GET ${api}/users`]: () => Response.json([ana]),
      [`PATCH ${api}/settings`]: ({ body }) => {
        sent.push(body);
        const { sign_in } = body as Partial<TenantSettings>;
        return Response.json({ ...now, sign_in: { ...now.sign_in, ...sign_in } });
      },
    },
  });
  fireEvent.click(
    await screen.findByRole('switch', { name: 'People of this tenant sign in through single sign-on only' }),
  );
  now = { ...settings, sign_in: { sso_required: false, break_glass: [ana.uname] } };
  const { queryKey } = settingsQueries.get({ api: app.api, tenantId: ownTenant });
  await app.queryClient.invalidateQueries({ queryKey });
  expect(await screen.findByText(/Ana Souza/, { selector: '.mantine-Pill-label' })).toBeTruthy();
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toEqual([{ sign_in: { sso_required: true } }]);
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull());
});

const opened: SsoConnection = {
  id: '01920000-0000-7000-8000-0000000000d1',
  kind: 'oidc',
  label: 'Our ID',
  issuer: 'https://id.example.com',
  client_id: 'air',
  client_secret_set_at: '2026-11-01T00:00:00.000Z',
  domains: ['example.com'],
  join: {
    enabled: true,
    default_role: 'ReadOnly',
    groups_claim: 'groups',
    group_roles: [{ group: 'owners', role: 'Admin' }],
  },
  enabled: true,
  redirect_uri: 'https://air.example/auth/external/callback',
  updated_at: '2026-11-02T00:00:00.000Z',
};

/** The form of a connection, and how the server answers when it is saved. */
async function openedConnection(
  connection: { now: SsoConnection },
  answer: (change: SsoConnectionChange) => Response,
): Promise<void> {
  showApp('/settings/tenant-settings?panel=sign-in', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(settings),
      [`GET ${api}/users`]: () => Response.json([ana]),
      [`GET ${api}/settings/sso`]: () => Response.json([connection.now]),
      [`GET ${api}/settings/sso_domains`]: () => Response.json([]),
      [`PUT ${api}/settings/sso/${opened.id}`]: ({ body }) => answer(body as SsoConnectionChange),
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Our ID' }));
}

test('a group that a colleague takes from a connection does not come back with another name of it', async () => {
  const sent: SsoConnectionChange[] = [];
  const connection = { now: opened };
  await openedConnection(connection, (change) => {
    sent.push(change);
    if (change.updated_at !== connection.now.updated_at)
      return overtaken('body.updated_at', 'Somebody else changed it.');
    connection.now = { ...connection.now, label: change.label, join: change.join, updated_at: later };
    return Response.json(connection.now);
  });
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Renamed' } });
  const theirs = { ...opened, join: { ...opened.join, group_roles: [] }, updated_at: '2026-11-03T00:00:00.000Z' };
  connection.now = theirs;
  press('Save connection');
  fireEvent.click(await screen.findByRole('button', { name: 'Load it again, keep what I typed' }));
  await waitFor(() => expect(screen.queryByText('Somebody else changed it.')).toBeNull());
  press('Save connection');
  await waitFor(() => expect(connection.now.updated_at).toBe(later));
  expect(connection.now).toMatchObject({ label: 'Renamed', join: { group_roles: [] } });
  expect(sent.map(({ updated_at }) => updated_at)).toEqual([opened.updated_at, theirs.updated_at]);
});

test('the only way in that cannot be switched off is not said to go away by loading the connection again', async () => {
  await openedConnection({ now: opened }, () => failure(409, 'CONFLICT', 'This is the last connection.'));
  fireEvent.click(await screen.findByRole('switch', { name: /^Enabled/ }));
  press('Save connection');
  expect(await screen.findByText('This is the last connection.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Load it again, keep what I typed' })).toBeNull();
});
