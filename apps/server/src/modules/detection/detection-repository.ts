import type { StoredEvent } from '@airdeck/contracts/events/event';
import { storableJson } from '@airdeck/domain/storable-json';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type GroupRef = { tenant: string; policyId: string; groupKey: string };

export type NewMatch = GroupRef & {
  eventId: string;
  eventTime: string;
  distinctValue: string | null;
  /** Bits of the steps it fits. */
  steps: number;
  event: StoredEvent | null;
  caseId: string | null;
};

export type FreeMatch = { event_id: string; event_time: Date; distinct_value: string | null; steps: number };

/**
 * Locks the groups until the transaction ends, in the order given, and returns their suppression. Row locks, because the
 * server's table of advisory locks is too small for a batch with thousands of groups.
 */
export async function lockGroups(
  tx: Tx,
  groups: readonly GroupRef[],
): Promise<(GroupRef & { suppressedUntil: Date | null })[]> {
  const json = storableJson(
    groups.map(({ tenant, policyId, groupKey }, order) => ({ order, tenant, policyId, groupKey })),
  );
  const { rows } = await sql<GroupRef & { suppressedUntil: Date | null }>`
    insert into policy_group (tenant_id, policy_id, group_key)
    select g."tenant", g."policyId", g."groupKey"
    from json_to_recordset(${json}::json) as g ("order" int, "tenant" uuid, "policyId" uuid, "groupKey" text)
    order by g."order"
    on conflict (tenant_id, policy_id, group_key) do update set touched_at = now()
    returning tenant_id as tenant, policy_id as "policyId", group_key as "groupKey",
      suppressed_until as "suppressedUntil"`.execute(tx);
  return rows;
}

/** Those that were not there yet. */
export async function insertMatches(
  tx: Tx,
  matches: readonly NewMatch[],
): Promise<{ policy_id: string; event_id: string }[]> {
  const { rows } = await sql<{ policy_id: string; event_id: string }>`
    insert into policy_match
      (tenant_id, policy_id, event_id, group_key, event_time, distinct_value, steps, event, case_id)
    select m."tenant", m."policyId", m."eventId", m."groupKey", m."eventTime", m."distinctValue", m."steps", m."event",
      m."caseId"
    from json_to_recordset(${storableJson(matches)}::json) as m
      ("tenant" uuid, "policyId" uuid, "eventId" uuid, "groupKey" text, "eventTime" timestamptz,
       "distinctValue" text, "steps" int, "event" jsonb, "caseId" uuid)
    order by m."tenant", m."policyId", m."eventId"
    on conflict do nothing
    returning policy_id, event_id`.execute(tx);
  return rows;
}

export type FreeRequest = {
  groupKey: string;
  from: Date;
  /** Only events after this count. */
  after: Date | null;
};

/** Free matches of some groups of a policy that count, each group's from a time on; by event time, group by group. */
export async function freeMatches(
  tx: Tx,
  scope: TenantScope,
  { policyId, countsFrom, groups }: { policyId: string; countsFrom: Date | null; groups: readonly FreeRequest[] },
): Promise<FreeMatch[][]> {
  const json = storableJson(
    groups.map(({ groupKey, from, after }, order) => ({
      ...{ order, groupKey, from: from.toISOString(), after: after?.toISOString() ?? null },
    })),
  );
  const { rows } = await sql<FreeMatch & { order: number }>`
    select g."order", m.event_id, m.event_time, m.distinct_value, m.steps
    from json_to_recordset(${json}::json) as g
      ("order" int, "groupKey" text, "from" timestamptz, "after" timestamptz)
    join policy_match m on m.group_key = g."groupKey"
    where m.tenant_id = ${scope.tenantId} and m.policy_id = ${policyId} and m.case_id is null
      and m.event_time >= g."from" and (g."after" is null or m.event_time > g."after")
      and (${countsFrom}::timestamptz is null or m.recorded_at >= ${countsFrom})
    order by m.event_time, m.event_id`.execute(tx);
  const found: FreeMatch[][] = groups.map(() => []);
  for (const { order, ...match } of rows) found[order]?.push(match);
  return found;
}

/** The events of free matches, in the order of the ids' times; gives the matches to the case. */
export async function giveToCase(
  tx: Tx,
  scope: TenantScope,
  { policyId, eventIds, caseId }: { policyId: string; eventIds: readonly string[]; caseId: string },
): Promise<StoredEvent[]> {
  const rows = await tx
    .selectFrom('policy_match')
    .select('event')
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', policyId)
    .where('event_id', 'in', eventIds)
    .orderBy('event_time')
    .orderBy('event_id')
    .execute();
  await tx
    .updateTable('policy_match')
    .set({ case_id: caseId, event: null })
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', policyId)
    .where('event_id', 'in', eventIds)
    .execute();
  return rows.flatMap((row) => row.event ?? []);
}

export async function suppressGroups(
  tx: Tx,
  scope: TenantScope,
  { policyId, groups }: { policyId: string; groups: readonly { groupKey: string; until: Date }[] },
): Promise<void> {
  if (groups.length === 0) return;
  const json = storableJson(groups.map(({ groupKey, until }) => ({ groupKey, until: until.toISOString() })));
  await sql`
    update policy_group p set suppressed_until = g."until"
    from json_to_recordset(${json}::json) as g ("groupKey" text, "until" timestamptz)
    where p.tenant_id = ${scope.tenantId} and p.policy_id = ${policyId} and p.group_key = g."groupKey"`.execute(tx);
}

/** Deletes one batch of what was recorded before a time; returns how much. */
export async function deleteOldMatches(tx: Tx, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from policy_match where ctid in (
      select ctid from policy_match where recorded_at < ${before} limit ${limit} for update skip locked)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes one batch of groups nothing happened in since `before` and that suppress nothing after it. */
export async function deleteOldGroups(tx: Tx, { before, limit }: { before: Date; limit: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from policy_group where ctid in (
      select ctid from policy_group
      where touched_at < ${before} and (suppressed_until is null or suppressed_until < ${before})
      limit ${limit} for update skip locked)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
