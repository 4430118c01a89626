import type { FilterOperator, SearchFilter } from '@airdeck/contracts/search/schema';

/** What an address and a form hold of one filter. `off` keeps it there without asking it. */
export type UrlFilter = {
  readonly field: string;
  readonly op: FilterOperator;
  /** A list for `one_of` and `not_one_of`, nothing for `exists` and `not_exists`. */
  readonly value?: string | readonly string[] | undefined;
  readonly off?: true | undefined;
};

/** Named here again, as addresses are read before schemas are loaded. */
export const filterOps = [
  'is',
  'is_not',
  'one_of',
  'not_one_of',
  'exists',
  'not_exists',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'gt',
  'gte',
  'lt',
  'lte',
] as const satisfies readonly FilterOperator[];

/** Bounds of the API, here again for the same reason. */
export const FILTER_VALUE_MAX = 1000;
export const FILTER_VALUES_MAX = 100;

/** How many values a filter takes. */
export function valuesOf(op: FilterOperator): 'none' | 'one' | 'several' {
  if (op === 'exists' || op === 'not_exists') return 'none';
  return op === 'one_of' || op === 'not_one_of' ? 'several' : 'one';
}

/** As the API takes it. */
export function apiFilter({ field, op, value }: UrlFilter): SearchFilter {
  return { field, op, ...(value === undefined ? {} : { value: typeof value === 'string' ? value : [...value] }) };
}

/** As addresses have it: every value is a text. */
export function urlFilter({ field, op, value }: SearchFilter): UrlFilter {
  if (value === undefined) return { field, op };
  return { field, op, value: Array.isArray(value) ? value.map(String) : String(value) };
}
