/**
 * Whether groups hold enough for a case, asked with every write. Counting looks at the matches of a policy's time, of which
 * one noisy account can leave tens of thousands without ever making a case: the same value, over and over, where different
 * ones are counted. So no more of them are read than it takes to know: as many as the threshold asks for or, where different
 * values are counted, the newest ones, and after that value by value.
 */
import { storableJson } from '@airdeck/domain/storable-json';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { GroupRef } from './detection-repository.ts';

export type CountRequest = GroupRef & {
  order: number;
  from: string;
  to: string;
  /** Only events after this count. */
  after: string | null;
  /** Only matches recorded from then on count. */
  since: string | null;
  distinct: boolean;
  count: number;
  /** How many steps must have happened; 0 where there is no sequence, and nothing but events or values counts. */
  steps: number;
  /** Whether the steps may have happened in any order. */
  anyOrder: boolean;
};

export type CountBounds = {
  /** Where different values are counted, so many matches are read of a group before it is looked at value by value. */
  readonly matches: number;
  /** Values a group is looked at for one by one. Beyond, reading all matches of the time is no slower. */
  readonly values: number;
  /** Of a group with more combinations of steps that single events fit, all matches are looked at. */
  readonly combinations: number;
};

const bounds: CountBounds = { matches: 5_000, values: 2_000, combinations: 100 };

/** `order` of the requests whose span holds enough free matches for a case to be possible. */
export async function groupsWithEnough(
  tx: Tx,
  requests: readonly CountRequest[],
  { matches, values, combinations }: CountBounds = bounds,
): Promise<Set<number>> {
  const [sequences, counted] = [requests.filter(({ steps }) => steps > 0), requests.filter(({ steps }) => steps === 0)];
  const unknown: CountRequest[] = [];
  const enough = new Set(await sequencesWithEnough(tx, sequences, combinations));
  const newest = await countNewest(tx, counted, matches);
  for (const request of counted) {
    const found = newest.get(request.order);
    if (found?.isEnough === true) enough.add(request.order);
    else if (found?.isAll === false) unknown.push(request);
  }
  // Who waits for more values than are looked at would have to read the matches after all.
  const byValue = unknown.filter(({ count }) => count <= values);
  const visited = await countByValue(tx, byValue, values);
  const whole = unknown.filter(({ order }) => visited.get(order)?.isKnown !== true);
  for (const [order, { isEnough }] of visited) if (isEnough) enough.add(order);
  for (const order of await countWhole(tx, whole)) enough.add(order);
  return enough;
}

/** Matches of the group that no case has; `match` is `m`. */
const isFree = sql`m.case_id is null and m.tenant_id = r."tenant" and m.policy_id = r."policyId"
  and m.group_key = r."groupKey"`;
const isInSpan = sql`m.event_time between r."from" and r."to" and (r."after" is null or m.event_time > r."after")
  and (r."since" is null or m.recorded_at >= r."since")`;

function requested(requests: readonly CountRequest[]): RawBuilder<unknown> {
  return sql`json_to_recordset(${storableJson(requests)}::json) as r
    ("order" int, "tenant" uuid, "policyId" uuid, "groupKey" text, "from" timestamptz, "to" timestamptz,
     "after" timestamptz, "since" timestamptz, "distinct" boolean, "count" int, "steps" int, "anyOrder" boolean)`;
}

/**
 * Which sequences can be complete: their first step, then the earliest second one after it, and so on within the whole span.
 * Each is looked for by the combinations of steps the group's events fit: mostly one per step. That the same event does not
 * stand for two steps, and that all happened within the time of the sequence, is left to who looks closely.
 */
