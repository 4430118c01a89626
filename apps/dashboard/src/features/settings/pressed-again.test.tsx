import type { Contact } from '@airdeck/contracts/contacts/schema';
import type { EventSource } from '@airdeck/contracts/sources/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
import { tenantSettings as settings } from './tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const type = async (label: string, value: string) => {
  const [field] = await screen.findAllByLabelText(label, { exact: false });
  if (field === undefined) throw new Error(`There is no field ${label}.`);
  fireEvent.change(field, { target: { value } });
};
const inDialog = async (label: string) =>
  await within(await screen.findByRole('dialog')).findByRole('textbox', { name: label });
const submitDialog = async (name: string) =>
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }));
/** The head of the page and its empty list have the same button. */
const openBy = async (name: string) => {
  const [open] = await screen.findAllByRole('button', { name });
  if (open !== undefined) fireEvent.click(open);
};

type Creation = {
  what: string;
  at: string;
  route: string;
  fill: () => Promise<void>;
  submit: () => Promise<unknown>;
  change: () => unknown;
};

const made = { id: '01920000-0000-7000-8000-000000000101', created_at: '2026-01-01T00:00:00.000Z' };
const tenantSource: Creation & { created: object; leave: () => Promise<unknown> } = {
  what: 'an event source of the tenant settings',
  at: '/settings/tenant-settings?panel=sources',
  route: `POST /api/${ownTenant}/event/sources/new`,
  fill: async () => {
    await openBy('Create source');
    fireEvent.change(await inDialog('Name'), { target: { value: 'Branch' } });
  },
  submit: () => submitDialog('Create source'),
  change: async () => fireEvent.change(await inDialog('Name'), { target: { value: 'Other' } }),
  created: {
    ...{
      ...made,
      name: 'Other',
      kind: 'webhook',
      url: 'https://in.example.com/e',
      token: 'a-token',
      token_hint: 'oken',
    },
    ...{ last_event_at: null, events_24h: 0, rejected_24h: 0, repeated_24h: 0, clock_24h: null, dropped_24h: null },
  } satisfies EventSource & { token: string },
  leave: () => press('Done'),
};
const contact: Creation & { created: object; leave: () => Promise<unknown> } = {
  what: 'a contact',
  at: '/settings/contact-directory',
  route: `POST /api/tenants/${ownTenant}/contacts`,
  fill: async () => {
    await openBy('Add contact');
    fireEvent.change(await inDialog('Name'), { target: { value: 'Ana Souza' } });
    fireEvent.change(await inDialog('E-mail address'), { target: { value: 'ana@example.com' } });
  },
  submit: () => submitDialog('Add contact'),
  change: async () => fireEvent.change(await inDialog('Name'), { target: { value: 'Ben Okoro' } }),
  created: {
    ...{ ...made, updated_at: made.created_at, tenant: ownTenant, name: 'Ana Souza', email: 'ana@example.com' },
    ...{ phone: '', job_title: '', kind: 'technical', escalation_order: null, notes: '' },
    notify: { case_severities: [], channels: [] },
  } satisfies Contact,
  leave: () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull()),
};

