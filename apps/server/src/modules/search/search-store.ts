import type { FoundEvent, SearchOrder } from '@airdeck/contracts/search/schema';
import type { EventsStore } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { boundTime, conditionWithin, type EventSelection, paramsWithin } from './event-selection.ts';
import type { Stretch } from './search-range.ts';

/** A place between two events in the order of results: by time, and by id within a millisecond. */
export type Position = { readonly time: number; readonly id: string };

export type Reading = { readonly signal?: AbortSignal | undefined; readonly timeoutMs: number };

/** Read and written again by one process that has others waiting. */
const ANSWER_MAX_BYTES = 16_000_000;

export type SearchStore = ReturnType<typeof createSearchStore>;

/** Columns of an event, under names that are none of the table's, so that conditions never mean the expressions here. */
export const EVENT_COLUMNS = `toString(id) as e_id, toUnixTimestamp64Milli(time) as e_time,
  toUnixTimestamp64Milli(received_at) as e_received_at, toString(source) as e_source, connector_id, integration, event_type,
  severity, action, outcome, host, user, src_ip, dst_ip, message, fields, raw`;

export type EventColumns = Omit<FoundEvent, 'id' | 'time' | 'received_at' | 'source_id'> & {
  e_id: string;
  e_time: number;
  e_received_at: number;
  e_source: string;
};

/** Reads events of one tenant for people. Everything is bounded by the time a reading may take and the store's own limits. */
export function createSearchStore(events: Pick<EventsStore, 'query'>) {
  async function ask<T>(
    scope: TenantScope,
    { sql, params }: { sql: string; params: Record<string, unknown> },
    { signal, timeoutMs }: Reading,
  ): Promise<T[]> {
    const tenant = scope.tenantId;
    return await events.query<T>({
      ...{ tenant, sql, params, timeoutMs, maxResultBytes: ANSWER_MAX_BYTES },
      ...(signal === undefined ? {} : { signal }),
    });
  }

  return {
    /** The newest or oldest events of a stretch, or those that come after a position in that order; at most `limit`. */
    async page(
      scope: TenantScope,
      selection: EventSelection,
      { limit, after, sort, ...stretch }: Stretch & { limit: number; after: Position | undefined; sort: SearchOrder },
      reading: Reading,
    ): Promise<FoundEvent[]> {
      const [sign, order] = sort === 'newest' ? ['<', 'desc'] : ['>', 'asc'];
      const beyond = after === undefined ? '' : ` and (time, id) ${sign} (${boundTime('after_time')}, {after_id:UUID})`;
      const sql = `select ${EVENT_COLUMNS} from events where ${conditionWithin(selection)}${beyond}
        order by time ${order}, id ${order} limit {row_limit:UInt32}`;
      const position = after === undefined ? {} : { after_time: after.time, after_id: after.id };
      const params = { ...paramsWithin(selection, stretch), ...position, row_limit: limit };
      return (await ask<EventColumns>(scope, { sql, params }, reading)).map(foundEvent);
    },

    /** Events per bucket of `bucketMs`, numbered from the epoch; buckets without events are left out. */
    async histogram(
      scope: TenantScope,
      selection: EventSelection,
      { bucketMs, ...stretch }: Stretch & { bucketMs: number },
      reading: Reading,
    ): Promise<{ bucket: number; events: number }[]> {
      const sql = `select intDiv(toUnixTimestamp64Milli(time), {bucket_ms:Int64}) as bucket, count() as events
        from events where ${conditionWithin(selection)} group by bucket order by bucket`;
      const params = { ...paramsWithin(selection, stretch), bucket_ms: bucketMs };
      return await ask(scope, { sql, params }, reading);
    },

    /** One event by its id; the day around `time` is enough to look through where it is known. */
    async event(
      scope: TenantScope,
      { id, ...stretch }: Stretch & { id: string },
      reading: Reading,
    ): Promise<FoundEvent | undefined> {
      const selection = { condition: 'id = {event_id:UUID}', params: { event_id: id } };
      const sql = `select ${EVENT_COLUMNS} from events where ${conditionWithin(selection)} limit 1`;
      const [row] = await ask<EventColumns>(scope, { sql, params: paramsWithin(selection, stretch) }, reading);
      return row === undefined ? undefined : foundEvent(row);
    },

    /** Integrations and event types of a stretch, by name. */
    async scopes(
      scope: TenantScope,
      stretch: Stretch,
      reading: Reading,
    ): Promise<{ integration: string; event_type: string; events: number; last: number }[]> {
      const selection = { condition: '1', params: {} };
      const sql = `select integration, event_type, count() as events, toUnixTimestamp64Milli(max(time)) as last
        from events where ${conditionWithin(selection)} group by integration, event_type
        order by integration, event_type limit 1000`;
      return await ask(scope, { sql, params: paramsWithin(selection, stretch) }, reading);
    },

    ask,
  };
}

/** Sources of nobody: what a connector fetched has one of its own, so none is without. */
export function foundEvent({ e_id, e_time, e_received_at, e_source, ...columns }: EventColumns): FoundEvent {
  return {
    id: e_id,
    time: new Date(e_time).toISOString(),
    received_at: new Date(e_received_at).toISOString(),
    source_id: e_source,
    ...columns,
  };
}
