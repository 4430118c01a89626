import type { Operations } from '@airdeck/contracts/operations/schema';
import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
import { tenantSettings } from '../tenant-settings-fixture.ts';
// Loaded with the file, or the first test that opens it would wait for it.
import './operations-panel.tsx';

vi.setConfig({ testTimeout: 30_000 });
const api = `/api/tenants/${ownTenant}`;
const quiet: Operations = {
  at: '2026-11-29T02:00:00.000Z',
  release: '1.0.0',
  processes: [],
  queues: [],
  stalled: null,
  outgoing: { mails: 0, mails_failed: 0, notices: 0 },
  database: { version: '18', bytes: 1, connections: 1, connections_max: 200, oldest_transaction_seconds: null },
  event_store: null,
  archive: null,
  objectives: [],
  answers: [],
};
const archive = { state: 'working', secured_until: null, base_at: null, rebuilt_at: null } as const;

const open = (found: Partial<Operations>) =>
  showApp('/settings/tenant-settings?panel=operations', {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json({ ...tenantSettings, is_provider: true }),
      [`GET ${api}/users`]: () => Response.json([]),
      [`GET ${api}/operations`]: () => Response.json({ ...quiet, ...found }),
    },
  });
const warnings = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);

test('says nothing of work while workers take it, and nothing of an archive that was never damaged', async () => {
  open({ archive });
  await screen.findByText('Work that waits');
  expect(warnings()).toEqual([]);
  expect(screen.queryByText('Progress found again')).toBeNull();
});

test.each([
  [{ due: 1, workers: 0 }, /1 job or schedule is due; it became due .+ No worker is running\. Start a process/],
  [{ due: 3, workers: 0 }, /3 jobs and schedules are due; the oldest became due .+ No worker is running\. Start a/],
  [{ due: 3, workers: 1 }, /The one worker that runs takes none\. Bring it to the release of the others/],
  [{ due: 3, workers: 2 }, /The 2 workers that run take none\. Bring all processes to one release/],
])('says first that nobody takes up work, and what to do: %j', async (stalled, words) => {
  open({ stalled: { since: '2026-11-29T01:50:00.000Z', ...stalled } });
  const alert = await screen.findByRole('alert');
  within(alert).getByText('Nobody takes up work');
  expect(alert.textContent).toMatch(words);
});

test('says that the progress of the archive was found again', async () => {
  open({ archive: { ...archive, rebuilt_at: '2026-11-29T01:50:00.000Z' } });
  await screen.findByText('Progress found again');
  await screen.findByText(/wal\/progress\.json\) was damaged or missing/);
});
