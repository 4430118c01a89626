/** Pages that were left since the dashboard was loaded, newest first, by tenant. In memory only: titles name cases and people. */
export type Visit = { readonly title: string; readonly href: string };

export type RecentVisits = {
  note(tenantId: string, visit: Visit): void;
  of(tenantId: string): readonly Visit[];
};

const KEPT = 6;

export function createRecentVisits(): RecentVisits {
  const visits = new Map<string, readonly Visit[]>();
  const of = (tenantId: string) => visits.get(tenantId) ?? [];
  return {
    note(tenantId, visit) {
      // A list with another filter is the same place.
      const others = of(tenantId).filter(({ href, title }) => href !== visit.href && title !== visit.title);
      visits.set(tenantId, [visit, ...others].slice(0, KEPT));
    },
    of,
  };
}