async function sequencesWithEnough(
  tx: Tx,
  requests: readonly CountRequest[],
  combinations: number,
): Promise<readonly number[]> {
  if (requests.length === 0) return [];
  const { rows } = await sql<{ order: number }>`
    select r."order" from ${requested(requests)}
    cross join lateral (
      with recursive
      fitted (steps, number) as (
        select first.steps, 1
        from (select m.steps from policy_match m where ${isFree} order by m.steps limit 1) first
        union all
        select next.steps, f.number + 1
        from fitted f
        cross join lateral (
          select m.steps from policy_match m where ${isFree} and m.steps > f.steps order by m.steps limit 1) next
        where f.number <= ${combinations}::int),
      happened (step, at) as (
        select -1, r."from"
        union all
        select h.step + 1, (
          select min(earliest.at) from fitted f
          cross join lateral (
            select m.event_time as at from policy_match m
            where ${isFree} and m.steps = f.steps and ${isInSpan}
              and m.event_time >= case when r."anyOrder" then r."from" else h.at end
            order by m.event_time limit 1) earliest
          where f.steps & (1 << (h.step + 1)) <> 0)
        from happened h where h.at is not null and h.step + 1 < r."steps"
          and (select count(*) from fitted) <= ${combinations}::int)
      select (select count(*) from fitted) > ${combinations}::int
        or (select count(h.at) from happened h) > r."steps" as "isPossible") c
    where c."isPossible"`.execute(tx);
  return rows.map(({ order }) => order);
}

type Newest = { order: number; isEnough: boolean; isAll: boolean };

/**
 * Counts the newest matches of each group: as many as are asked for where matches are counted. Where values are, up to `most`
 * of them or twice as many as are asked for; `isAll` says whether those were all.
 */
async function countNewest(tx: Tx, requests: readonly CountRequest[], most: number): Promise<Map<number, Newest>> {
  if (requests.length === 0) return new Map();
  const { rows } = await sql<Newest>`
    select r."order",
      (case when r."distinct" then c.different else c.matches end) >= r."count" as "isEnough",
      not r."distinct" or c.matches < greatest(${most}::int, 2 * r."count") as "isAll"
    from ${requested(requests)}
    cross join lateral (
      select count(*) as matches, count(distinct w.distinct_value) as different
      from (
        select m.distinct_value from policy_match m where ${isFree} and ${isInSpan} order by m.event_time desc
        limit case when r."distinct" then greatest(${most}::int, 2 * r."count") else r."count" end
      ) w) c`.execute(tx);
  return new Map(rows.map((row) => [row.order, row]));
}

type ByValue = { order: number; isEnough: boolean; isKnown: boolean };

/** Goes from one value of a group to the next, and looks for one match of each. */
async function countByValue(tx: Tx, requests: readonly CountRequest[], most: number): Promise<Map<number, ByValue>> {
  if (requests.length === 0) return new Map();
  // A match of the value, the newest first: those that were recorded too early to count are the old ones.
  const holds = (value: RawBuilder<unknown>) => sql`(
    select 1 from policy_match m where ${isFree} and m.distinct_value = ${value} and ${isInSpan}
    order by m.event_time desc limit 1) is not null`;
  const { rows } = await sql<ByValue>`
    select r."order", v.found >= r."count" as "isEnough", v.found >= r."count" or v.number < ${most}::int as "isKnown"
    from ${requested(requests)}
    cross join lateral (
      with recursive visited (value, number, found) as (
        select first.value, 1, (${holds(sql`first.value`)})::int
        from (select m.distinct_value as value from policy_match m where ${isFree} and m.distinct_value is not null
          order by m.distinct_value limit 1) first
        union all
        select next.value, v.number + 1, v.found + (${holds(sql`next.value`)})::int
        from visited v
        cross join lateral (
          select m.distinct_value as value from policy_match m where ${isFree} and m.distinct_value > v.value
          order by m.distinct_value limit 1) next
        where v.found < r."count" and v.number < ${most}::int)
      select found, number from visited order by number desc limit 1) v`.execute(tx);
  return new Map(rows.map((row) => [row.order, row]));
}

async function countWhole(tx: Tx, requests: readonly CountRequest[]): Promise<number[]> {
  if (requests.length === 0) return [];
  const { rows } = await sql<{ order: number }>`
    select r."order" from ${requested(requests)}
    where (select count(distinct m.distinct_value) from policy_match m where ${isFree} and ${isInSpan}) >= r."count"
    `.execute(tx);
  return rows.map(({ order }) => order);
}
