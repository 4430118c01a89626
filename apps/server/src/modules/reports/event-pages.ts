/**
 * Reads every event of a search, newest first, a page at a time.
 *
 * The table is not in the order of time, so a page that asked for "the newest of all that is left" would look at everything
 * that is left, every time. Each page therefore asks for a window of time only, which follows how dense the events are: it
 * grows while little is found and shrinks when more is found than fits a page. What was read is left behind by time and id,
 * so an event is read once, whatever arrives meanwhile.
 */
import { EventsError, type EventsStore, isTooExpensive } from '../../storage/events-store.ts';
import { type ExportRow, exportSelection } from './export-row.ts';
import type { EventCondition } from './reports-port.ts';

const PAGE_ROWS = 2_500;
/** Events may have hundreds of kilobytes each; an answer of the store has a limit. */
const PAGE_ROWS_MIN = 50;
const FIRST_WINDOW_MS = 3_600_000;
const WINDOW_MIN_MS = 1_000;
const WINDOW_MAX_MS = 64 * 86_400_000;
const GROWS = 4;
const QUERY_TIMEOUT_MS = 30_000;

type Dependencies = { events: Pick<EventsStore, 'query'> };
type Wanted = { tenant: string; condition: Omit<EventCondition, 'cutByPlan'>; signal: AbortSignal };
type Place = { before: number; last: { time_ms: number; id: string } | undefined };

/** Throws EventsError; a page that is too expensive is asked for in smaller parts first. */
export async function* eventPages(deps: Dependencies, wanted: Wanted): AsyncGenerator<readonly ExportRow[]> {
  const start = wanted.condition.range.start.getTime();
  let place: Place = { before: wanted.condition.range.end.getTime(), last: undefined };
  let size = PAGE_ROWS;
  let windowMs = FIRST_WINDOW_MS;
  while (place.before > start) {
    wanted.signal.throwIfAborted();
    const from = Math.max(start, place.before - windowMs);
    const rows = await pageOrSmaller(deps, wanted, { place, from, size });
    if (rows === undefined) {
      if (size === PAGE_ROWS_MIN && windowMs === WINDOW_MIN_MS) throw tooExpensive();
      size = Math.max(PAGE_ROWS_MIN, Math.floor(size / GROWS));
      windowMs = Math.max(WINDOW_MIN_MS, Math.floor(windowMs / GROWS));
      continue;
    }
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last !== undefined && rows.length === size) {
      const spanMs = Math.max(1, place.before - last.time_ms);
      windowMs = clamp(spanMs * GROWS);
      place = { before: last.time_ms + 1, last };
    } else {
      if (rows.length < size / GROWS) windowMs = clamp(windowMs * GROWS);
      place = { before: from, last: undefined };
    }
    size = Math.min(PAGE_ROWS, size * 2);
  }
}

function clamp(ms: number): number {
  return Math.min(WINDOW_MAX_MS, Math.max(WINDOW_MIN_MS, Math.floor(ms)));
}

/** Undefined when it was too much for the store. */
async function pageOrSmaller(
  { events }: Dependencies,
  { tenant, condition, signal }: Wanted,
  { place, from, size }: { place: Place; from: number; size: number },
): Promise<ExportRow[] | undefined> {
  const after = place.last === undefined ? '' : ` and (time, id) < (${time('report_last')}, {report_last_id:UUID})`;
  try {
    return await events.query<ExportRow>({
      tenant,
      signal,
      timeoutMs: QUERY_TIMEOUT_MS,
      sql: `select ${exportSelection} from events
where tenant = {tenant:UUID} and time >= ${time('report_from')} and time < ${time('report_before')}${after}
  and (${condition.sql})
order by time desc, id desc limit {report_size:UInt32}`,
      params: {
        ...condition.params,
        report_from: from,
        report_before: place.before,
        report_size: size,
        ...(place.last === undefined ? {} : { report_last: place.last.time_ms, report_last_id: place.last.id }),
      },
    });
  } catch (error) {
    if (isTooExpensive(error)) return undefined;
    throw error;
  }
}

/** How many events the search finds; undefined when counting alone would take too long. */
export async function countEvents(
  { events }: Dependencies,
  { tenant, condition, signal }: Wanted,
): Promise<number | undefined> {
  try {
    const [row] = await events.query<{ found: number }>({
      tenant,
      signal,
      timeoutMs: QUERY_TIMEOUT_MS,
      sql: `select count() as found from events
where tenant = {tenant:UUID} and time >= ${time('report_from')} and time < ${time('report_before')} and (${condition.sql})`,
      params: {
        ...condition.params,
        report_from: condition.range.start.getTime(),
        report_before: condition.range.end.getTime(),
      },
    });
    return row?.found;
  } catch (error) {
    if (isTooExpensive(error)) return undefined;
    throw error;
  }
}

function time(parameter: string): string {
  return `fromUnixTimestamp64Milli({${parameter}:Int64}, 'UTC')`;
}

function tooExpensive(): EventsError {
  return new EventsError('EVENTS_QUERY_TOO_EXPENSIVE', 'The query needs too much time or memory.');
}
