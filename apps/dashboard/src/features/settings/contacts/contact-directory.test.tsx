import type { Contact } from '@airdeck/contracts/contacts/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { overtaken } from '../../../components/overtaken-fixture.ts';
import { executiveReportQueries } from '../../../queries/executive-reports.ts';
import { searchReportQueries } from '../../../queries/search-reports.ts';
import { foreignTenant, otherTenant, ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp, visit } from '../../../test-app.tsx';
import { movedTo } from './contact-rows.ts';

const id = (number: number) => `01920000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`;
const contact = (number: number, name: string, place: number | null, tenant = ownTenant): Contact => ({
  id: id(number),
  tenant,
  name,
  email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
  phone: '',
  job_title: '',
  kind: 'technical',
  escalation_order: place,
  notify: { case_severities: [], channels: [] },
  notes: '',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});
const address = '/settings/contact-directory';
const admin = userWith({ own: 'Admin', other: 'Admin' });
const listOf = (tenant: string) => `GET /api/tenants/${tenant}/contacts`;
// The panel is a file of its own, and loads with its form.
vi.setConfig({ testTimeout: 60_000 });
function directory(of: Contact[], given: Given = {}, at = address) {
  const saved: unknown[] = [];
  let kept = of;
  const app = showApp(at, {
    me: admin,
    ...given,
    answers: {
      [listOf(ownTenant)]: () => Response.json(kept),
      [`PUT /api/tenants/${ownTenant}/contacts/${id(2)}`]: ({ body }) => {
        saved.push(body);
        const { escalation_order: place, ...fields } = body as Contact;
        const changed = kept.map((each) => (each.id === id(2) ? { ...each, ...fields } : each));
        kept = movedTo(changed, id(2), place ?? 1);
        return Response.json(kept.find((each) => each.id === id(2)));
      },
      ...given.answers,
    },
  });
  return { ...app, saved };
}
const shownNames = () =>
  [...document.querySelectorAll('tbody tr')].map((row) => /(Ana|Ben|Cy|Dee) \w+/.exec(row.textContent ?? '')?.[1]);
const three = () => [contact(1, 'Ana Souza', 1), contact(2, 'Ben Okoro', 2), contact(3, 'Cy Young', null)];

test.each(['SystemManager', 'Analyst', 'ReadOnly'] as const)('%s has no business there', async (own) => {
  expect((await visit(address, { me: userWith({ own }) })).at).toBe('/unauthorized');
});

test('an arrow moves somebody at once, sends the whole contact with its new place, and says where it went', async () => {
  const { saved } = directory(three());
  fireEvent.click(await screen.findByRole('button', { name: 'Move Ben Okoro up' }));
  await waitFor(() => expect(shownNames()).toEqual(['Ben', 'Ana', 'Cy']));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toEqual({
    name: 'Ben Okoro',
    email: 'ben@example.com',
    phone: '',
    job_title: '',
    kind: 'technical',
    escalation_order: 1,
    notify: { case_severities: [], channels: [] },
    notes: '',
    updated_at: '2026-01-01T00:00:00.000Z',
  });
  expect(screen.getByText('Ben Okoro is now at place 1 of 2.')).toBeTruthy();
});

test('of those in the escalation, who wished nothing is told everything by mail', async () => {
  directory(three());
  const rows = await screen.findAllByRole('row');
  const wishes = rows.map(({ textContent }) => /All casesE-?mail/i.test(textContent ?? ''));
  expect(wishes.filter(Boolean)).toHaveLength(three().filter((one) => one.escalation_order !== null).length);
});

test('a refused move is taken back', async () => {
  const answers = { [`PUT /api/tenants/${ownTenant}/contacts/${id(2)}`]: () => failure(409, 'CONFLICT') };
  const { state } = directory(three(), { answers });
  fireEvent.click(await screen.findByRole('button', { name: 'Move Ben Okoro up' }));
  await screen.findByText('Ben Okoro is now at place 1 of 2.');
  await waitFor(() => expect(state.asked.filter((call) => call === listOf(ownTenant))).toHaveLength(2));
  await waitFor(() => expect(shownNames()).toEqual(['Ana', 'Ben', 'Cy']));
});

test('Alt and an arrow key move the row; at the end nothing is sent', async () => {
  const { saved } = directory(three());
  const row = (await screen.findByText('Ben Okoro')).closest('tr') as HTMLElement;
  row.focus();
  fireEvent.keyDown(row, { key: 'ArrowDown', altKey: true });
  fireEvent.keyDown(row, { key: 'ArrowUp', altKey: true });
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toMatchObject({ escalation_order: 1 });
});

test('contacts of the tenants one is Admin in stand side by side; other ids in the address are not asked for', async () => {
  const filters = encodeURIComponent(JSON.stringify({ tenant: [ownTenant, otherTenant, foreignTenant] }));
  const answers = { [listOf(otherTenant)]: () => Response.json([contact(9, 'Dee Other', 1, otherTenant)]) };
  const { state } = directory(three(), { answers }, `${address}?filters=${filters}`);
  await screen.findByText('Dee Other');
  expect(within(screen.getByText('Dee Other').closest('tr') as HTMLElement).getByText('Contoso Health')).toBeTruthy();
  expect(shownNames()).toContain('Ana');
  expect(state.asked.some((call) => call.includes(foreignTenant))).toBe(false);
});

