import type { CaseDetail, CaseUpdate } from '@airdeck/contracts/cases/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { acknowledgedCase } from './case-fixtures.ts';
// Loaded with the file, or the tests would wait for them.
import './close-dialog.tsx';
import './severity-menu.tsx';

vi.setConfig({ testTimeout: 60_000 });
const { id } = acknowledgedCase;
const path = `/api/tenants/${ownTenant}/case/${id}`;

/** The page of a case; `release` lets the server answer. */
function openCase(first: Partial<CaseDetail> = {}) {
  let now = { ...acknowledgedCase, ...first };
  let release: () => void = () => undefined;
  showApp(`/air/case-management/${id}`, {
    answers: {
      [`GET ${path}`]: () => Response.json(now),
      [`POST ${path}`]: async ({ body }) => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        const { seen, comment, ...change } = body as CaseUpdate;
        now = { ...now, ...change } as CaseDetail;
        return Response.json(now);
      },
    },
  });
  return { release: () => release() };
}

function press(control: HTMLElement) {
  control.focus();
  fireEvent.click(control);
}

test('closing without a reason leads to the reasons', async () => {
  openCase();
  press(await screen.findByRole('button', { name: 'Close…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Close CASE-7' }));
  press(dialog.getByRole('button', { name: 'Close case' }));
  await dialog.findByText('Choose why the case is closed.');
  expect(document.activeElement).toBe(dialog.getAllByRole('radio')[0]);
});

test('a step that goes once it is taken leaves the focus among the steps', async () => {
  const { release } = openCase({ alert_status: 'open' });
  press(await screen.findByRole('button', { name: 'Acknowledge' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Acknowledge' }).hasAttribute('disabled')).toBe(true));
  release();
  const back = await screen.findByRole('button', { name: 'Set back to open' });
  expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull();
  expect(document.activeElement).toBe(back.parentElement);
});

test('so does closing, once its dialog is gone', async () => {
  const { release } = openCase();
  press(await screen.findByRole('button', { name: 'Close…' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Close CASE-7' }));
  fireEvent.click(dialog.getByRole('radio', { name: /true positive/i }));
  press(dialog.getByRole('button', { name: 'Close case' }));
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Close case' }).hasAttribute('disabled')).toBe(true));
  release();
  const reopen = await screen.findByRole('button', { name: 'Reopen' });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(reopen.parentElement));
});

test('while a tag is saved its field is not locked, and one that is taken off leaves the focus beside it', async () => {
  const { release } = openCase({ tags: ['vip'] });
  const field = await screen.findByLabelText<HTMLInputElement>('Add a tag');
  field.focus();
  fireEvent.change(field, { target: { value: 'mail' } });
  fireEvent.submit(field);
  await waitFor(() => expect(field.readOnly).toBe(true));
  expect(field.disabled).toBe(false);
  release();
  await screen.findByRole('button', { name: 'Remove tag mail' });
  await waitFor(() => expect(field.readOnly).toBe(false));
  press(screen.getByRole('button', { name: 'Remove tag vip' }));
  expect(document.activeElement?.contains(field)).toBe(true);
  await waitFor(() => expect(field.readOnly).toBe(true));
  release();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove tag vip' })).toBeNull());
  expect(document.activeElement?.contains(field)).toBe(true);
});