const creations: Creation[] = [
  {
    what: 'an API key',
    at: '/settings/profile',
    route: 'POST /me/api_keys',
    fill: async () => {
      await press('Create key');
      const dialog = await screen.findByRole('dialog');
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
  tenantSource,
  contact,
  {
    what: 'a single sign-on connection',
    at: '/settings/tenant-settings?panel=sign-in',
    route: `POST /api/tenants/${ownTenant}/settings/sso`,
    fill: async () => {
      await openBy('Add connection');
      await type('Name', 'Directory');
      await type('Issuer', 'https://issuer.example.com');
      await type('Client id', 'airdeck');
      await type('Client secret', 'secret');
    },
    submit: async () =>
      fireEvent.click((await screen.findAllByRole('button', { name: 'Add connection' })).at(-1) as Element),
    change: () => type('Client id', 'other'),
  },
  {
    what: 'a case',
    at: '/air/case-management',
    route: `POST /api/tenants/${ownTenant}/case`,
    fill: async () => {
      await press('New case');
      fireEvent.change(await inDialog('What is it about?'), { target: { value: 'A lost laptop' } });
    },
    submit: () => press('Open case'),
    change: async () => fireEvent.change(await inDialog('What is it about?'), { target: { value: 'Other' } }),
  },
  {
    what: 'a customer',
    at: '/settings/tenant-settings?panel=customers',
    route: `POST /api/tenants/${ownTenant}/customers`,
    fill: async () => {
      await openBy('Create customer');
      for (const [label, value] of [
        ['Name', 'Bakery'],
        ['Plan', 'Small'],
        ['Name of the Admin', 'Ana Souza'],
        ['E-mail address', 'ana@example.com'],
      ] as const) {
        fireEvent.change(await inDialog(label), { target: { value } });
      }
    },
    submit: () => submitDialog('Create customer'),
    change: async () => fireEvent.change(await inDialog('Name'), { target: { value: 'Mill' } }),
  },
  {
    what: 'an invitation',
    at: '/settings/tenant-settings?panel=users',
    route: `PUT /api/tenants/${ownTenant}/users`,
    fill: async () => {
      await openBy('Invite user');
      fireEvent.change(await inDialog('Name'), { target: { value: 'Ana Souza' } });
      fireEvent.change(await inDialog('E-mail address'), { target: { value: 'ana@example.com' } });
    },
    submit: () => submitDialog('Send invitation'),
    change: async () => fireEvent.change(await inDialog('Name'), { target: { value: 'Ben Okoro' } }),
  },
];

const reads = {
  [`GET /api/tenants/${ownTenant}/settings/sso`]: () => Response.json([]),
  [`GET /api/tenants/${ownTenant}/settings/sso_domains`]: () => Response.json([]),
  [`GET /api/${ownTenant}/event/sources`]: () => Response.json([]),
  [`GET /api/tenants/${ownTenant}/contacts`]: () => Response.json([]),
  [`GET /api/tenants/${ownTenant}/case`]: () =>
    Response.json({ cases: [], total: 0, facets: { status: [], severity: [], source: [], category: [] } }),
  [`GET /api/tenants/${ownTenant}/settings`]: () => Response.json({ ...settings, is_provider: true }),
  [`GET /api/tenants/${ownTenant}/customers`]: () => Response.json([]),
  [`GET /api/tenants/${ownTenant}/customers/roles`]: () => Response.json([]),
  [`GET /api/tenants/${ownTenant}/users`]: () => Response.json([]),
  'GET /me/api_keys': () => Response.json([]),
};

test.each(creations)(
  '$what whose answer got lost is the same one when the button is pressed again',
  async (creation) => {
    const calls: { key: string | null; body: unknown }[] = [];
    showApp(creation.at, {
      me: userWith({ own: 'Admin' }),
      answers: {
        ...reads,
        [creation.route]: ({ body, headers }) => {
          calls.push({ key: headers.get('idempotency-key'), body });
          return calls.length < 3 ? Promise.reject(new TypeError('Failed to fetch')) : failure(409, 'CONFLICT');
        },
      },
    });
    const pressed = async (times: number) => {
      await creation.submit();
      await waitFor(() => expect(calls).toHaveLength(times));
      await screen.findByRole('alert');
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

test.each(creations)('$what is made once by two clicks (A-W10)', async (creation) => {
  const keys: (string | null)[] = [];
  let answer: (response: Response) => void = () => undefined;
  const answered = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  showApp(creation.at, {
    me: userWith({ own: 'Admin' }),
    answers: {
      ...reads,
      [creation.route]: async ({ headers }) => {
        keys.push(headers.get('idempotency-key'));
        return (await answered).clone();
      },
    },
  });
  await creation.fill();
  await Promise.all([creation.submit(), creation.submit()]);
  answer(failure(409, 'CONFLICT'));
  await screen.findByRole('alert');
  // By one call, or by two that the server knows for the same.
  expect(keys[0]).toBeTruthy();
  expect(new Set(keys).size).toBe(1);
});

test.each([tenantSource, contact])(
  '$what after one that was made is another one, also with the same words',
  async (creation) => {
    const keys: (string | null)[] = [];
    showApp(creation.at, {
      me: userWith({ own: 'Admin' }),
      answers: {
        ...reads,
        [creation.route]: ({ headers }) => {
          keys.push(headers.get('idempotency-key'));
          return Response.json(creation.created, { status: 201 });
        },
      },
    });
    await creation.fill();
    await creation.submit();
    await waitFor(() => expect(keys).toHaveLength(1));
    await creation.leave();
    await creation.fill();
    await creation.submit();
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(keys[0]).toBeTruthy();
    expect(keys[1]).not.toBe(keys[0]);
  },
);
