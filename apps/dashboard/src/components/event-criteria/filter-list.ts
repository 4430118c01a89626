import type { FilterOperator } from '@airdeck/contracts/search/schema';
import { t } from '../../language/translate.ts';
import { type UrlFilter, valuesOf } from './url-filter.ts';

/** Of those that have one. */
const opposites: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  is: 'is_not',
  is_not: 'is',
  one_of: 'not_one_of',
  not_one_of: 'one_of',
  contains: 'not_contains',
  not_contains: 'contains',
  exists: 'not_exists',
  not_exists: 'exists',
  gt: 'lte',
  lte: 'gt',
  gte: 'lt',
  lt: 'gte',
};

export const opWords: Readonly<Record<FilterOperator, string>> = {
  is: t('is'),
  is_not: t('is not'),
  one_of: t('is one of'),
  not_one_of: t('is none of'),
  exists: t('exists'),
  not_exists: t('does not exist'),
  contains: t('contains'),
  not_contains: t('does not contain'),
  starts_with: t('starts with'),
  ends_with: t('ends with'),
  gt: t('is more than'),
  gte: t('is at least'),
  lt: t('is less than'),
  lte: t('is at most'),
};

const negatives: ReadonlySet<FilterOperator> = new Set(['is_not', 'not_one_of', 'not_contains', 'not_exists']);

export function isNegative(op: FilterOperator): boolean {
  return negatives.has(op);
}

/** The same the other way round; undefined where that cannot be said with one filter. */
export function negated(filter: UrlFilter): UrlFilter | undefined {
  const op = opposites[filter.op];
  return op === undefined ? undefined : { ...filter, op };
}

/** "user is not root": what a chip says. */
export function filterText({ field, op, value }: UrlFilter): string {
  if (valuesOf(op) === 'none') return `${field} ${opWords[op]}`;
  const values = (typeof value === 'string' ? [value] : (value ?? [])).map((each) =>
    each === '' ? t('(empty)') : each,
  );
  return `${field} ${opWords[op]} ${values.join(', ')}`;
}

/** With one more; the same and its opposite give way to it, so that "only" after "not" means only. */
export function withFilter(filters: readonly UrlFilter[] | undefined, added: UrlFilter): UrlFilter[] {
  const opposite = opposites[added.op];
  const others = (filters ?? []).filter(
    ({ field, op, value }) =>
      field !== added.field || String(value) !== String(added.value) || (op !== added.op && op !== opposite),
  );
  return [...others, added];
}

export function withoutFilter(filters: readonly UrlFilter[] | undefined, at: number): UrlFilter[] | undefined {
  const rest = (filters ?? []).filter((_, index) => index !== at);
  return rest.length === 0 ? undefined : rest;
}

export function changedFilter(filters: readonly UrlFilter[] | undefined, at: number, to: UrlFilter): UrlFilter[] {
  return (filters ?? []).map((filter, index) => (index === at ? to : filter));
}

export function switched({ off, ...filter }: UrlFilter): UrlFilter {
  return off === true ? filter : { ...filter, off: true };
}
