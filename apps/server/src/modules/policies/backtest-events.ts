/** Past events of a policy's sources, from the event store: how many there are, and those a policy can fit, in time order. */
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { ANY_FIELD, type Criterion, type PolicyRule } from '@airdeck/contracts/policies/schema';
import { criteriaOfMatches } from '@airdeck/detection/filter-and-group/matched-events';
import { type EventsStore, isTooExpensive } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { conditionsOf } from './backtest-conditions.ts';

/** Milliseconds since the epoch; the end is not part of it. */
export type Period = { readonly fromMs: number; readonly toMs: number };

export type HourCount = { readonly hourMs: number; readonly events: number; readonly candidates: number };

export type PastEvent = Omit<StoredEvent, 'tenant' | 'source' | 'batch' | 'connector_id'>;

export interface PastEvents {
  /** By hour, oldest first; hours without events are left out. */
  count(period: Period, options?: { timeoutMs: number }): Promise<HourCount[]>;
  /** Candidates in the order of time, from after `after` on, at most as many as fit into one answer. */
  page(
    period: Period,
    options: { after: PastEvent | undefined; timeoutMs: number },
  ): Promise<{ events: PastEvent[]; isLast: boolean }>;
  /** A share of the candidates, about one in `oneIn`, at most `limit`. */
  sample(period: Period, options: { oneIn: number; limit: number }): Promise<PastEvent[]>;
  byIds(period: Period, ids: readonly string[]): Promise<PastEvent[]>;
}

const HOUR_MS = 3_600_000;
const PAGE_ROWS = 5_000;
const MIN_PAGE_ROWS = 50;

// What is selected as `time` is a number: conditions name the column with its table.
const columns = [
  'id',
  'toUnixTimestamp64Milli(events.time) as time',
  'toUnixTimestamp64Milli(received_at) as received_at',
  ...['integration', 'event_type', 'severity', 'message', 'host', 'user', 'src_ip', 'dst_ip', 'action', 'outcome'],
  'fields',
].join(', ');

export function createPastEvents(
  deps: { events: Pick<EventsStore, 'query'> },
  scope: TenantScope,
  rule: Pick<PolicyRule, 'logic'>,
  signal?: AbortSignal,
): PastEvents {
  const conditions = conditionsOf(rule);
  const read = needsRaw(rule) ? `${columns}, raw` : `${columns}, '' as raw`;
  let pageRows = PAGE_ROWS;

  async function query<Row>(
    sql: string,
    { fromMs, toMs }: Period,
    params: Record<string, unknown>,
    timeoutMs?: number,
  ) {
    return await deps.events.query<Row>({
      tenant: scope.tenantId,
      sql,
      params: { ...conditions.params, ...params, from: fromMs, to: toMs },
      ...(signal === undefined ? {} : { signal }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
  }
  const within = `tenant = {tenant:UUID} and events.time >= fromUnixTimestamp64Milli({from:Int64})
    and events.time < fromUnixTimestamp64Milli({to:Int64}) and ${conditions.source}`;

  return {
    async count(period, options) {
      const rows = await query<{ hour: number; events: number; candidates: number }>(
        `select intDiv(toUnixTimestamp64Milli(events.time), ${HOUR_MS}) as hour, count() as events,
          countIf(${conditions.candidate}) as candidates
        from events where ${within} group by hour order by hour`,
        period,
        {},
        options?.timeoutMs,
      );
      return rows.map(({ hour, events, candidates }) => ({ hourMs: hour * HOUR_MS, events, candidates }));
    },

    async page(period, { after, timeoutMs }) {
      const position = after === undefined ? {} : { afterTime: after.time, afterId: after.id };
      const beyond =
        after === undefined
          ? ''
          : `and (events.time, id) > (fromUnixTimestamp64Milli({afterTime:Int64}), {afterId:UUID})`;
      for (;;) {
        try {
          const events = await query<PastEvent>(
            `select ${read} from events where ${within} and ${conditions.candidate} ${beyond}
            order by events.time, id limit ${pageRows}`,
            after === undefined ? period : { ...period, fromMs: Math.max(period.fromMs, after.time) },
            position,
            timeoutMs,
          );
          return { events, isLast: events.length < pageRows };
        } catch (error) {
          // Few large events fill an answer as well as many small ones.
          if (!isTooExpensive(error) || pageRows <= MIN_PAGE_ROWS) throw error;
          pageRows = Math.max(MIN_PAGE_ROWS, pageRows >> 2);
        }
      }
    },

    sample: (period, { oneIn, limit }) =>
      query<PastEvent>(
        `select ${read} from events where ${within} and ${conditions.candidate}
          and cityHash64(id) % {oneIn:UInt64} = 0 limit {limit:UInt64}`,
        period,
        { oneIn: Math.max(1, Math.floor(oneIn)), limit },
      ),

    byIds: (period, ids) =>
      query<PastEvent>(
        `select ${columns}, raw from events where ${within} and id in {ids:Array(UUID)} order by events.time desc, id`,
        period,
        { ids },
      ),
  };
}

/** Whether the evaluator looks at the original text. */
function needsRaw({ logic }: Pick<PolicyRule, 'logic'>): boolean {
  const isText = (field: string | undefined) => field === ANY_FIELD || field === 'raw';
  const looksAt = (criterion: Criterion): boolean => {
    if ('any' in criterion) return criterion.any.some(looksAt);
    if ('all' in criterion) return criterion.all.some(looksAt);
    if ('not' in criterion) return looksAt(criterion.not);
    return isText(criterion.field) || isText(criterion.value_field);
  };
  const fields = [logic.group_by, ...(logic.sequence?.steps ?? []).map((step) => step.group_by ?? [])].flat();
  return criteriaOfMatches(logic).some(looksAt) || fields.some(isText) || isText(logic.threshold?.distinct_field);
}
