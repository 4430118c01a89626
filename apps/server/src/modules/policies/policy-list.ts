import { type PolicyList, type PolicyListQuery, policyOrigins } from '@airdeck/contracts/policies/schema';
import { caseSeverities } from '@airdeck/contracts/statuses';
import { listValues } from '@airdeck/contracts/value-list';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { PolicyRow } from './policies-repository.ts';

/** Policies per combination of what they can be filtered by, among those the search text fits. */
type Cell = { enabled: boolean; severity: string; sources: string[]; origin: string; count: number };
type Facet = keyof PolicyList['facets'];

const MAX_SEARCH_WORDS = 10;
const MAX_VALUES = 100;

const valuesOf: Readonly<Record<Facet, (cell: Cell) => readonly string[]>> = {
  enabled: (cell) => [String(cell.enabled)],
  severity: (cell) => [cell.severity],
  source: (cell) => [...new Set(cell.sources)].filter((source) => source !== ''),
  origin: (cell) => [cell.origin],
};

/** One page by name, the total, and the counts of every facet. */
export async function pageOfPolicies(
  tx: Tx,
  scope: TenantScope,
  query: PolicyListQuery,
): Promise<{ rows: PolicyRow[] } & Pick<PolicyList, 'total' | 'facets'>> {
  const searched = searchCondition(scope, query);
  const { rows } = await sql<PolicyRow>`
    select * from policy where ${searched} and ${filterCondition(query)}
    order by lower(rule ->> 'name'), id
    limit ${query.page_size} offset ${(query.page_number - 1) * query.page_size}`.execute(tx);
  const { rows: cells } = await sql<Cell>`
    select enabled, severity, sources, origin, count(*)::int as count from policy
    where ${searched} group by 1, 2, 3, 4`.execute(tx);
  return { rows, ...summarise(cells, query) };
}

/** Every word must be somewhere, and a case not older than that. */
function searchCondition(
  { tenantId }: TenantScope,
  { q, start_time: since }: Pick<PolicyListQuery, 'q' | 'start_time'>,
): RawBuilder<boolean> {
  const words = (q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_SEARCH_WORDS);
  const fits = words.map((word) => sql` and position(${word} in search_text) > 0`);
  const answers =
    since === undefined
      ? sql``
      : sql` and exists (select from case_record c
          where c.tenant_id = ${tenantId} and c.policy_id = policy.id and c.time_opened >= ${since}::timestamptz)`;
  return sql<boolean>`tenant_id = ${tenantId}${sql.join(fits, sql``)}${answers}`;
}

function filterCondition(query: PolicyListQuery): RawBuilder<boolean> {
  const sources = chosenOf(query).source;
  const conditions = [
    sql`true`,
    ...(query.enabled === undefined ? [] : [sql`enabled = ${query.enabled === 'true'}`]),
    ...(query.severity === undefined ? [] : [sql`severity = any(${query.severity}::text[])`]),
    ...(sources === undefined ? [] : [sql`sources ?| ${sources}::text[]`]),
    ...(query.origin === undefined ? [] : [sql`origin = any(${query.origin}::text[])`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function chosenOf(query: PolicyListQuery): Readonly<Record<Facet, readonly string[] | undefined>> {
  const sources = listValues(query.source ?? '')
    .map((source) => source.trim())
    .filter((source) => source !== '');
  return {
    enabled: query.enabled === undefined ? undefined : [query.enabled],
    severity: query.severity,
    source: sources.length === 0 ? undefined : sources,
    origin: query.origin,
  };
}

/** A facet ignores its own filter and obeys the others, so that its counts say what choosing another value would give. */
function summarise(cells: readonly Cell[], query: PolicyListQuery): Pick<PolicyList, 'total' | 'facets'> {
  const chosen = chosenOf(query);
  const fits = (cell: Cell, except?: Facet) =>
    (Object.keys(valuesOf) as Facet[]).every((facet) => {
      const wanted = facet === except ? undefined : chosen[facet];
      return wanted === undefined || valuesOf[facet](cell).some((value) => wanted.includes(value));
    });
  const counted = (facet: Facet) => {
    const counts = new Map<string, number>();
    for (const cell of cells) {
      if (!fits(cell, facet)) continue;
      for (const value of valuesOf[facet](cell)) counts.set(value, (counts.get(value) ?? 0) + cell.count);
    }
    return counts;
  };
  const inOrder = (facet: Facet, order: readonly string[]) => {
    const counts = counted(facet);
    return order.map((value) => ({ value, count: counts.get(value) ?? 0 }));
  };
  return {
    total: cells.filter((cell) => fits(cell)).reduce((sum, cell) => sum + cell.count, 0),
    facets: {
      enabled: inOrder('enabled', ['true', 'false']),
      severity: inOrder('severity', caseSeverities.toReversed()),
      source: [...counted('source')]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
        .slice(0, MAX_VALUES),
      origin: inOrder('origin', policyOrigins),
    },
  };
}
