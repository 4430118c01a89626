import { type ExecutiveReport, executiveReportTables } from '@airdeck/contracts/reports/executive-report';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './executive-page.tsx';
import { reportSettings } from './report-settings-fixture.ts';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.restoreAllMocks());

test.each([
  ['2026-12-01T05:00:00.000Z', /^The first one is made on December 1, 2026, or whenever somebody asks for one\.$/],
  [null, /“Each month” is off\.$/],
])('an empty list says when the first report is made, with the next one at %s', async (next, words) => {
  const path = `/api/tenants/${ownTenant}/reports`;
  const settings = reportSettings({ enabled: next !== null, next_report_at: next });
  const me = userWith({ own: 'Admin' });
  for (const { sku_info } of Object.values(me.tenants)) sku_info.is_mdr_enabled = true;
  showApp('/mdr/executive-reports', {
    me,
    answers: {
      [`GET ${path}`]: () => Response.json({ files: [] }),
      [`GET ${path}/executive/settings`]: () => Response.json(settings),
    },
  });
  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getAllByRole('button', { name: 'Make a report' })).toHaveLength(1);
});

const report: ExecutiveReport = {
  ...{ id: '01920000-0000-7000-8000-000000000e01', name: 'October 2026', kind: 'monthly', month: '2026-10' },
  ...{ period_start: '2026-10-01T00:00:00.000Z', period_end: '2026-11-01T00:00:00.000Z' },
  ...{ locale: 'en-US', time_zone: 'UTC', status: 'success', failure: null, created_by: 'system' },
  ...{ created_at: '2026-11-01T00:00:00.000Z', finished_at: '2026-11-01T00:01:00.000Z' },
  ...{ size_bytes: 5, pages: 9, expires_at: '2027-12-01T00:00:00.000Z' },
};

test('each table of a report can be had as CSV', async () => {
  const path = `/api/tenants/${ownTenant}/reports`;
  const me = userWith({ own: 'ReadOnly' });
  for (const { sku_info } of Object.values(me.tenants)) sku_info.is_mdr_enabled = true;
  const asked: string[] = [];
  const saved: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:a-file', revokeObjectURL: () => undefined });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  showApp('/mdr/executive-reports', {
    me,
    answers: {
      [`GET ${path}`]: () => Response.json({ files: [report, { ...report, id: ownTenant, status: 'running' }] }),
      [`GET ${path}/${report.id}/csv`]: ({ url }) => {
        asked.push(url.searchParams.get('table') ?? '');
        return new Response('a,b\r\n', { headers: { 'content-type': 'text/csv' } });
      },
    },
  });
  for (let index = 0; index < executiveReportTables.length; index += 1) {
    // One that is still being made has none yet.
    fireEvent.click(await screen.findByRole('button', { name: 'Tables of October 2026 as CSV' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items).toHaveLength(executiveReportTables.length);
    fireEvent.click(items[index] as HTMLElement);
    await waitFor(() => expect(saved).toHaveLength(index + 1));
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  }
  expect(asked).toEqual(executiveReportTables);
  expect(saved[0]).toBe('2026-10-figures.csv');
});
