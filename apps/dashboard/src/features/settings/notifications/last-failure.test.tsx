import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { showApp } from '../../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });

test('what a channel refused for good stands beside it with its reason, until a test of it is taken', async () => {
  const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
  let failures = [{ channel: 'slack', at, message: 'The channel of the address is archived.' }];
  showApp('/settings/notifications', {
    answers: {
      'GET /me/notification_slack': () => Response.json({ slack: { host: 'hooks.example.com', set_at: at }, failures }),
      'POST /me/notification_test': () => {
        failures = [];
        return Response.json({ ok: true, message: 'The test was accepted.' });
      },
    },
  });
  const words = /did not arrive\. The channel of the address is archived\./;
  expect(await screen.findAllByText(words)).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Send a test to Slack' }));
  await screen.findByText('The test was accepted.');
  await waitFor(() => expect(screen.queryByText(words)).toBeNull());
});
