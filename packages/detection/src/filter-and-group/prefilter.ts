import type { Criterion } from '@airdeck/contracts/policies/schema';

/** At least one of the values (lower case) must stand in the field, or the policy cannot fit. */
export type RequiredValues = { readonly field: string; readonly values: readonly string[] };

/**
 * Finds a condition that is cheap to look up and that every matching event must meet: the equality with the fewest
 * alternatives among the criteria that all must hold. Undefined when there is none; the policy is then always tried.
 */
export function requiredValuesOf(criteria: readonly Criterion[]): RequiredValues | undefined {
  let best: RequiredValues | undefined;
  for (const criterion of criteria) {
    const found = requiredBy(criterion);
    if (found !== undefined && (best === undefined || found.values.length < best.values.length)) best = found;
  }
  return best;
}

function requiredBy(criterion: Criterion): RequiredValues | undefined {
  if ('all' in criterion) return requiredValuesOf(criterion.all);
  if ('any' in criterion) return requiredByAny(criterion.any);
  if ('not' in criterion) return undefined;
  const { field, operator, value } = criterion;
  if (operator !== 'equals' && operator !== 'in') return undefined;
  const wanted = Array.isArray(value) ? value : [value];
  // Lower case is a necessary condition of the case-sensitive comparison too.
  return { field, values: [...new Set(wanted.map((one) => String(one).toLowerCase()))] };
}

/** Alternatives help only when each of them asks for values of one and the same field. */
function requiredByAny(alternatives: readonly Criterion[]): RequiredValues | undefined {
  const values = new Set<string>();
  let field: string | undefined;
  for (const alternative of alternatives) {
    const required = requiredBy(alternative);
    if (required === undefined || (field !== undefined && required.field !== field)) return undefined;
    field = required.field;
    for (const value of required.values) values.add(value);
  }
  return field === undefined ? undefined : { field, values: [...values] };
}
