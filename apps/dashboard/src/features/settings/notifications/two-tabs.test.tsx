import type { NotificationPreferencesInput } from '@airdeck/contracts/notifications/schema';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { currentUserQuery } from '../../../session/current-user.ts';
import { userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });

const newAddress = 'https://hooks.example.com/new';
const me = userWith();
const { kinds, ...rest } = me.user.notification_preferences;

/** `takesParts`: a server of the release before wants all of them. `answered`: how long each answer is on its way. */
function settings({ takesParts = true, answered = async () => undefined as unknown } = {}) {
  const server = { now: me.user.notification_preferences };
  const sent: NotificationPreferencesInput[] = [];
  const shown = () => Response.json({ ...me, user: { ...me.user, notification_preferences: server.now } });
  const opened = showApp('/settings/notifications', {
    me: shown,
    answers: {
      'PATCH /me': async ({ body }) => {
        const { notification_preferences: change } = body as { notification_preferences: NotificationPreferencesInput };
        sent.push(change);
        const isWhole = Object.keys(server.now).every((name) => name in change);
        if (!takesParts && !isWhole) return missing(Object.keys(server.now).filter((name) => !(name in change)));
        const { kinds: switched = {}, quiet_hours, ...others } = change;
        const merged = Object.entries(server.now.kinds).map(([kind, known]) => [
          kind,
          { ...known, ...switched[kind as keyof typeof switched] },
        ]);
        server.now = {
          ...server.now,
          ...others,
          quiet_hours: { ...server.now.quiet_hours, ...quiet_hours },
          kinds: Object.fromEntries(merged),
        } as typeof server.now;
        await answered();
        return shown();
      },
    },
  });
  const readAgain = () => opened.app.queryClient.invalidateQueries(currentUserQuery(opened.app.api));
  return { server, sent, readAgain };
}

function missing(names: readonly string[]): Response {
  const details = names.map((name) => ({ path: `body.notification_preferences.${name}`, message: 'Missing.' }));
  return Response.json({ message: 'No.', code: 'VALIDATION_FAILED', request_id: 'req-9', details }, { status: 400 });
}

const mailOfRuns = () => screen.findByRole('switch', { name: 'A run fails, by e-mail' });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save changes' }));
const saved = () => waitFor(() => expect(screen.queryByRole('button', { name: 'Save changes' })).toBeNull());

test('what was saved in another tab meanwhile stays: only what was changed here is sent', async () => {
  const { server, sent } = settings();
  fireEvent.click(await mailOfRuns());
  server.now = { ...server.now, webhook_url: newAddress, digest: 'daily' };
  save();
  await saved();
  expect(sent).toEqual([{ kinds: { run_failed: { mail: true } } }]);
  expect(server.now).toMatchObject({ webhook_url: newAddress, digest: 'daily' });
  expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe(newAddress);
});

test('what was saved in another tab shows as soon as it is read, and is not taken for a change of this one', async () => {
  const { server, sent, readAgain } = settings();
  fireEvent.click(await mailOfRuns());
  server.now = { ...server.now, webhook_url: newAddress };
  await readAgain();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe(newAddress));
  fireEvent.click(screen.getByRole('radio', { name: 'Every hour' }));
  save();
  await saved();
  expect(sent).toEqual([{ kinds: { run_failed: { mail: true } }, digest: 'hourly' }]);
  expect(server.now.webhook_url).toBe(newAddress);
});

test('a server of the release before is sent all of them', async () => {
  const { sent } = settings({ takesParts: false });
  fireEvent.click(await mailOfRuns());
  save();
  await saved();
  const whole = { ...rest, kinds: { ...kinds, run_failed: { ...kinds.run_failed, mail: true } } };
  expect(sent).toEqual([{ kinds: { run_failed: { mail: true } } }, whole]);
});

test('what is switched back while it is being saved is the next change, and nothing else is', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { server, sent } = settings({ answered: () => released });
  const field = (await mailOfRuns()) as HTMLInputElement;
  fireEvent.click(field);
  save();
  await waitFor(() => expect(sent).toHaveLength(1));
  fireEvent.click(field);
  expect(field.checked).toBe(false);
  release();
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Save changes' }).hasAttribute('data-loading')).toBe(false),
  );
  expect(field.checked).toBe(false);
  save();
  await saved();
  expect(sent).toEqual([{ kinds: { run_failed: { mail: true } } }, { kinds: { run_failed: { mail: false } } }]);
  expect(server.now.kinds.run_failed.mail).toBe(false);
});
