/**
 * How many events matched each policy per day of the events, for the figures on the list of policies.
 *
 * Every batch adds rows of its own in the transaction that records its matches, so each match is counted once and no batch
 * waits for another. By the hour the rows of one policy and day are summed up into one.
 */
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { POLICY_FIGURE_DAYS } from '@airdeck/contracts/policies/schema';
import { storableJson } from '@airdeck/domain/storable-json';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type Tally = { tenant: string; policyId: string; day: string; matches: number };

const DAY_MS = 86_400_000;
/** Fewer rows than this are read as fast as one. */
const ROWS_WORTH_SUMMING = 16;
const DAYS_PER_SUM = 2_000;

type Matched = { readonly tenant: string; readonly policyId: string; readonly fresh: readonly StoredEvent[] };

export function talliesOf(groups: readonly Matched[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { tenant, policyId, fresh } of groups) {
    for (const event of fresh) {
      const day = dayOf(event.time);
      const name = `${policyId} ${day}`;
      const tally = tallies.get(name);
      if (tally === undefined) tallies.set(name, { tenant, policyId, day, matches: 1 });
      else tally.matches += 1;
    }
  }
  return [...tallies.values()];
}

export async function addTallies(tx: Tx, tallies: readonly Tally[]): Promise<void> {
  if (tallies.length === 0) return;
  await sql`
    insert into policy_tally (tenant_id, policy_id, day, matches)
    select t."tenant", t."policyId", t."day", t."matches"
    from json_to_recordset(${storableJson(tallies)}::json) as t
      ("tenant" uuid, "policyId" uuid, "day" date, "matches" int)`.execute(tx);
}

/** Matches of the last days (UTC) by policy, `at` being of the last of them. Policies without any are not there. */
export async function matchesByDay(
  tx: Tx,
  scope: TenantScope,
  { policyIds, at }: { policyIds: readonly string[]; at: Date },
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (policyIds.length === 0) return new Map();
  const days = Array.from({ length: POLICY_FIGURE_DAYS }, (_, index) =>
    dayOf(at.getTime() - (POLICY_FIGURE_DAYS - 1 - index) * DAY_MS),
  );
  const { rows } = await sql<{ policy_id: string; day: string; matches: number }>`
    select policy_id, day::text as day, sum(matches)::int as matches from policy_tally
    where tenant_id = ${scope.tenantId} and policy_id = any(${policyIds}::uuid[]) and day >= ${days[0] ?? ''}::date
    group by 1, 2`.execute(tx);
  const counts = new Map(rows.map(({ policy_id: id, day, matches }) => [`${id} ${day}`, matches]));
  const counted = new Set(rows.map(({ policy_id: id }) => id));
  return new Map([...counted].map((id) => [id, days.map((day) => counts.get(`${id} ${day}`) ?? 0)]));
}

/**
 * Makes one row of the many of a policy's day, of some days at a time. Rows that are being written meanwhile stay as they are.
 * Whether there may be more days.
 */
export async function sumUpTallies(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ days: number }>`
    with crowded as (
      select policy_id, day from policy_tally group by 1, 2 having count(*) >= ${ROWS_WORTH_SUMMING} limit ${DAYS_PER_SUM}
    ), taken as (
      delete from policy_tally t using crowded c where t.policy_id = c.policy_id and t.day = c.day
      returning t.tenant_id, t.policy_id, t.day, t.matches
    ), summed as (
      insert into policy_tally (tenant_id, policy_id, day, matches)
      select tenant_id, policy_id, day, sum(matches)::int from taken group by 1, 2, 3
    )
    select count(*)::int as days from crowded`.execute(tx);
  return rows[0]?.days === DAYS_PER_SUM;
}

/** At most `limit`; how many there were. */
export async function deleteOldTallies(tx: Tx, { at, limit }: { at: Date; limit: number }): Promise<number> {
  const before = dayOf(at.getTime() - (POLICY_FIGURE_DAYS + 1) * DAY_MS);
  const { numAffectedRows = 0n } = await sql`
    delete from policy_tally where ctid = any(array(
      select ctid from policy_tally where day < ${before}::date limit ${limit}))`.execute(tx);
  return Number(numAffectedRows);
}

/** `2026-03-01` of a time; of one no calendar has (a source may write anything), the edge of what one has. */
export function dayOf(timeMs: number): string {
  return new Date(Math.min(Math.max(timeMs, 0), LAST_DAY_MS)).toISOString().slice(0, 10);
}

const LAST_DAY_MS = Date.parse('9999-12-31T00:00:00Z');
