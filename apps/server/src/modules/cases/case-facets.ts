import type { CaseList, CaseListQuery } from '@airdeck/contracts/cases/schema';
import { caseSeverities, caseStatuses } from '@airdeck/contracts/statuses';
import { type FacetCell, listOf } from './case-reads.ts';

type Facet = keyof CaseList['facets'];

const MAX_VALUES = 100;

const valuesOf: Readonly<Record<Facet, (cell: FacetCell) => readonly string[]>> = {
  status: (cell) => [cell.status],
  severity: (cell) => [cell.severity],
  source: (cell) => cell.log_sources,
  category: (cell) => (cell.category === '' ? [] : [cell.category]),
};

/**
 * Total and facets from the counted combinations. A facet ignores its own filter and obeys the others, so that its
 * counts say what choosing another value would give.
 */
export function summarise(
  cells: readonly FacetCell[],
  query: CaseListQuery,
): { total: number; facets: CaseList['facets'] } {
  const chosen: Readonly<Record<Facet, readonly string[] | undefined>> = {
    status: query.status,
    severity: query.severity,
    source: query.source ? listOf(query.source) : undefined,
    category: query.category ? listOf(query.category) : undefined,
  };
  const fits = (cell: FacetCell, except?: Facet) =>
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
  return {
    total: cells.filter((cell) => fits(cell)).reduce((sum, cell) => sum + cell.count, 0),
    facets: {
      status: inOrder(counted('status'), caseStatuses),
      severity: inOrder(counted('severity'), caseSeverities.toReversed()),
      source: mostFirst(counted('source')),
      category: mostFirst(counted('category')),
    },
  };
}

function inOrder(counts: ReadonlyMap<string, number>, order: readonly string[]): { value: string; count: number }[] {
  return order.map((value) => ({ value, count: counts.get(value) ?? 0 }));
}

function mostFirst(counts: ReadonlyMap<string, number>): { value: string; count: number }[] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
    .slice(0, MAX_VALUES);
}
