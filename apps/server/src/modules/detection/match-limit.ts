/**
 * A bound on the matches a policy keeps for groups that never fill. Who can put a new value into the field a policy groups by
 * makes a group with every event, and all of them would stay for `MATCH_RETENTION_DAYS`.
 *
 * The groups that were touched longest ago give their matches up, oldest first. Refusing new ones instead would let somebody
 * blind the policy by filling it up. What was dropped is counted and shown with the policy.
 *
 * Checks run beside ingestion, never in its transactions. Each process asks for one after an eighth of the bound, counted as
 * matches are recorded: a transaction that is rolled back only makes a check come early. The hourly purge checks all policies.
 */
import { once } from 'node:events';
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { dayOf } from './match-tallies.ts';

/** Twice what the largest threshold of the contract waits for. */
export const FREE_MATCHES_PER_POLICY = 200_000;
/** Shown are the drops of so many days, today included. */
const SHOWN_DAYS = 2;
const KEPT_DAYS = 30;
const GROUPS_PER_STEP = 2_000;
const MATCHES_PER_STEP = 5_000;
const DAY_MS = 86_400_000;

type PolicyRef = { tenant: string; policyId: string };

/** A group in the order they were last touched; times as text, as a `Date` would cut off their microseconds. */
type GroupPlace = { touchedAt: string; groupKey: string };
const FIRST: GroupPlace = { touchedAt: '-infinity', groupKey: '' };

export type MatchLimit = {
  /** Matches were recorded that no case has. */
  recorded(policy: PolicyRef, matches: number): void;
  /** Checks every policy that has too many; waits for that until the signal is aborted, and it is brought to its end all the same. */
  checkAll(signal?: AbortSignal): Promise<void>;
  /** Resolves when no check is running or waiting. */
  idle(): Promise<void>;
};

type Dependencies = {
  db: Pick<Database, 'system'>;
  now: () => Date;
  log: { warn(fields: Record<string, unknown>, message: string): void };
  most: number;
  /** Suppression that ended this long ago is over for late events too. */
  retentionDays: number;
};

export function createMatchLimit(deps: Dependencies): MatchLimit {
  const { db, now, log, most, retentionDays } = deps;
  const recorded = new Map<string, number>();
  const waiting = new Map<string, PolicyRef>();
  let working: Promise<void> | undefined;

  /** Some room is made at once: a check per match would follow a policy that stays at its bound. */
  const goal = most - Math.floor(most / 8);

  async function check(policy: PolicyRef): Promise<void> {
    if ((await db.system((tx) => countFree(tx, policy, most + 1))) <= most) return;
    let dropped = 0;
    // Past the end, what is left is in the hands of ingestion; the next check finds it.
    for (let after: GroupPlace | undefined = FIRST; after !== undefined; ) {
      const from: GroupPlace = after;
      const step = await db.system(async (tx) => {
        // Counted anew each time, as another process may be at it too, and only as far as one step goes.
        const limit = (await countFree(tx, policy, goal + MATCHES_PER_STEP)) - goal;
        if (limit <= 0) return { dropped: 0, next: undefined };
        const before = new Date(now().getTime() - retentionDays * DAY_MS);
        return await dropOldest(tx, policy, { from, limit, before, at: now() });
      });
      dropped += step.dropped;
      after = step.next;
    }
    if (dropped > 0)
      log.warn({ ...policy, dropped, most }, 'a policy waits for too much; its oldest matches were dropped');
  }

  async function work(): Promise<void> {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const [policyId, policy] = next;
      waiting.delete(policyId);
      await check(policy).catch((err: unknown) => {
        log.warn({ err, ...policy }, 'the matches of a policy could not be checked');
      });
    }
    working = undefined;
  }

  function ask(policy: PolicyRef): void {
    waiting.set(policy.policyId, policy);
    working ??= work();
  }

  return {
    recorded(policy, matches) {
      const sum = (recorded.get(policy.policyId) ?? 0) + matches;
      if (sum < most / 8) {
        recorded.set(policy.policyId, sum);
        return;
      }
      recorded.delete(policy.policyId);
      ask(policy);
    },
    async checkAll(signal) {
      for (const policy of await db.system((tx) => policiesOver(tx, most))) ask(policy);
      // One at a time does this in a process, so what is not waited for does not add up.
      await Promise.race([working, ...(signal === undefined ? [] : [stopped(signal)])]);
      await db.system((tx) => deleteOldDrops(tx, now()));
    },
    idle: () => working ?? Promise.resolve(),
  };
}

