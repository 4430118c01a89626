/**
 * Links from outside into the dashboard. Whoever works in several tenants is led into the right one; whoever has one only
 * would not know what the rest of the address is for.
 */
type Linked = { tenant_id: string; kind: string; link: string | null };
type Place = { ownAddress: string; tenants: ReadonlyMap<string, string> };

export function dashboardLink(row: Linked, place: Place): string | undefined {
  return row.link === null ? undefined : atTenant(row.link, row, place);
}

/** The same for a link of its own, such as an answer. */
export function atTenant(link: string, row: Linked, { ownAddress, tenants }: Place): string {
  const isNamed = tenants.size > 1 && row.kind !== 'account_security';
  return `${ownAddress}${isNamed ? namingTenant(link, row.tenant_id) : link}`;
}

export function namingTenant(link: string, tenant: string): string {
  return `${link}${link.includes('?') ? '&' : '?'}tenant=${tenant}`;
}
