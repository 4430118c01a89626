/**
 * Which fields the matches of a search have, and their most frequent values. Made of the newest matches only: reading every
 * field of every event of a month would cost as much as storing it.
 */
import { type SearchFields, searchLimits } from '@airdeck/contracts/search/schema';
import { nameOfPath } from '@airdeck/query-language/field-name';
import { queryLimits } from '@airdeck/query-language/query-limits';
import { type SearchColumn, searchColumns } from '@airdeck/query-language/search-columns';
import { columnText, pathText } from '@airdeck/query-language/sql-parts';
import type { TenantScope } from '../../tenant-scope.ts';
import { conditionWithin, type EventSelection, paramsWithin } from './event-selection.ts';
import { newestWindows } from './newest-events.ts';
import type { Stretch } from './search-range.ts';
import type { Reading, SearchStore } from './search-store.ts';

/** Longer values are no use as a choice. */
const VALUE_MAX_LENGTH = 300;
/** Values counted at once per field; the sample is hardly larger, so counts are of all of them. */
const COUNTED_VALUES = searchLimits.fieldSample;

type Asking = { scope: TenantScope; selection: EventSelection; reading: () => Reading };
type Counted = { name: string; kind: 'column' | 'field'; count: number; top: { value: string; count: number }[] };

export async function sampleFields(
  store: Pick<SearchStore, 'ask'>,
  asking: Asking,
  range: Stretch,
): Promise<Omit<SearchFields, 'took_ms'>> {
  const sample = await newestSample(store, asking, range);
  if (sample.events === 0) return { fields: [], sample: { events: 0, complete: true }, more_fields: false };
  const paths = await pathsOf(store, asking, sample.stretch);
  const listed = paths.filter(isSearchable).slice(0, searchLimits.fieldsMax);
  const fields = await countValues(store, asking, { stretch: sample.stretch, paths: listed });
  return {
    fields: fields.filter(({ count }) => count > 0),
    sample: { events: sample.events, complete: sample.complete },
    more_fields: paths.length > listed.length,
  };
}

/** The stretch that holds the newest matches, as many as the sample takes. */
async function newestSample({ ask }: Pick<SearchStore, 'ask'>, { scope, selection, reading }: Asking, range: Stretch) {
  let events = 0;
  let from = range.until;
  const progress = () => ({ found: events, wanted: searchLimits.fieldSample });
  for (const window of newestWindows(range, progress)) {
    const wanted = searchLimits.fieldSample - events;
    const sql = `select count() as events, toUnixTimestamp64Milli(min(at)) as oldest from
      (select time as at from events where ${conditionWithin(selection)} order by time desc limit {row_limit:UInt32})`;
    const params = { ...paramsWithin(selection, window), row_limit: wanted };
    const [row] = await ask<{ events: number; oldest: number }>(scope, { sql, params }, reading());
    events += row?.events ?? 0;
    if ((row?.events ?? 0) > 0) from = row?.oldest ?? window.from;
    if (events >= searchLimits.fieldSample) return { events, stretch: { from, until: range.until }, complete: false };
  }
  return { events, stretch: { from, until: range.until }, complete: true };
}

type Path = { path: string; events: number };

async function pathsOf(
  { ask }: Pick<SearchStore, 'ask'>,
  { scope, selection, reading }: Asking,
  stretch: Stretch,
): Promise<Path[]> {
  const sql = `select path, count() as events from (select JSONAllPaths(fields) as paths ${sampled(selection)})
    array join paths as path group by path order by events desc, path limit {name_limit:UInt32}`;
  // One more than is listed, to know whether there are more.
  const params = { ...sampleParams(selection, stretch), name_limit: searchLimits.fieldsMax + 1 };
  return await ask(scope, { sql, params }, reading());
}

/** Names that no query can ask for are not offered. */
function isSearchable({ path }: Path): boolean {
  const { maxFieldLength, maxFieldParts } = queryLimits;
  const parts = path.split('.');
  return (
    nameOfPath(path).length <= maxFieldLength &&
    parts.length <= maxFieldParts &&
    !parts.includes('') &&
    !/[`\0]/.test(path)
  );
}

/** Columns with few enough different values to choose from; texts, times and ids of events have none worth listing. */
const countedColumns = [...searchColumns].filter(
  ([, { kind, column }]) => kind !== 'text' && kind !== 'time' && column !== 'id',
);

async function countValues(
  { ask }: Pick<SearchStore, 'ask'>,
  { scope, selection, reading }: Asking,
  { stretch, paths }: { stretch: Stretch; paths: readonly Path[] },
): Promise<Counted[]> {
  const subjects = [
    ...countedColumns.map(([name, column]) => ({
      name,
      kind: 'column' as const,
      sql: presentText(column),
      count: undefined,
    })),
    ...paths.map(({ path, events }) => ({
      name: nameOfPath(path),
      kind: 'field' as const,
      sql: pathText(path.split('.')),
      count: events,
    })),
  ];
  const values = subjects.map(({ sql }, index) => `${sql} as v${index}`);
  const counts = subjects.map(
    (_, index) =>
      `count(v${index}) as c${index}, approx_top_k(${searchLimits.topValuesMax}, ${COUNTED_VALUES})(if(length(v${index}) between 1 and ${VALUE_MAX_LENGTH}, v${index}, null)) as t${index}`,
  );
  const sql = `select ${counts.join(', ')} from (select ${values.join(', ')} ${sampled(selection)})`;
  type Row = Record<string, number | { item: string; count: number }[]>;
  const [row = {}] = await ask<Row>(scope, { sql, params: sampleParams(selection, stretch) }, reading());
  return subjects.map(({ name, kind, count }, index) => {
    const top = row[`t${index}`];
    const counted = row[`c${index}`];
    return {
      name,
      kind,
      // Lists and objects have no single value, and are there all the same.
      count: count ?? (typeof counted === 'number' ? counted : 0),
      top: Array.isArray(top) ? top.map((one) => ({ value: one.item, count: one.count })) : [],
    };
  });
}

function presentText(column: SearchColumn): string {
  return `nullIf(${columnText(column)}::String, '')`;
}

function sampled(selection: EventSelection): string {
  return `from events where ${conditionWithin(selection)} order by time desc limit ${searchLimits.fieldSample}`;
}

function sampleParams(selection: EventSelection, stretch: Stretch): Record<string, unknown> {
  return paramsWithin(selection, stretch);
}

/**
 * Values of a field in events of a stretch, in the order of how many events have them. Of more than are looked at, which ones
 * is up to the store: to find the newest would be to read all.
 */
export async function completeValues(
  { ask }: Pick<SearchStore, 'ask'>,
  scope: TenantScope,
  { value, prefix, limit, stretch }: { value: string; prefix: string; limit: number; stretch: Stretch },
  reading: Reading,
): Promise<{ value: string; count: number }[]> {
  const selection = { condition: `startsWith(lowerUTF8(ifNull(${value}, '')), {value_prefix:String})`, params: {} };
  const sql = `select found as value, count() as count
    from (select ${value} as found from events where ${conditionWithin(selection)} limit ${COMPLETED_EVENTS})
    where length(found) between 1 and ${VALUE_MAX_LENGTH}
    group by value order by count desc, value limit {row_limit:UInt32}`;
  const params = { ...paramsWithin(selection, stretch), value_prefix: prefix.toLowerCase(), row_limit: limit };
  return await ask(scope, { sql, params }, reading);
}

/** Completion answers while somebody types; the values of this many events are enough to choose from. */
const COMPLETED_EVENTS = 200_000;
