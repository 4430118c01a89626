import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ownTenant, userWith } from '../../../session/fixtures.ts';
import { showApp } from '../../../test-app.tsx';
// Loaded with the file, or the first test would wait for it.
import './executive-page.tsx';
import { reportSettings } from './report-settings-fixture.ts';

vi.setConfig({ testTimeout: 30_000 });
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
