import type { TenantUser } from '@airdeck/contracts/users/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { peopleOfLargeTenant, zoe } from '../../../components/people-fixture.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../../test-app.tsx';
// Loaded with the file, or the first test that opens one would wait for it.
import './automation-panel.tsx';
import './brand-panel.tsx';
import './details-panel.tsx';
import './retention-panel.tsx';
import '../../../components/confirmation/confirmation-dialog.tsx';
import { tenantSettings as settings } from '../tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 30_000 });
const path = '/settings/tenant-settings';
const api = `/api/tenants/${ownTenant}`;

const user = (number: number, change: Partial<TenantUser> = {}): TenantUser => ({
  id: `01920000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  fullname: `Person ${number}`,
  uname: `person.${number}@northwind.example`,
  role: 'Analyst',
  status: 'active',
  mfa_enabled: true,
  last_sign_in_at: null,
  from_provider: false,
  ...change,
});
const me = user(1, { fullname: 'Ana Souza', uname: 'ana.souza@northwind.example', role: 'Admin' });

type Answers = NonNullable<Given['answers']>;

const providerId = '01920000-0000-7000-8000-0000000000ee';

function given(
  more: Answers = {},
  { users = [me, user(2)], now = settings, manager = null as { id: string; name: string } | null } = {},
): Given {
  const tenant = {
    id: ownTenant,
    name: now.name,
    managed_by: manager?.id ?? null,
    managed_by_name: manager?.name ?? null,
    sku_info: userWith().tenants[ownTenant]?.sku_info,
    is_provider: now.is_provider,
    brand: now.brand,
    automation_enabled: now.automation.enabled,
    is_fenced: false,
  };
  return {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(now),
      [`GET ${api}/users`]: () => Response.json(users),
      [`GET ${api}`]: () => Response.json(tenant),
      ...more,
    },
  };
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

test.each(['SystemManager', 'Analyst', 'ReadOnly'] as const)('%s is sent away', async (own) => {
  expect((await visit(path, { ...given(), me: userWith({ own }) })).at).toBe('/unauthorized');
});

test('customers are no part of the settings of a tenant that manages none, also by address', async () => {
  showApp(`${path}?panel=customers`, given());
  await screen.findByText('Person 2');
  const tabs = within(screen.getByRole('navigation', { name: 'Tenant settings' }));
  expect(tabs.queryByRole('link', { name: 'Customers' })).toBeNull();
  expect(tabs.getByRole('link', { name: 'Users' }).getAttribute('aria-current')).toBe('page');
});

test('the parts stand below their screen in the list of settings, and are gone on the others', async () => {
  showApp(path, given());
  await screen.findByText('Person 2');
  const list = within(screen.getByRole('navigation', { name: 'Settings' }));
  const parts = list.getByRole('navigation', { name: 'Tenant settings' });
  expect(within(parts).getAllByRole('link')).toHaveLength(11);
  fireEvent.click(within(parts).getByRole('link', { name: 'Details' }));
  await waitFor(() => expect(list.getByRole('link', { name: 'Details' }).getAttribute('aria-current')).toBe('page'));
  fireEvent.click(list.getByRole('link', { name: 'Profile' }));
  await waitFor(() => expect(screen.queryByRole('navigation', { name: 'Tenant settings' })).toBeNull());
});

test('a thousand users are drawn a page at a time', async () => {
  const users = [me, ...Array.from({ length: 999 }, (_, index) => user(index + 2))];
  showApp(`${path}?page=20`, given({}, { users }));
  await screen.findByText('Person 1000');
  expect(screen.getAllByRole('row')).toHaveLength(51);
  expect(screen.getByText(/951–1000 of the first 1,000 users/)).toBeTruthy();
});

test('somebody beyond those one answer holds is searched for and can be disabled', async () => {
  showApp(`${path}?q=zoe`, given({ [`GET ${api}/users`]: peopleOfLargeTenant }));
  fireEvent.click(await screen.findByText(zoe.fullname, { selector: 'td *' }));
  expect(await screen.findByText(/^1 user/)).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Disable…' })).toBeTruthy();
});

test('of somebody whom neither the first users nor the search hold is not said that they are gone', async () => {
  showApp(`${path}?user=${zoe.id}`, given({ [`GET ${api}/users`]: peopleOfLargeTenant }));
  expect(await screen.findByText(/^Not among the users found/)).toBeTruthy();
});

test('whether somebody has an authenticator is said as a state, not as something to do', async () => {
  showApp(path, given({}, { users: [me, user(2, { mfa_enabled: false })] }));
  const stateOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));
  await screen.findByText('Person 2');
  expect(stateOf('Ana Souza').getByText('On').querySelector('svg')).toBeTruthy();
  expect(stateOf('Person 2').getByText('Off').querySelector('svg')).toBeTruthy();
  expect(screen.queryByText('Set up')).toBeNull();
});

test('the tenant that manages this one is named, also for those who do not work in it', async () => {
  showApp(`${path}?panel=details`, given({}, { manager: { id: providerId, name: 'Watchtower' } }));
  expect(await screen.findByText('Watchtower')).toBeTruthy();
  expect(screen.queryByText(providerId)).toBeNull();
});

test('disabled users show when asked for, and the address says so', async () => {
  const { at } = showApp(path, given({}, { users: [me, user(2, { status: 'disabled' })] }));
  await screen.findByText('Ana Souza', { selector: 'span' });
  expect(screen.queryByText('Person 2')).toBeNull();
  fireEvent.click(screen.getByRole('switch', { name: 'Show disabled (1)' }));
  await screen.findByText('Person 2');
  expect(at()).toContain('disabled=true');
});

test('a taken address stays beside its field, and nothing typed is lost', async () => {
  showApp(path, given({ [`PUT ${api}/users`]: () => failure(409, 'EMAIL_TAKEN', 'Already a member.') }));
  await screen.findByText('Person 2');
  press('Invite user');
  fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Bo' } });
  fireEvent.change(screen.getByLabelText('E-mail address'), { target: { value: 'bo@northwind.example' } });
  press('Send invitation');
  await screen.findByText('Already a member.');
  expect((screen.getByLabelText('Name') as HTMLInputElement).value).toBe('Bo');
});

test('days above the plan are not sent', async () => {
  const { state } = showApp(`${path}?panel=retention`, given());
  fireEvent.change(await screen.findByLabelText('Keep events for'), { target: { value: '91' } });
  press('Save changes');
  await screen.findByText('The plan keeps events for 90 days at most.');
  expect(state.asked).not.toContain(`PATCH ${api}/settings`);
});

test('another part of the screen is not opened over unsaved changes unasked', async () => {
  const { at } = showApp(`${path}?panel=details`, given());
  fireEvent.change(await screen.findByLabelText('Name of the tenant'), { target: { value: 'Northwind' } });
  fireEvent.click(screen.getByRole('link', { name: 'Retention' }));
  await screen.findByText('Leave without saving?');
  press('Leave');
  await waitFor(() => expect(at()).toContain('panel=retention'));
});

test('the kill switch asks first, sends only itself, and says so above every screen', async () => {
  let now = settings;
  const sent: unknown[] = [];
  const off = { enabled: false, changed_by: 'ana.souza@northwind.example', changed_at: '2026-11-21T10:00:00.000Z' };
  const answers = given({
    [`GET ${api}`]: () =>
      Response.json({ ...settings, brand: settings.brand, automation_enabled: now.automation.enabled }),
    [`PATCH ${api}/settings`]: ({ body }) => {
      sent.push(body);
      now = { ...settings, automation: off };
      return Response.json(now);
    },
  });
  showApp(`${path}?panel=automation`, answers);
  fireEvent.click(await screen.findByRole('button', { name: 'Switch off…' }));
  expect(sent).toEqual([]);
  fireEvent.click(await screen.findByRole('button', { name: 'Switch automation off' }));
  await screen.findByText(/^Automation is off: cases/);
  expect(sent).toEqual([{ automation: { enabled: false } }]);
});

test.each([
  ['of the provider is told how', true, 'npm exec airdeck -- restore --lift-fence'],
  ['of a customer is told who can', false, null],
])('an Admin %s a restored installation acts again', async (_who, isProvider, command) => {
  const { sku_info } = userWith().tenants[ownTenant] ?? {};
  const restored = { ...settings, sku_info, is_provider: isProvider, automation_enabled: false, is_fenced: true };
  showApp(`${path}?panel=details`, given({ [`GET ${api}`]: () => Response.json(restored) }));
  const banner = await screen.findByText(/^Restored from a backup: nothing is sent/);
  expect(banner.closest('[role=status]')?.querySelector('code')?.textContent ?? null).toBe(command);
  expect(screen.queryByText(/^Automation is off: cases/)).toBeNull();
});

test.each([
  ['suspended', 'The Azure subscription is suspended'],
  ['ended', 'The Azure subscription has ended'],
])(
  'an Admin whose subscription is %s is sent to Azure, not to a switch that is refused',
  async (subscription, words) => {
    const { sku_info } = userWith().tenants[ownTenant] ?? {};
    const unpaid = {
      ...settings,
      sku_info,
      automation_enabled: false,
      is_fenced: false,
      managed_by: null,
      subscription,
    };
    showApp(`${path}?panel=details`, given({ [`GET ${api}`]: () => Response.json(unpaid) }));
    expect((await screen.findByText(new RegExp(`^${words}`))).textContent).toContain('See to it in the Azure portal.');
    expect(screen.queryByRole('link', { name: 'Automation settings' })).toBeNull();
    expect(await screen.findByText('In the Azure portal')).toBeTruthy();
    expect(screen.queryByText('The contract: see Term dates')).toBeNull();
  },
);

test.each([
  ['opened', 'Not available now', 'is not active yet'],
  ['suspended', 'Not available now', 'is suspended'],
  ['active', 'Not part of your plan', 'Change the plan in the Azure portal'],
  [null, 'Not part of your plan', 'Ask your account manager'],
])('what is not enabled with a subscription that is %s says why', async (subscription, title, words) => {
  const { sku_info } = userWith().tenants[ownTenant] ?? {};
  const tenant = { ...settings, sku_info, automation_enabled: true, is_fenced: false, managed_by: null, subscription };
  showApp('/not-enabled', given({ [`GET ${api}`]: () => Response.json(tenant) }));
  await screen.findByText(new RegExp(words));
  expect(screen.getByRole('heading', { name: title })).toBeTruthy();
});

test.each([
  [true, 'The link has expired. A new mail brings a new one.'],
  [undefined, 'A new mail with a new link; the one sent before stops working.'],
])('an invitation whose link is dead (%s) says so where it is sent again', async (expired, words) => {
  const invited = user(2, { status: 'invited', ...(expired === undefined ? {} : { invitation_expired: expired }) });
  showApp(`${path}?user=${invited.id}`, given({}, { users: [me, invited] }));
  expect(await screen.findByText(words)).toBeTruthy();
});

test('two people for what destroys is asked for by one press, which sends only that', async () => {
  let now = settings;
  const sent: unknown[] = [];
  const answers = given({
    [`GET ${api}/settings`]: () => Response.json(now),
    [`PATCH ${api}/settings`]: ({ body }) => {
      sent.push(body);
      now = { ...settings, approvals: { two_people: true } };
      return Response.json(now);
    },
  });
  showApp(`${path}?panel=automation`, answers);
  fireEvent.click(await screen.findByRole('button', { name: 'Ask for two' }));
  await screen.findByRole('button', { name: 'One is enough' });
  expect(sent).toEqual([{ approvals: { two_people: true } }]);
});

test.each([
  ['disabled', 'active', 'Enable', 'Disable…', 'Person 2 can sign in again'],
  ['active', 'disabled', 'Disable…', 'Enable', 'Person 2 disabled'],
] as const)(
  'an account that was %s and becomes %s is said to be, although its button is gone by then',
  async (...row) => {
    const [before, after, name, nameAfter, said] = row;
    let now: TenantUser['status'] = before;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    showApp(
      `${path}?q=person&disabled=true&user=${user(2).id}`,
      given({
        [`GET ${api}/users`]: async ({ url }) => {
          // The list behind the panel comes anew after the account in it.
          if (now === after && url.searchParams.has('q')) await released;
          return Response.json([me, user(2, { status: now })]);
        },
        [`PATCH ${api}/users`]: () => {
          now = after;
          return Response.json(user(2, { status: now }));
        },
      }),
    );
    fireEvent.click(await screen.findByRole('button', { name }));
    if (after === 'disabled') fireEvent.click(await screen.findByRole('button', { name: 'Disable' }));
    await screen.findByRole('button', { name: nameAfter });
    release();
    expect(await screen.findByText(said)).toBeTruthy();
  },
);

test('a role is changed once its question is confirmed, as the same intent', async () => {
  const asked: unknown[] = [];
  const confirm = { title: 'Change the role?', text: 'To Admin.', action_label: 'Change role' };
  showApp(
    `${path}?user=${user(2).id}`,
    given({
      [`PUT ${api}/users/user_role`]: ({ body }) => {
        asked.push(body);
        return asked.length === 1
          ? Response.json(
              { message: 'Please.', code: 'CONFIRMATION_REQUIRED', request_id: 'r', confirm },
              { status: 449 },
            )
          : Response.json(user(2, { role: 'Admin' }));
      },
    }),
  );
  fireEvent.change(await screen.findByLabelText('New role'), { target: { value: 'Admin' } });
  press('Change role…');
  await screen.findByText('To Admin.');
  fireEvent.click(screen.getByRole('button', { name: 'Change role' }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toEqual({ username: 'person.2@northwind.example', role: 'Admin' });
});

test('a role another Admin gives shows in the open panel, or a press would take it back unseen', async () => {
  const users = [me, user(2)];
  const { app } = showApp(`${path}?user=${user(2).id}`, given({}, { users }));
  const role = () => screen.getByLabelText<HTMLSelectElement>('New role').value;
  await screen.findByLabelText('New role');
  expect(role()).toBe('Analyst');
  users[1] = user(2, { role: 'SystemManager' });
  await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'users'] });
  await waitFor(() => expect(role()).toBe('SystemManager'));
  expect(screen.getByRole('button', { name: 'Change role…' }).getAttribute('aria-description')).toBe(
    'Choose another role first.',
  );
});
