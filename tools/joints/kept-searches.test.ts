/** What keeps a search with all its filters: saved searches, exports, schedules of reports. */
import type { ReportSchedule } from '@airdeck/contracts/reports/schema';
import type { FilterOperator } from '@airdeck/contracts/search/schema';
import { searchColumns } from '@airdeck/query-language/search-columns';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filterOps, type UrlFilter, valuesOf } from '../../apps/dashboard/src/components/event-criteria/url-filter.ts';
import {
  bodyOf,
  fieldsOf,
  problemsOf,
  type ScheduleFields,
} from '../../apps/dashboard/src/features/report/schedule-fields.ts';
import { periodIds, reachesWith } from '../../apps/dashboard/src/features/report/schedule-words.ts';
import { type EventSearch, eventSearch } from '../../apps/dashboard/src/features/search/event-search.ts';
import {
  isChanged,
  openedSearch,
  savedBody,
  selectionOf,
} from '../../apps/dashboard/src/features/search/search-selection.ts';
import { DEFAULT_RANGE, rangePresets, windowOf } from '../../apps/dashboard/src/features/search/time-range.ts';
import { contactBodyOf, emptyContact } from '../../apps/dashboard/src/features/settings/contacts/contact-fields.ts';
import { BROWSER_ZONE, zoneOptions } from '../../apps/dashboard/src/lib/time-zones.ts';
import { contactMutations } from '../../apps/dashboard/src/queries/contacts.ts';
import { searchMutations, searchQueries } from '../../apps/dashboard/src/queries/search.ts';
import { searchReportMutations, searchReportQueries } from '../../apps/dashboard/src/queries/search-reports.ts';
import { type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct('Admin');
});
afterAll(() => product?.close());

const fields = [...searchColumns.keys(), 'fields.user', 'winlog.event_data.Target User', 'a "b" \\ c:d', 'list.0.name'];

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

/** Times are compared as a whole, and sentences have no order: the search says so in words. */
const isPart: ReadonlySet<FilterOperator> = new Set(['contains', 'not_contains', 'starts_with', 'ends_with']);
const isOrder: ReadonlySet<FilterOperator> = new Set(['gt', 'gte', 'lt', 'lte']);
const isFit = ({ field, op }: UrlFilter): boolean => {
  const kind = searchColumns.get(field)?.kind;
  return !(kind === 'time' && isPart.has(op)) && !(kind === 'text' && isOrder.has(op));
};
const askable = filterOps.flatMap((op) => fields.map((field) => filterFor(field, op))).filter(isFit);

const everything = (part: EventSearch = {}): EventSearch => ({
  integrations: ['okta', 'okta:system_log', 'fortigate:traffic:forward'],
  query: 'outcome:failure AND NOT user:root',
  filters: askable.filter(({ op }) => !isPart.has(op)).slice(0, 40),
  sort: 'oldest',
  columns: ['time', 'message', 'winlog.event_data.Target User'],
  ...part,
});

async function savedAndOpened(search: EventSearch, name: string): Promise<void> {
  const { queryClient, tenantApi } = product;
  const body = savedBody(search, name, false);
  const creating = searchMutations.save(tenantApi, queryClient);
  const { id } = await queryClient.getMutationCache().build(queryClient, creating).execute(body);
  const list = await queryClient.fetchQuery({ ...searchQueries.saved(tenantApi), staleTime: 0 });
  const saved = list.find((each) => each.id === id);
  if (saved === undefined) throw new Error('Not in the list.');
  const opened = eventSearch(openedSearch(saved));
  expect(opened).toEqual({ ...search, saved: id });
  expect(isChanged(opened, saved)).toBe(false);

  const changing = searchMutations.change(tenantApi, queryClient);
  const replace = (what: EventSearch, shared: boolean, replaces: string) =>
    queryClient
      .getMutationCache()
      .build(queryClient, changing)
      .execute({ id, body: { ...savedBody(what, name, shared), replaces } });
  const again = await replace(opened, false, saved.updated_at);
  expect(eventSearch(openedSearch(again))).toEqual(opened);
  const other = { ...opened, query: 'changed' };
  expect(isChanged(other, again)).toBe(true);
  const changed = await replace(other, true, again.updated_at);
  expect([changed.shared, eventSearch(openedSearch(changed))]).toEqual([true, other]);
}

