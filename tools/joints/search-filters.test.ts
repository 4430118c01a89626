import type { FilterOperator } from '@airdeck/contracts/search/schema';
import { searchColumns } from '@airdeck/query-language/search-columns';
import { writeField, writeTerm, writeValue } from '@airdeck/query-language/write-term';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { negated } from '../../apps/dashboard/src/components/event-criteria/filter-list.ts';
import {
  FILTER_VALUE_MAX,
  FILTER_VALUES_MAX,
  filterOps,
  type UrlFilter,
  valuesOf,
} from '../../apps/dashboard/src/components/event-criteria/url-filter.ts';
import { type EventSearch, eventSearch } from '../../apps/dashboard/src/features/search/event-search.ts';
import { selectionOf } from '../../apps/dashboard/src/features/search/search-selection.ts';
import { DEFAULT_RANGE, windowOf } from '../../apps/dashboard/src/features/search/time-range.ts';
import { searchQueries } from '../../apps/dashboard/src/queries/search.ts';
import { type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct();
});
afterAll(() => product?.close());

/** A column of each kind: those of one kind are asked in the same way. */
const oneOfEachKind = [...new Map([...searchColumns].map(([name, { kind }]) => [kind, name])).values()];
const now = new Date('2026-11-28T12:00:00.000Z');
const fields = [...oneOfEachKind, 'fields.user', 'winlog.event_data.Target User', 'a "b" \\ c:d', 'list.0.name'];

/** What fits a field, as somebody types it. */
function valueFor(field: string): string {
  const fitting = { time: '2026-11-28T12:00:00Z', address: '192.0.2.10', id: 'c0ffee00-0000-4000-8000-000000000001' };
  const kind = searchColumns.get(field)?.kind;
  return kind === 'time' || kind === 'address' || kind === 'id' ? fitting[kind] : '7';
}

function filterFor(field: string, op: FilterOperator): UrlFilter {
  const value = valueFor(field);
  const values = { none: {}, one: { value }, several: { value: [value] } };
  return { field, op, ...values[valuesOf(op)] };
}

function searchOf(part: EventSearch): EventSearch {
  const search = eventSearch(part);
  // What is refused of an address is left out of it, and would then not be asked.
  expect(search).toEqual(part);
  return search;
}

function ask(search: EventSearch) {
  const { queryClient, tenantApi } = product;
  const window = windowOf(search.timeRange ?? DEFAULT_RANGE, now, 'UTC');
  if (window === undefined) throw new Error('No range.');
  return queryClient.fetchInfiniteQuery(
    searchQueries.run(tenantApi, selectionOf(search, window), search.sort ?? 'newest'),
  );
}

async function refusalOf(filter: UrlFilter): Promise<string | undefined> {
  try {
    await ask(searchOf({ filters: [filter] }));
    return undefined;
  } catch (error) {
    return `${filter.field} ${filter.op}: ${String(error)}`;
  }
}

/** Times are compared as a whole, and sentences have no order: the search says so in words. */
const isPart: ReadonlySet<FilterOperator> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with']);
const isOrder: ReadonlySet<FilterOperator> = new Set(['gt', 'gte', 'lt', 'lte']);
const isFit = ({ field, op }: UrlFilter): boolean => {
  const kind = searchColumns.get(field)?.kind;
  return !(kind === 'time' && isPart.has(op)) && !(kind === 'text' && isOrder.has(op));
};

test.each(filterOps)('"%s" can be asked of every field that has what it compares', async (op) => {
  for (const filter of fields.map((field) => filterFor(field, op))) {
    if (isFit(filter)) expect(await refusalOf(filter)).toBeUndefined();
    else expect(await refusalOf(filter)).toMatch(/QUERY_NOT_A_TIME|QUERY_RANGE_OF_TEXT/);
    expect(negated(filter)?.op ?? op).toBeOneOf([...filterOps]);
  }
});

test('values as long and as many as the dialog takes them can be asked', async () => {
  const long = 'x'.repeat(FILTER_VALUE_MAX);
  const many = Array.from({ length: FILTER_VALUES_MAX }, (_, index) => `user ${index}`);
  const filters: UrlFilter[] = [
    { field: 'user', op: 'is', value: '' },
    { field: 'user', op: 'is', value: long },
    { field: 'src_ip', op: 'is_not', value: '2001:db8::/32' },
    { field: 'user', op: 'one_of', value: many },
    { field: 'user', op: 'not_one_of', value: [''] },
    { field: 'user', op: 'contains', value: '\\*?"(){}[]:/~^' },
  ];
  expect(await Promise.all(filters.map(refusalOf))).toEqual(filters.map(() => undefined));
});

test('what a menu of a value writes into the query is understood', async () => {
  const values = [
    '',
    'root',
    '*',
    'a "b" \\',
    'NOT',
    '192.0.2.0/24',
    'now-1d',
    '(x:y)',
    '[1 TO 2]',
    ' /x/ ',
    '-5',
    '>5',
  ];
  const named = fields.filter((each) => !['time', 'id'].includes(searchColumns.get(each)?.kind ?? ''));
  for (const value of values)
    await ask(searchOf({ query: named.map((field) => writeTerm(field, value)).join(' OR ') }));
  await ask(
    searchOf({
      query: values
        .filter((value) => value !== '')
        .map(writeValue)
        .join(' AND '),
    }),
  );
  const fitting = fields.map((field) => `${writeField(field)}:${writeValue(valueFor(field))}`);
  await ask(searchOf({ query: fitting.join(' OR ') }));
});
