import type { CaseActivity, CaseUpdate } from '@airdeck/contracts/cases/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../../session/fixtures.ts';
import { failure, showApp } from '../../../test-app.tsx';
import { acknowledgedCase as opened } from './case-fixtures.ts';

vi.setConfig({ testTimeout: 60_000 });
const { id, time_opened: at } = opened;

const entry = (number: number, kind: CaseActivity['kind'], data: CaseActivity['data'] = {}): CaseActivity => ({
  id: `01920000-0000-7000-8000-00000000040${number}`,
  at,
  username: 'tom@example.com',
  kind,
  text: '',
  data,
});

test('somebody else was faster: the dialog says what they did, and keeps reason and comment for another try', async () => {
  const bodies: CaseUpdate[] = [];
  let now = opened;
  const path = `/api/tenants/${ownTenant}/case/${id}`;
  showApp(`/air/case-management/${id}`, {
    answers: {
      [`GET ${path}`]: () => Response.json(now),
      [`POST ${path}`]: ({ body }) => {
        bodies.push(body as CaseUpdate);
        if (bodies.length > 1) return Response.json(now);
        const told = entry(2, 'status_changed', { from: 'acknowledged', to: 'closed', close_reason: 'benign' });
        now = { ...opened, alert_status: 'closed', close_reason: 'benign', activity: [...opened.activity, told] };
        return failure(409, 'CONFLICT', 'This case changed in the meantime: status.');
      },
    },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Close…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close CASE-7' });
  fireEvent.click(within(dialog).getByRole('radio', { name: /true positive/i }));
  fireEvent.change(within(dialog).getByLabelText('Comment'), { target: { value: 'Blocked at the firewall.' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Close case' }));
  await within(dialog).findByText(/changed in the meantime/);
  expect(bodies[0]?.seen).toEqual({ alert_status: 'acknowledged', close_reason: null });
  expect(within(dialog).getByLabelText<HTMLTextAreaElement>('Comment').value).toBe('Blocked at the firewall.');
  fireEvent.click(await within(dialog).findByRole('button', { name: 'Change the reason' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(bodies[1]).toMatchObject({
    close_reason: 'true_positive',
    comment: 'Blocked at the firewall.',
    seen: { alert_status: 'closed', close_reason: 'benign' },
  });
});

test('a case that somebody closes while the dialog is open is not closed over their head', async () => {
  const bodies: CaseUpdate[] = [];
  const path = `/api/tenants/${ownTenant}/case/${id}`;
  const { app } = showApp(`/air/case-management/${id}`, {
    answers: {
      [`GET ${path}`]: () => Response.json(now),
      [`POST ${path}`]: ({ body }) => {
        bodies.push(body as CaseUpdate);
        return failure(409, 'CONFLICT', 'This case changed in the meantime: status.');
      },
    },
  });
  let now = opened;
  fireEvent.click(await screen.findByRole('button', { name: 'Close…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close CASE-7' });
  const told = entry(2, 'status_changed', { from: 'acknowledged', to: 'closed', close_reason: 'benign' });
  now = { ...opened, alert_status: 'closed', close_reason: 'benign', activity: [...opened.activity, told] };
  // As the live connection does.
  await app.queryClient.invalidateQueries();
  const send = await within(dialog).findByRole('button', { name: 'Change the reason' });
  expect(within(dialog).getByRole('status').textContent).toContain('This case was closed meanwhile.');
  expect(screen.getByRole('dialog', { name: 'Change the reason of CASE-7' })).toBe(dialog);
  fireEvent.click(within(dialog).getByRole('radio', { name: /true positive/i }));
  fireEvent.click(send);
  await within(dialog).findByText(/changed in the meantime/);
  expect(bodies[0]?.seen).toEqual({ alert_status: 'acknowledged', close_reason: null });
});

test('a tag that is tried again does not take off what somebody else has put on', async () => {
  const bodies: CaseUpdate[] = [];
  let now = { ...opened, tags: ['vpn'] };
  const path = `/api/tenants/${ownTenant}/case/${id}`;
  showApp(`/air/case-management/${id}`, {
    answers: {
      [`GET ${path}`]: () => Response.json(now),
      [`POST ${path}`]: ({ body }) => {
        bodies.push(body as CaseUpdate);
        if (bodies.length > 1) return Response.json(now);
        now = { ...now, tags: ['vpn', 'theirs'], activity: [...now.activity, entry(3, 'tagged')] };
        return failure(409, 'CONFLICT', 'This case changed in the meantime: tags.');
      },
    },
  });
  const field = await screen.findByLabelText('Add a tag');
  fireEvent.change(field, { target: { value: 'mine' } });
  fireEvent.submit(field);
  fireEvent.click(await screen.findByRole('button', { name: 'Apply again' }));
  await waitFor(() => expect(bodies).toHaveLength(2));
  expect(bodies[1]).toMatchObject({ tags: ['vpn', 'theirs', 'mine'], seen: { tags: ['vpn', 'theirs'] } });
});

test('what was chosen or written why a case is closed is dropped only after a question', async () => {
  showApp(`/air/case-management/${id}`, {
    answers: { [`GET /api/tenants/${ownTenant}/case/${id}`]: () => Response.json(opened) },
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Close…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Close CASE-7' });
  const comment = within(dialog).getByLabelText<HTMLTextAreaElement>('Comment');
  fireEvent.change(comment, { target: { value: 'Blocked at the firewall.' } });
  fireEvent.keyDown(comment, { key: 'Escape' });
  fireEvent.click(await screen.findByText('Stay', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull());
  expect(comment.value).toBe('Blocked at the firewall.');
  expect(dialog.isConnected).toBe(true);
  fireEvent.keyDown(comment, { key: 'Escape' });
  fireEvent.click(await screen.findByText('Leave', { selector: 'button *' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
