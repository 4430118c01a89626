import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import { expect, test } from 'vitest';
import { shownTenants, totalsOf } from './overview-rows.ts';
import { isSort, overviewSearch } from './overview-search.ts';

function tenant(name: string, given: Partial<TenantOverview> = {}): TenantOverview {
  return {
    id: name,
    name,
    managed_by: null,
    is_provider: false,
    role: 'Analyst',
    sku_name: 'AIR',
    open_cases: { low: 0, medium: 0, high: 0, critical: 0 },
    sla_breaches: 0,
    connectors: { active: 1, paused: 0, error: 0, pending: 0 },
    last_event_at: null,
    automation_enabled: true,
    mttd_by_type: { manual_mttd: null, automated_mttd: null },
    mttr_by_type: { manual_mttr: null, automated_mttr: null },
    ...given,
  };
}

const tenants = [
  tenant('Contoso', { open_cases: { low: 90, medium: 0, high: 0, critical: 0 }, automation_enabled: false }),
  tenant('Northwind', {
    open_cases: { low: 0, medium: 0, high: 2, critical: 1 },
    sla_breaches: 3,
    last_event_at: '2026-11-21T10:00:00.000Z',
    mttr_by_type: { manual_mttr: 60, automated_mttr: 2 },
  }),
  tenant('Ärzte', {
    connectors: { active: 0, paused: 0, error: 2, pending: 0 },
    last_event_at: '2026-11-21T11:00:00.000Z',
    mttr_by_type: { manual_mttr: null, automated_mttr: 5 },
  }),
];
const names = (search: Parameters<typeof shownTenants>[1]) => shownTenants(tenants, search).map(({ name }) => name);

test('without a sort the order of the server stays: most urgent first', () => {
  expect(names({})).toEqual(['Contoso', 'Northwind', 'Ärzte']);
});

test.each([
  ['name', ['Ärzte', 'Contoso', 'Northwind']],
  ['-open', ['Northwind', 'Contoso', 'Ärzte']],
  ['-sla', ['Northwind', 'Contoso', 'Ärzte']],
  ['-connectors', ['Ärzte', 'Contoso', 'Northwind']],
  ['-event', ['Ärzte', 'Northwind', 'Contoso']],
  ['event', ['Northwind', 'Ärzte', 'Contoso']],
  ['mttr', ['Ärzte', 'Northwind', 'Contoso']],
  ['-mttr', ['Northwind', 'Ärzte', 'Contoso']],
] as const)('sorted by %s; what has no value comes last either way', (sort, order) => {
  expect(names({ sort })).toEqual(order);
});

test('the search finds parts of names in any case', () => {
  expect(names({ q: 'WIND' })).toEqual(['Northwind']);
  expect(names({ q: 'nobody' })).toEqual([]);
});

test('totals count all tenants', () => {
  expect(totalsOf(tenants)).toEqual({
    tenants: 3,
    openCases: 93,
    urgentCases: 3,
    slaBreaches: 3,
    connectorErrors: 2,
    automationOff: 1,
  });
});

test('an address with an unknown sort is taken as without one', () => {
  expect(overviewSearch({ q: 'a', sort: '-open' })).toEqual({ q: 'a', sort: '-open' });
  expect(overviewSearch({ sort: 'password' })).toEqual({});
  expect(isSort('__proto__')).toBe(false);
});
