import type { TenantOverview } from '@airdeck/contracts/overview/schema';
import { plainLetters } from '../../lib/plain-letters.ts';
import type { OverviewSort, SortColumn } from './overview-search.ts';

export const openTotal = ({ open_cases: { critical, high, medium, low } }: TenantOverview): number =>
  critical + high + medium + low;

/** Smallest first; null where there is nothing to compare. */
const keys: Readonly<Record<Exclude<SortColumn, 'name' | 'open'>, (of: TenantOverview) => number | null>> = {
  sla: (of) => of.sla_breaches,
  connectors: (of) => of.connectors.error,
  event: (of) => (of.last_event_at === null ? null : Date.parse(of.last_event_at)),
  mttd: (of) => of.mttd_by_type.manual_mttd ?? of.mttd_by_type.automated_mttd,
  mttr: (of) => of.mttr_by_type.manual_mttr ?? of.mttr_by_type.automated_mttr,
};

/** Severity by severity, as one compares them: one critical case outweighs any number of others. */
function bySeverity(one: TenantOverview, other: TenantOverview): number {
  const [a, b] = [one.open_cases, other.open_cases];
  return a.critical - b.critical || a.high - b.high || a.medium - b.medium || a.low - b.low;
}

function compare(column: SortColumn, one: TenantOverview, other: TenantOverview): number {
  if (column === 'name') return one.name.localeCompare(other.name);
  if (column === 'open') return bySeverity(one, other);
  return (keys[column](one) ?? 0) - (keys[column](other) ?? 0);
}

/** The tenants whose name has the text, in the order asked for; those without a value come last either way. */
export function shownTenants(
  tenants: readonly TenantOverview[],
  { q, sort }: { q?: string | undefined; sort?: OverviewSort | undefined },
): readonly TenantOverview[] {
  const wanted = q === undefined ? undefined : plainLetters(q);
  const found = wanted === undefined ? tenants : tenants.filter(({ name }) => plainLetters(name).includes(wanted));
  if (sort === undefined) return found;
  const down = sort.startsWith('-');
  const column = (down ? sort.slice(1) : sort) as SortColumn;
  const isEmpty = (of: TenantOverview) => column !== 'name' && column !== 'open' && keys[column](of) === null;
  return found.toSorted(
    (one, other) => Number(isEmpty(one)) - Number(isEmpty(other)) || (down ? -1 : 1) * compare(column, one, other),
  );
}

export type OverviewTotals = {
  tenants: number;
  openCases: number;
  urgentCases: number;
  slaBreaches: number;
  connectorErrors: number;
  automationOff: number;
};

export function totalsOf(tenants: readonly TenantOverview[]): OverviewTotals {
  const sum = (of: (tenant: TenantOverview) => number) => tenants.reduce((total, tenant) => total + of(tenant), 0);
  return {
    tenants: tenants.length,
    openCases: sum(openTotal),
    urgentCases: sum(({ open_cases: { critical, high } }) => critical + high),
    slaBreaches: sum(({ sla_breaches }) => sla_breaches),
    connectorErrors: sum(({ connectors }) => connectors.error),
    automationOff: sum(({ automation_enabled }) => (automation_enabled ? 0 : 1)),
  };
}
