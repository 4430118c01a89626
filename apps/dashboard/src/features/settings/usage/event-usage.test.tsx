import type { EventUsage } from '@airdeck/contracts/reports/log-report';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { failure, type Given, showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test that opens one would wait for it.
import '../customers/customers-panel.tsx';
import './usage-panel.tsx';
import { tenantSettings } from '../tenant-settings-fixture.ts';

vi.setConfig({ testTimeout: 30_000 });
const api = `/api/tenants/${ownTenant}`;
const ownUsage = `GET ${api}/reports/log_collection/usage`;
const customer = {
  id: '01920000-0000-7000-8000-0000000000c1',
  name: 'Bakery',
  sku_info: {
    ...{ sku_name: 'Small', is_mdr_enabled: false, is_search_enabled: true },
    ...{ retention_length_days: 30, search_length_days: 7 },
  },
  created_at: '2026-11-01T00:00:00.000Z',
  users: 1,
  invited: 0,
};

const usage = (by_day: EventUsage['by_day']): EventUsage => ({
  start_time: '2026-11-01T00:00:00.000Z',
  end_time: '2026-11-03T00:00:00.000Z',
  time_zone: 'UTC',
  total: {
    events: by_day.reduce((sum, { events }) => sum + events, 0),
    bytes: by_day.reduce((sum, { bytes }) => sum + bytes, 0),
  },
  previous: { events: 0, bytes: 0 },
  by_day,
});
const twoDays = usage([
  { day: '2026-11-01', events: 1234, bytes: 2048 },
  { day: '2026-11-02', events: 5, bytes: 3 * 1024 * 1024 },
]);

function given(answers: NonNullable<Given['answers']>): Given {
  const settings = { ...tenantSettings, is_provider: true };
  return {
    me: userWith({ own: 'Admin' }),
    answers: {
      [`GET ${api}/settings`]: () => Response.json(settings),
      [`GET ${api}/users`]: () => Response.json([]),
      [`GET ${api}/customers`]: () => Response.json([customer]),
      [`GET ${api}/customers/roles`]: () => Response.json([]),
      [`GET ${api}/telemetry/usage`]: () => Response.json({ own_sink: true, days: [], routes: [], errors: [] }),
      ...answers,
    },
  };
}

const openUsage = (answers: NonNullable<Given['answers']>) =>
  showApp('/settings/tenant-settings?panel=usage', given(answers));
const showTable = () => fireEvent.click(screen.getByRole('radio', { name: 'Table' }));
const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => row.textContent);

test("the tenant's page says how many events and bytes it sends by day, as a chart and as a table", async () => {
  openUsage({ [ownUsage]: () => Response.json(twoDays) });
  expect(await screen.findByRole('img', { name: /^Events by day\./ })).toBeDefined();
  const card = within(screen.getByRole('region', { name: 'Events by day' }));
  const sum = '1,239 events and 3.15 MB in all, counted by the time of the events.';
  expect(card.getByText(sum)).toBeDefined();
  showTable();
  expect(card.getByText(sum)).toBeDefined();
  const table = screen.getByRole('region', { name: 'Events by day as a table' });
  expect(rowsOf(table)).toEqual(['DayEventsVolume', 'Nov 253.15 MB', 'Nov 11,2342.05 kB']);
});

test('other days are asked for as a time that begins with a day of the reader', async () => {
  const starts: number[] = [];
  openUsage({
    [ownUsage]: ({ url: { searchParams } }) => {
      expect(searchParams.get('time_zone')).toBeTruthy();
      starts.push(Date.parse(searchParams.get('start_time') ?? ''));
      return Response.json(twoDays);
    },
  });
  fireEvent.change(await screen.findByRole('combobox', { name: 'Days of the events' }), { target: { value: '90' } });
  await vi.waitFor(() => expect(starts).toHaveLength(2));
  const [month = 0, quarter = 0] = starts;
  expect(Math.round((month - quarter) / 86_400_000)).toBe(60);
});

test('a tenant that sent nothing is told so, and a failure is tried again in its place', async () => {
  let failing = true;
  openUsage({
    [ownUsage]: () =>
      failing
        ? failure(403, 'FORBIDDEN', 'Not now.')
        : Response.json(usage([{ day: '2026-11-01', events: 0, bytes: 0 }])),
  });
  expect(await screen.findByText('Unable to load the volume of events.')).toBeDefined();
  failing = false;
  fireEvent.click(screen.getByRole('button', { name: /try again/i }));
  expect(await screen.findByText('Nothing on this day.')).toBeDefined();
});

test('a provider sees beside the plan of a customer what that customer sends', async () => {
  const answers = { [`GET ${api}/customers/${customer.id}/usage`]: () => Response.json(twoDays) };
  showApp('/settings/tenant-settings?panel=customers', given(answers));
  fireEvent.click(await screen.findByText('Bakery'));
  const panel = await screen.findByRole('dialog', { name: 'Bakery' });
  expect(await within(panel).findByText(/^1,239 events and 3\.15 MB in all/)).toBeDefined();
});
