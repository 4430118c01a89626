import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const figures: Dashboard = {
  ...{ log_count: 5, log_size: 5, log_history: [], triggered_alerts: [], alert_history: [] },
  alert_counts: { high: 3, medium: 2, low: 1 },
  mttd_by_type: { manual_mttd: 60, automated_mttd: 60 },
  mttr_by_type: { manual_mttr: 60, automated_mttr: 60 },
};

test('a figure opens the cases it counts: opened in its time, and those it is taken over', async () => {
  const asked: URLSearchParams[] = [];
  const { router } = showApp('/home', {
    answers: {
      [`GET /api/tenants/${ownTenant}/dashboards`]: ({ url }) => {
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