async function stopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Counts to `limit` at most. */
async function countFree(tx: Tx, { tenant, policyId }: PolicyRef, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from policy_match where tenant_id = ${tenant} and policy_id = ${policyId} and case_id is null
      limit ${limit}) m`.execute(tx);
  return rows[0]?.count ?? 0;
}

async function policiesOver(tx: Tx, most: number): Promise<PolicyRef[]> {
  const { rows } = await sql<PolicyRef>`
    select tenant_id as tenant, policy_id as "policyId" from policy_match where case_id is null
    group by 1, 2 having count(*) > ${most}`.execute(tx);
  return rows;
}

/**
 * Drops up to `limit` free matches of the groups that follow `from`, touched longest ago first, and the groups themselves that
 * hold nothing then. Groups that ingestion has in hand are passed over, so nobody waits for anybody. `next` is where to go on;
 * undefined past the last group.
 *
 * Written so that every part of the plan follows an index whatever the planner knows: as joins, without statistics of so many
 * new rows, they take minutes.
 */
async function dropOldest(
  tx: Tx,
  { tenant, policyId }: PolicyRef,
  { from, limit, before, at }: { from: GroupPlace; limit: number; before: Date; at: Date },
): Promise<{ dropped: number; next: GroupPlace | undefined }> {
  const { rows: groups } = await sql<GroupPlace>`
    select touched_at::text as "touchedAt", group_key as "groupKey" from policy_group
    where tenant_id = ${tenant} and policy_id = ${policyId}
      and (touched_at, group_key) > (${from.touchedAt}::timestamptz, ${from.groupKey})
    order by touched_at, group_key limit ${GROUPS_PER_STEP} for update skip locked`.execute(tx);
  const keys = groups.map(({ groupKey }) => groupKey);
  const { numAffectedRows } = await sql`
    delete from policy_match where ctid in (
      select m.at from unnest(${keys}::text[]) with ordinality as v (group_key, place)
      cross join lateral (
        select ctid as at, event_time from policy_match
        where tenant_id = ${tenant} and policy_id = ${policyId} and group_key = v.group_key and case_id is null
        order by event_time limit ${limit}) m
      order by v.place, m.event_time limit ${limit})`.execute(tx);
  const dropped = Number(numAffectedRows ?? 0);
  await sql`
    delete from policy_group g where g.tenant_id = ${tenant} and g.policy_id = ${policyId}
      and g.group_key = any(${keys}::text[]) and (g.suppressed_until is null or g.suppressed_until < ${before})
      and (select 1 from policy_match m where m.tenant_id = ${tenant} and m.policy_id = ${policyId}
        and m.group_key = g.group_key and m.case_id is null limit 1) is null`.execute(tx);
  if (dropped > 0) {
    await sql`
      insert into policy_drop (tenant_id, policy_id, day, matches)
      values (${tenant}, ${policyId}, ${dayOf(at.getTime())}::date, ${dropped})
      on conflict (policy_id, day) do update set matches = policy_drop.matches + excluded.matches`.execute(tx);
  }
  // Stopped by the limit, the last groups may hold more.
  return { dropped, next: dropped === limit ? from : groups.at(-1) };
}

/** Matches dropped today and yesterday (UTC) by policy. Policies without any are not there. */
export async function droppedLately(
  tx: Tx,
  scope: TenantScope,
  { policyIds, at }: { policyIds: readonly string[]; at: Date },
): Promise<ReadonlyMap<string, number>> {
  if (policyIds.length === 0) return new Map();
  const from = dayOf(at.getTime() - (SHOWN_DAYS - 1) * DAY_MS);
  const { rows } = await sql<{ policy_id: string; matches: number }>`
    select policy_id, sum(matches)::int as matches from policy_drop
    where tenant_id = ${scope.tenantId} and policy_id = any(${policyIds}::uuid[]) and day >= ${from}::date
    group by 1`.execute(tx);
  return new Map(rows.map((row) => [row.policy_id, row.matches]));
}

async function deleteOldDrops(tx: Tx, at: Date): Promise<void> {
  const before = dayOf(at.getTime() - KEPT_DAYS * DAY_MS);
  await sql`delete from policy_drop where day < ${before}::date`.execute(tx);
}
