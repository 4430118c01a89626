import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { foreignTenant, otherTenant, ownTenant, userWith } from '../../session/fixtures.ts';
import { showApp } from '../../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });

const contoso: TenantOverview = {
  id: otherTenant,
  name: 'Contoso Health',
  managed_by: null,
  is_provider: false,
  role: 'ReadOnly',
  sku_name: 'AIR',
  open_cases: { low: 0, medium: 12, high: 1, critical: 3 },
  sla_breaches: 2,
  connectors: { active: 4, paused: 1, error: 1, pending: 0 },
  last_event_at: null,
  automation_enabled: true,
  mttd_by_type: { manual_mttd: null, automated_mttd: null },
  mttr_by_type: { manual_mttr: null, automated_mttr: null },
};
const noCases = {
  ...{ cases: [], total: 0 },
  facets: { status: [], severity: [], source: [], category: [] },
};

function show(tenants: readonly TenantOverview[]) {
  const asked: string[] = [];
  const shown = showApp('/overview', {
    me: userWith({ own: 'Analyst', other: 'ReadOnly' }),
    answers: {
      'GET /api/overview': () => Response.json(tenants),
      [`GET /api/tenants/${otherTenant}/case`]: ({ url }) => {
        asked.push(url.search);
        return Response.json(noCases);
      },
    },
  });
  return { ...shown, asked };
}

test('each figure of a tenant opens what it counts in that tenant, named with it and in the order of the columns', async () => {
  show([contoso]);
  const row = await screen.findByRole('row', { name: /Contoso Health/ });
  const links = within(row)
    .getAllByRole<HTMLAnchorElement>('link')
    .map((link) => {
      const { pathname, searchParams } = new URL(link.href, 'https://air.example');
      return [link.getAttribute('aria-label'), pathname, Object.fromEntries(searchParams)];
    });
  const casesOf = (severity: string) => ({
    tenant: otherTenant,
    filters: JSON.stringify({ status: ['open', 'acknowledged'], severity: [severity] }),
  });
  const list = '/air/case-management';
  expect(links).toEqual([
    ['3 critical cases of Contoso Health', list, casesOf('critical')],
    ['1 high case of Contoso Health', list, casesOf('high')],
    ['12 medium cases of Contoso Health', list, casesOf('medium')],
    ['2 late cases of Contoso Health', list, { tenant: otherTenant, figure: 'late' }],
    [
      '1 failing connector of Contoso Health',
      '/integrations',
      { tenant: otherTenant, filters: JSON.stringify({ state: ['error'] }) },
    ],
  ]);
});

test('following one switches the tenant first, and asks for its cases there', async () => {
  const { app, at, asked, state } = show([contoso]);
  const link = await screen.findByRole('link', { name: '3 critical cases of Contoso Health' });
  expect(app.session.get()?.currentTenant).toBe(ownTenant);
  fireEvent.mouseEnter(link);
  fireEvent.click(link);
  await screen.findByRole('heading', { name: 'Case management' });
  expect(app.session.get()).toMatchObject({ currentTenant: otherTenant, currentRole: 'ReadOnly' });
  expect(at()).toMatch(/^\/air\/case-management\?/);
  await waitFor(() => expect(asked).not.toEqual([]));
  const query = new URLSearchParams(asked[0]);
  expect([query.get('status'), query.get('severity')]).toEqual(['open,acknowledged', 'critical']);
  expect(state.asked.filter((call) => call.includes(`${ownTenant}/case`))).toEqual([]);
});

test('a tenant one is not known to be a member of has its figures, and no link that would be refused', async () => {
  show([{ ...contoso, id: foreignTenant, name: 'Fabrikam' }]);
  const row = await screen.findByRole('row', { name: /Fabrikam/ });
  expect(within(row).getByText('1 failing')).toBeTruthy();
  expect(within(row).queryAllByRole('link')).toEqual([]);
});
