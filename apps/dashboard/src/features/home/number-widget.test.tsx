import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { failure, showApp } from '../../test-app.tsx';
// Loaded with the file: until it is there, the widgets are others.
import '../../components/widgets/drag-grid.tsx';

vi.setConfig({ testTimeout: 60_000 });
const figures: Dashboard = {
  ...{ log_count: 5, log_size: 5, log_history: [], triggered_alerts: [], alert_history: [] },
  alert_counts: { high: 3, medium: 2, low: 1 },
  mttd_by_type: { manual_mttd: 60, automated_mttd: 60 },
  mttr_by_type: { manual_mttr: 60, automated_mttr: 60 },
};
const DASHBOARD = `GET /api/tenants/${ownTenant}/dashboards`;

test('a figure opens the cases it counts: opened in its time, and those it is taken over', async () => {
  const asked: URLSearchParams[] = [];
  const { router } = showApp('/home', {
    answers: {
      [DASHBOARD]: ({ url }) => {
        asked.push(url.searchParams);
        return Response.json(figures);
      },
    },
  });
  const searchOf = async (name: RegExp) => {
    const link = await screen.findByRole('link', { name });
    const { search } = new URL(link.getAttribute('href') ?? '', 'https://air.test');
    return router.options.parseSearch?.(search) ?? {};
  };
  const high = await searchOf(/High priority alerts/);
  expect(high).toMatchObject({ filters: { severity: ['critical', 'high'] } });
  // Whatever the figure has counted lies between them.
  const counted = asked.find((query) => query.get('limit') !== '1');
  const { startTime, endTime } = high;
  expect(String(startTime) >= String(counted?.get('start_time'))).toBe(true);
  expect(String(endTime) >= String(counted?.get('end_time'))).toBe(true);
  expect(Date.parse(String(endTime)) - Date.parse(String(startTime))).toBe(7 * 86_400_000);
  const means = [
    [/Manual MTTD/, 'manual_mttd'],
    [/Manual MTTR/, 'manual_mttr'],
    [/Automated MTTD/, 'automated_mttd'],
    [/Automated MTTR/, 'automated_mttr'],
  ] as const;
  for (const [name, figure] of means) {
    const search = await searchOf(name);
    expect(search).toMatchObject({ figure });
    expect(search).toHaveProperty('endTime');
    expect(search).not.toHaveProperty('filters');
  }
});

test('while days that were just chosen are read, the figures before dim and lead nowhere', async () => {
  const id = '01920000-0000-7000-8000-000000000301';
  const alert = { id, title: 'Password guessing', priority: 1, timestamp: '2026-11-21T10:00:00.000Z', source: 'sshd' };
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  showApp('/home', {
    answers: {
      [DASHBOARD]: async ({ url }) => {
        const isChosen = Date.parse(url.searchParams.get('start_time') ?? '') < Date.parse('2021-01-01');
        if (isChosen) await released;
        const alert_counts = { ...figures.alert_counts, high: isChosen ? 9 : 3 };
        return Response.json({ ...figures, alert_counts, triggered_alerts: [alert] });
      },
    },
  });
  const widget = (name: string) => within(screen.getByRole('region', { name }));
  // Those that can be dragged take over from those that cannot.
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Move High priority alerts' })).toHaveProperty('disabled', false),
  );
  await screen.findByRole('link', { name: /^3, High priority alerts/ });
  await screen.findByRole('link', { name: 'Show all cases' });

  fireEvent.click(screen.getByRole('button', { name: 'Last 7 days: period of all widgets' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Custom range…' }));
  fireEvent.change(await screen.findByLabelText('First day'), { target: { value: '01/01/2020' } });
  fireEvent.change(screen.getByLabelText('Last day'), { target: { value: '01/31/2020' } });
  fireEvent.click(screen.getByRole('button', { name: 'Show this period' }));

  await waitFor(() => expect(screen.queryByRole('link', { name: /High priority alerts/ })).toBeNull());
  expect(widget('High priority alerts').getByText('3').closest('[data-dimmed]')).not.toBeNull();
  expect(widget('Triggered alerts').getByText('Password guessing').closest('[data-dimmed]')).not.toBeNull();
  expect(screen.queryByRole('link', { name: 'Show all cases' })).toBeNull();

  release();
  const link = await screen.findByRole('link', { name: /^9, High priority alerts/ });
  const { searchParams } = new URL(link.getAttribute('href') ?? '', 'https://air.test');
  expect([searchParams.get('startTime'), searchParams.get('endTime')]).toEqual([
    new Date(2020, 0, 1).toISOString(),
    new Date(2020, 1, 1).toISOString(),
  ]);
  await screen.findByRole('link', { name: 'Show all cases' });
});

test('a figure that does not load says all there is to say where everybody can read it', async () => {
  showApp('/home', { answers: { [DASHBOARD]: () => failure(403, 'ROLE_TOO_LOW', 'Your role is too low.') } });
  const widget = await screen.findByRole('region', { name: 'Log volume' });
  await within(widget).findByText('Unable to load dashboard list.');
  expect(within(widget).getByText('Please refresh and try again. (Your role is too low.)')).toBeTruthy();
});
