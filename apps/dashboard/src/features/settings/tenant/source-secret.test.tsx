import type { EventSource } from '@airdeck/contracts/sources/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { tenantSettings as settings } from '../tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const created: EventSource & { token: string } = {
  id: '01920000-0000-7000-8000-000000000101',
  created_at: '2026-01-01T00:00:00.000Z',
  name: 'Branch',
  kind: 'webhook',
  url: 'https://in.example.com/e',
  token: 'a-token',
  token_hint: 'oken',
  ...{ last_event_at: null, events_24h: 0, rejected_24h: 0, repeated_24h: 0, clock_24h: null, dropped_24h: null },
};
const dialog = () => screen.getByRole('dialog');
const pressEsc = () => fireEvent.keyDown(dialog(), { key: 'Escape' });
const clickBeside = () => {
  const overlay = document.querySelector('.mantine-Modal-overlay');
  const beside = document.querySelector('.mantine-Modal-inner');
  for (const element of [overlay, beside]) {
    if (element === null) continue;
    fireEvent.mouseDown(element);
    fireEvent.click(element);
  }
};

test('the token, shown once, is lost neither by a key nor by a click beside it, and neither while it is made', async () => {
  let answer: () => void = () => undefined;
  showApp('/settings/tenant-settings?panel=sources', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET /api/tenants/${ownTenant}/settings`]: () => Response.json(settings),
      [`GET /api/${ownTenant}/event/sources`]: () => Response.json([]),
      [`POST /api/${ownTenant}/event/sources/new`]: () =>
        new Promise((resolve) => {
          answer = () => resolve(Response.json(created));
        }),
    },
  });
  const [open] = await screen.findAllByRole('button', { name: 'Create source' });
  if (open !== undefined) fireEvent.click(open);
  const form = within(await screen.findByRole('dialog'));
  fireEvent.change(await form.findByRole('textbox', { name: 'Name' }), { target: { value: 'Branch' } });
  const submit = form.getByRole('button', { name: 'Create source' });
  fireEvent.click(submit);
  await waitFor(() => expect(submit.hasAttribute('data-loading')).toBe(true));
  pressEsc();
  clickBeside();
  answer();
  expect(await screen.findByText('a-token')).toBeTruthy();
  // What Esc did before it went by a timer.
  await new Promise((resolve) => setTimeout(resolve));
  pressEsc();
  clickBeside();
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.getByText('a-token')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(screen.queryByText('a-token')).toBeNull());
});
