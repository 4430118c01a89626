import type { Billing, Contract } from '@airdeck/contracts/contract/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { overtaken } from '../../../components/overtaken-fixture.ts';
import { contractQueries } from '../../../queries/contract.ts';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './term-dates-page.tsx';

vi.setConfig({ testTimeout: 60_000 });
const path = `/api/tenants/${ownTenant}/contract`;
const press = (name: string, where: Pick<typeof screen, 'getByRole'> = screen) =>
  fireEvent.click(where.getByRole('button', { name }));
const loadAgain = 'Load it again, keep what I typed';

const terms = { start_date: '2026-01-01', end_date: '2026-12-31', renewal_notice_date: '2026-10-01', seats: 25 };
/** As a colleague saves them while this person types. */
const longer = { ...terms, end_date: '2027-12-31' };
const noBilling = {
  ...{ address: '', city: '', contact_email: '', contact_name: '', contact_phone: '', state: '', zip_code: '' },
};
const billing = { ...noBilling, city: 'Exampleton', contact_name: 'Bo' };

type Kept = { terms: typeof terms | null; billing: typeof noBilling };

function opened(kept: Partial<Kept> = {}) {
  const server = { now: { terms, billing, ...kept } as Kept };
  const sent: { replaces?: unknown }[] = [];
  const answered = { gate: Promise.resolve() };
  const contract = (): Contract => ({
    ...{ id: '01920000-0000-7000-8000-0000000000e1', tenant: ownTenant, sku_name: 'Complete' },
    ...{ ...(server.now.terms ?? terms), seats_used: 3, files: [], editable: true },
  });
  const billed = (): Billing => ({ ...server.now.billing, tenant: ownTenant });
  const isStale = (replaces: unknown, now: object | null) => JSON.stringify(replaces) !== JSON.stringify(now);
  const { app } = showApp('/settings/term-dates', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${path}`]: () => (server.now.terms === null ? failure(404, 'NOT_FOUND') : Response.json(contract())),
      [`GET ${path}/billing`]: () => Response.json(billed()),
      [`PUT ${path}`]: ({ body }) => {
        const { replaces, ...wanted } = body as typeof terms & { replaces?: unknown };
        sent.push(body as object);
        if (isStale(replaces, server.now.terms))
          return overtaken('body.replaces', 'Somebody else changed these terms.');
        server.now = { ...server.now, terms: wanted };
        return Response.json(contract());
      },
      [`PUT ${path}/billing`]: async ({ body }) => {
        const { replaces, ...wanted } = body as typeof billing & { replaces?: unknown };
        sent.push(body as object);
        await answered.gate;
        if (isStale(replaces, server.now.billing))
          return overtaken('body.replaces', 'Somebody else changed the bills.');
        server.now = { ...server.now, billing: wanted };
        return Response.json(billed());
      },
    },
  });
  const readAgain = async () => {
    const of = { api: app.api, tenantId: ownTenant };
    await app.queryClient.invalidateQueries({ queryKey: contractQueries.terms(of).queryKey });
    await app.queryClient.invalidateQueries({ queryKey: contractQueries.billing(of).queryKey });
  };
  return { server, sent, answered, readAgain };
}

async function termsDialog(button = 'Edit', title = 'Edit term dates') {
  fireEvent.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog', { name: title }));
  const field = async (label: string) => await dialog.findByLabelText<HTMLInputElement>(label);
  const type = async (label: string, value: string) => fireEvent.change(await field(label), { target: { value } });
  return { dialog, field, type };
}

test('terms say what they were made from; loaded again, both changes are kept', async () => {
  const { server, sent } = opened();
  const { dialog, field, type } = await termsDialog();
  await type('Seats', '30');
  server.now.terms = longer;
  press('Save', dialog);
  fireEvent.click(await dialog.findByRole('button', { name: loadAgain }));
  await waitFor(() => expect(dialog.queryByText('Somebody else changed these terms.')).toBeNull());
  expect([(await field('End')).value, (await field('Seats')).value]).toEqual(['12/31/2027', '30']);
  press('Save', dialog);
  await waitFor(() => expect(server.now.terms).toEqual({ ...longer, seats: 30 }));
  expect(sent).toEqual([
    { ...terms, seats: 30, replaces: terms },
    { ...longer, seats: 30, replaces: longer },
  ]);
});

test('terms read again beneath what is typed are not taken back with it, however often they are saved', async () => {
  const { server, sent, readAgain } = opened();
  const { dialog, type } = await termsDialog();
  await type('Seats', '30');
  server.now.terms = longer;
  await readAgain();
  for (const times of [1, 2]) {
    press('Save', dialog);
    await waitFor(() => expect(sent).toHaveLength(times));
    await dialog.findByText('Somebody else changed these terms.');
  }
  expect(sent.map(({ replaces }) => replaces)).toEqual([terms, terms]);
  expect(server.now.terms).toEqual(longer);
});

test('terms entered as the first ones are not written over those a colleague entered meanwhile', async () => {
  const { server, sent } = opened({ terms: null });
  const { dialog, field, type } = await termsDialog('Enter term dates', 'Enter term dates');
  await type('Start', '01/01/2026');
  await type('End', '12/31/2026');
  server.now.terms = longer;
  press('Save', dialog);
  const named = within(await screen.findByRole('dialog'));
  fireEvent.click(await named.findByRole('button', { name: loadAgain }));
  await waitFor(() => expect(screen.queryByText('Somebody else changed these terms.')).toBeNull());
  // What nobody typed here is theirs.
  expect([(await field('End')).value, (await field('Seats')).value]).toEqual(['12/31/2026', '25']);
  press('Save', named);
  await waitFor(() => expect(server.now.terms).toEqual(terms));
  expect(sent.map(({ replaces }) => replaces)).toEqual([null, longer]);
});

const billField = async (label: string) => await screen.findByLabelText<HTMLInputElement>(label);
const typeBill = async (label: string, value: string) =>
  fireEvent.change(await billField(label), { target: { value } });

test('billing information says what it was made from; loaded again, both changes are kept', async () => {
  const { server, sent } = opened();
  await typeBill('City', 'Elsewhere');
  const theirs = { ...billing, contact_name: 'Cy' };
  server.now.billing = theirs;
  press('Save changes');
  fireEvent.click(await screen.findByRole('button', { name: loadAgain }));
  await waitFor(() => expect(screen.queryByText('Somebody else changed the bills.')).toBeNull());
  expect([(await billField('Contact')).value, (await billField('City')).value]).toEqual(['Cy', 'Elsewhere']);
  press('Save changes');
  await waitFor(() => expect(server.now.billing).toEqual({ ...theirs, city: 'Elsewhere' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull());
  expect(sent.map(({ replaces }) => replaces)).toEqual([billing, theirs]);
});

test('billing information read again beneath what is typed is not taken back with it', async () => {
  const { server, sent, readAgain } = opened();
  await typeBill('City', 'Elsewhere');
  const theirs = { ...billing, city: 'Theirs' };
  server.now.billing = theirs;
  await readAgain();
  press('Save changes');
  await screen.findByText('Somebody else changed the bills.');
  expect(sent.map(({ replaces }) => replaces)).toEqual([billing]);
  // Given up, it is theirs that is there.
  press('Discard');
  await waitFor(async () => expect((await billField('City')).value).toBe('Theirs'));
});

test('billing information follows what is read until something is typed', async () => {
  const { server, sent, readAgain } = opened({ billing: noBilling });
  expect((await billField('City')).value).toBe('');
  server.now.billing = billing;
  await readAgain();
  await waitFor(async () => expect((await billField('City')).value).toBe('Exampleton'));
  await typeBill('Contact', 'Cy');
  press('Save changes');
  await waitFor(() => expect(server.now.billing).toEqual({ ...billing, contact_name: 'Cy' }));
  expect(sent.map(({ replaces }) => replaces)).toEqual([billing]);
});

test('what is typed while billing information is being saved is the next change, made from what was saved', async () => {
  const { server, sent, answered } = opened();
  let answer: () => void = () => undefined;
  answered.gate = new Promise((resolve) => {
    answer = resolve;
  });
  await typeBill('City', 'Elsewhere');
  press('Save changes');
  await waitFor(() => expect(sent).toHaveLength(1));
  await typeBill('Contact', 'Cy');
  answer();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save changes' }).dataset.loading).toBeUndefined());
  press('Save changes');
  await waitFor(() => expect(server.now.billing).toEqual({ ...billing, city: 'Elsewhere', contact_name: 'Cy' }));
  expect(sent.map(({ replaces }) => replaces)).toEqual([billing, { ...billing, city: 'Elsewhere' }]);
});