test('a tenant whose contacts do not load leaves those of the others', async () => {
  const filters = encodeURIComponent(JSON.stringify({ tenant: [ownTenant, otherTenant] }));
  const answers = { [listOf(otherTenant)]: () => failure(403, 'ROLE_TOO_LOW') };
  directory(three(), { answers }, `${address}?filters=${filters}`);
  expect(await screen.findByText('Ana Souza')).toBeTruthy();
  expect((await screen.findByRole('alert')).textContent).toContain('Unable to load tenant contacts');
});

test('what was typed is not lost with a click beside the panel', async () => {
  const { at } = directory(three(), {}, `${address}?user=${id(2)}`);
  const field = await screen.findByLabelText('Job title');
  fireEvent.change(field, { target: { value: 'Duty officer' } });
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.click(await screen.findByText('Stay', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Job title').value).toBe('Duty officer');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(at()).toBe(address));
});

test('saving keeps the panel, and then it may be closed without a question', async () => {
  const { app, saved, at } = directory(three(), {}, `${address}?user=${id(2)}`);
  const own = { api: app.api, tenantId: ownTenant };
  const recipients = [executiveReportQueries.recipients(own).queryKey, searchReportQueries.recipients(own).queryKey];
  for (const key of recipients) app.queryClient.setQueryData<unknown>(key, []);
  fireEvent.change(await screen.findByLabelText('Phone'), { target: { value: '+1 555 0100' } });
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]).toMatchObject({ phone: '+1 555 0100', escalation_order: 2 });
  // Whom reports can be sent to is the same people.
  await waitFor(() =>
    expect(recipients.map((key) => app.queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true]),
  );
  await screen.findByText('Delete');
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(at()).toBe(address));
});

test('somebody else was faster: nothing is written over, and what was typed stays while the contact is read again', async () => {
  const later = '2026-01-02T00:00:00.000Z';
  const bodies: Contact[] = [];
  let kept = three();
  const answers: Given['answers'] = {
    [listOf(ownTenant)]: () => Response.json(kept),
    [`PUT /api/tenants/${ownTenant}/contacts/${id(2)}`]: ({ body }) => {
      bodies.push(body as Contact);
      const now = kept.find((each) => each.id === id(2));
      if ((body as Contact).updated_at !== now?.updated_at)
        return overtaken('body.updated_at', 'Somebody else changed it.');
      return Response.json(now);
    },
  };
  const { app } = directory(three(), { answers }, `${address}?user=${id(2)}`);
  fireEvent.change(await screen.findByLabelText('Phone'), { target: { value: '+1 555 0100' } });
  // A colleague saves meanwhile, and the list is read again beneath the form.
  kept = kept.map((each) =>
    each.id === id(2) ? { ...each, phone: '+1 555 0199', job_title: 'On leave', updated_at: later } : each,
  );
  await app.queryClient.invalidateQueries({ queryKey: [ownTenant, 'contacts'] });
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await screen.findByText(/Somebody else changed it/);
  expect(bodies[0]).toMatchObject({ phone: '+1 555 0100', updated_at: '2026-01-01T00:00:00.000Z' });
  fireEvent.click(screen.getByRole('button', { name: 'Load it again, keep what I typed' }));
  await waitFor(() => expect(screen.queryByText(/Somebody else changed it/)).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Phone').value).toBe('+1 555 0100');
  expect(screen.getByLabelText<HTMLInputElement>('Job title').value).toBe('On leave');
  expect(
    within(screen.getByRole('note'))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Phone +1 555 0199']);
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies[1]).toMatchObject({ phone: '+1 555 0100', job_title: 'On leave', updated_at: later });
});

test('deleting names the person and what becomes of the place', async () => {
  let deleted = 0;
  const answers = {
    [`DELETE /api/tenants/${ownTenant}/contacts/${id(1)}`]: () => {
      deleted += 1;
      return new Response(null, { status: 204 });
    },
  };
  const { at } = directory(three(), { answers }, `${address}?user=${id(1)}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete Ana Souza?' });
  expect(dialog.textContent).toContain('Place 1 of the escalation goes to whoever follows.');
  expect(deleted).toBe(0);
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete contact' }));
  await waitFor(() => expect(at()).toBe(address));
  expect(deleted).toBe(1);
});

test('without contacts the screen says what to do, and an unknown id opens nothing', async () => {
  directory([], {}, `${address}?user=${id(7)}`);
  expect(await screen.findByText('No such contact')).toBeTruthy();
  expect(screen.getByText('No contacts yet')).toBeTruthy();
  expect(screen.getAllByRole('button', { name: 'Add contact', hidden: true })).toHaveLength(1);
});

test('what was typed is not lost unasked with a switch of the tenant', async () => {
  const { app } = directory(three(), {}, `${address}?user=${id(2)}`);
  const field = await screen.findByLabelText('Job title');
  fireEvent.change(field, { target: { value: 'Duty officer' } });
  // The rail is behind the panel here; the palette reaches the same switch over it.
  const choose = async () => {
    const picker = screen.getByRole('button', { name: 'Select Tenant, now Northwind Traders', hidden: true });
    if (picker.getAttribute('aria-expanded') !== 'true') fireEvent.click(picker);
    fireEvent.click(await screen.findByRole('option', { name: /Contoso Health/, hidden: true }));
  };
  await choose();
  fireEvent.click(await screen.findByText('Stay', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Job title').value).toBe('Duty officer');
  expect(app.session.get()?.currentTenant).toBe(ownTenant);
  await choose();
  fireEvent.click(await screen.findByRole('button', { name: 'Leave', hidden: true }));
  await waitFor(() => expect(app.session.get()?.currentTenant).toBe(otherTenant));
});
