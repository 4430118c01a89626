import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });

test('an event the server does not know yet is not offered', async () => {
  const { user, ...rest } = userWith();
  const { work_stalled: _, ...known } = user.notification_preferences.kinds;
  const preferences = { ...user.notification_preferences, kinds: known };
  showApp('/settings/notifications', {
    me: () => Response.json({ ...rest, user: { ...user, notification_preferences: preferences } }),
  });
  await screen.findByRole('switch', { name: 'A run fails, by e-mail' });
  expect(screen.queryByRole('switch', { name: 'Nobody takes up work, by e-mail' })).toBeNull();
});
