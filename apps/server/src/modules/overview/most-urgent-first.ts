import type { TenantOverview } from '@airdeck/contracts/overview/schema';

/** What makes a tenant more urgent than another, the weightiest first; more of it is more urgent. */
const reasons: readonly ((tenant: TenantOverview) => number)[] = [
  ({ open_cases }) => open_cases.critical,
  ({ sla_breaches }) => sla_breaches,
  ({ open_cases }) => open_cases.high,
  ({ connectors }) => connectors.error,
  ({ open_cases }) => open_cases.medium,
  ({ open_cases }) => open_cases.low,
];

/** Where nothing differs, by name and id, so that the order stays as it is from one look to the next. */
export function mostUrgentFirst(a: TenantOverview, b: TenantOverview): number {
  for (const reason of reasons) {
    const difference = reason(b) - reason(a);
    if (difference !== 0) return difference;
  }
  return a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);
}