describe('a saved search', () => {
  test('of nothing but the usual is opened as it was', () => savedAndOpened(searchOf({}), 'Nothing'));

  test('with everything is opened as it was', () => savedAndOpened(searchOf(everything()), 'Everything'));

  test.each(filterOps)('with filters by "%s" is opened as it was', (op) =>
    savedAndOpened(searchOf({ filters: askable.filter((filter) => filter.op === op).slice(0, 4) }), `By ${op}`),
  );

  test.each(rangePresets.map((preset) => [preset.name, preset] as const))(
    'of %s is opened as it was',
    (name, preset) => {
      const { start, end } = preset;
      const usual = start === DEFAULT_RANGE.start && end === DEFAULT_RANGE.end;
      return savedAndOpened(searchOf(usual ? {} : { timeRange: { start, end } }), name);
    },
  );

  test('of two moments is opened as it was', () =>
    savedAndOpened(
      searchOf({ timeRange: { start: '2026-11-01T00:00:00.000Z', end: '2026-11-02T10:00:00+02:00' } }),
      'Two moments',
    ));
});

async function contacts(): Promise<string[]> {
  const { queryClient, tenantApi, intent } = product;
  const creating = contactMutations.create(tenantApi, queryClient, intent);
  const body = contactBodyOf({ ...emptyContact, name: 'Ana', email: 'ana@example.com' });
  await queryClient.getMutationCache().build(queryClient, creating).execute(body);
  return (await queryClient.fetchQuery(searchReportQueries.recipients(tenantApi))).map(({ id }) => id);
}

async function scheduled(fields: ScheduleFields): Promise<ReportSchedule> {
  const { queryClient, tenantApi, intent } = product;
  expect(problemsOf(fields)).toEqual({});
  const creating = searchReportMutations.createSchedule(tenantApi, queryClient, intent);
  const { id } = await queryClient.getMutationCache().build(queryClient, creating).execute(bodyOf(fields));
  const schedule = await readSchedule(id);
  expect(fieldsOf({ schedule }, 'UTC')).toEqual(fields);
  return schedule;
}

async function readSchedule(id: string): Promise<ReportSchedule> {
  const { queryClient, tenantApi } = product;
  const list = await queryClient.fetchQuery({ ...searchReportQueries.schedules(tenantApi), staleTime: 0 });
  const schedule = list.find((each) => each.id === id);
  if (schedule === undefined) throw new Error('Not in the list.');
  return schedule;
}

async function rescheduled({ id, updated_at }: ReportSchedule, fields: ScheduleFields): Promise<ReportSchedule> {
  const { queryClient, tenantApi } = product;
  const changing = searchReportMutations.setSchedule(tenantApi, queryClient);
  const body = bodyOf(fields);
  await queryClient.getMutationCache().build(queryClient, changing).execute({ id, body, updatedAt: updated_at });
  const schedule = await readSchedule(id);
  expect(fieldsOf({ schedule }, 'UTC')).toEqual(fields);
  return schedule;
}

describe('a schedule of reports', () => {
  const begun = (name: string): ScheduleFields => ({ ...fieldsOf({}, 'UTC'), name });

  test('with its name only is saved, saved again, and changed', async () => {
    const fields = begun('Everything there is');
    const again = await rescheduled(await scheduled(fields), fields);
    await rescheduled(again, { ...fields, enabled: false, clock: '23:59' });
  });

  test.each(filterOps)('with filters by "%s" is kept', async (op) => {
    const filters = askable.filter((filter) => filter.op === op).slice(0, 4);
    await scheduled({ ...begun(`By ${op}`), filters });
  });

  test.each(periodIds)('made %s, with everything, is saved, saved again, and changed', async (period) => {
    const { integrations = [], filters = [], query = '' } = everything();
    const made = { ...begun(`Made ${period}`), period, clock: '00:00', integrations, filters, query };
    const fields = { ...made, format: 'parquet' as const, contact_ids: await contacts() };
    const again = await rescheduled(await scheduled(fields), fields);
    let now = again;
    for (const coversDays of reachesWith(null))
      now = await rescheduled(now, { ...fields, coversDays, format: 'ndjson' });
  });

  test('goes by every clock the form offers', async () => {
    const fields = begun('By the clock');
    let now = await scheduled(fields);
    const zones = zoneOptions('').flatMap(({ value }) => (value === BROWSER_ZONE ? [] : [value]));
    for (const time_zone of zones.filter((_, index) => index % 15 === 0)) {
      now = await rescheduled(now, { ...fields, time_zone });
    }
  });

  test('is made from a report, which is made of what the screen searches', async () => {
    const { queryClient, tenantApi, intent } = product;
    const exporting = searchReportMutations.export(tenantApi, queryClient, intent);
    const window = windowOf(DEFAULT_RANGE, new Date(), 'UTC');
    if (window === undefined) throw new Error('No range.');
    const search = searchOf(everything());
    const body = { ...selectionOf(search, window), name: 'Exported', format: 'csv' as const };
    const like = await queryClient.getMutationCache().build(queryClient, exporting).execute(body);
    const { integrations, filters, query } = search;
    const fields = fieldsOf({ like }, 'UTC');
    expect(fields).toMatchObject({ name: 'Exported', format: 'csv', integrations, filters, query });
    await scheduled(fields);
  });
});
