import type { CaseActivityKind } from '@airdeck/contracts/cases/schema';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import { limits } from '@airdeck/contracts/limits';
import { storableJson, storableText } from '@airdeck/domain/storable-json';
import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { caseValues, VALUES_MARK, valuesByCase } from './case-search-text.ts';
import type { CasesTables } from './cases-tables.ts';

export type CaseRow = Selectable<CasesTables['case_record']>;
export type ResponseRow = Selectable<CasesTables['case_response']>;
export type ActivityRow = Selectable<CasesTables['case_activity']>;
export type EventRow = Selectable<CasesTables['case_event']>;

type ActivityEntry = {
  id: string;
  caseId: string;
  at: Date;
  username: string;
  kind: CaseActivityKind;
  text: string;
  data: JsonObject;
  request_id?: string;
  request_hash?: string;
};

/** No two cases share a number, and a rolled back one gives its number back: the row stays locked until commit. */
export async function nextCaseNumber(tx: Tx, scope: TenantScope): Promise<number> {
  const { last_number: number } = await tx
    .insertInto('case_counter')
    .values({ tenant_id: scope.tenantId, last_number: 1 })
    .onConflict((on) =>
      on.column('tenant_id').doUpdateSet((e) => ({ last_number: e('case_counter.last_number', '+', 1) })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return number;
}

/** False when the policy's group has an open case already. */
export async function insertCase(tx: Tx, row: Insertable<CasesTables['case_record']>): Promise<boolean> {
  const inserted = await tx
    .insertInto('case_record')
    .values(row)
    .onConflict((on) =>
      on
        .columns(['tenant_id', 'policy_id', 'group_key'])
        // As text, not as a value: a prepared statement must still be seen to fit the partial index.
        .where(sql<boolean>`status <> 'closed'`)
        .where('policy_id', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** What the first entry of an update keeps of its request; undefined when there was none of that id. */
export async function findRequest(tx: Tx, scope: TenantScope, id: string): Promise<string | null | undefined> {
  const found = await tx
    .selectFrom('case_activity')
    .select('request_hash')
    .where('tenant_id', '=', scope.tenantId)
    .where('request_id', '=', id)
    .executeTakeFirst();
  return found?.request_hash;
}

export async function lockCase(tx: Tx, scope: TenantScope, id: string): Promise<CaseRow | undefined> {
  return await tx
    .selectFrom('case_record')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function findCase(tx: Tx, scope: TenantScope, id: string): Promise<CaseRow | undefined> {
  return await tx
    .selectFrom('case_record')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Undefined when there is no such case. */
export async function changeCase(
  tx: Tx,
  scope: TenantScope,
  change: { id: string; set: UpdateObject<CasesTables, 'case_record'> },
): Promise<CaseRow | undefined> {
  return await tx
    .updateTable('case_record')
    .set(change.set)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', change.id)
    .returningAll()
    .executeTakeFirst();
}

export async function otherOpenCase(tx: Tx, scope: TenantScope, row: CaseRow): Promise<CaseRow | undefined> {
  if (row.policy_id === null || row.group_key === null) return undefined;
  return await tx
    .selectFrom('case_record')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', row.policy_id)
    .where('group_key', '=', row.group_key)
    .where('status', '<>', 'closed')
    .where('id', '<>', row.id)
    .executeTakeFirst();
}

export async function insertActivity(tx: Tx, scope: TenantScope, entries: readonly ActivityEntry[]): Promise<void> {
  await insertActivities(
    tx,
    entries.map((entry) => ({ ...entry, tenant: scope.tenantId })),
  );
}

/** The same for cases of several tenants. */
export async function insertActivities(
  tx: Tx,
  entries: readonly (ActivityEntry & { tenant: string })[],
): Promise<void> {
  if (entries.length === 0) return;
  // One value, as a delivery may tell of more cases than a statement has parameters for.
  await sql`
    insert into case_activity (id, tenant_id, case_id, at, username, kind, text, data, request_id, request_hash)
    select e."id", e."tenant", e."caseId", e."at", e."username", e."kind", e."text", e."data", e."request_id",
      e."request_hash"
    from json_to_recordset(${storableJson(entries)}::json) as e
      ("id" uuid, "tenant" uuid, "caseId" uuid, "at" timestamptz, "username" text, "kind" text, "text" text, "data" jsonb,
       "request_id" uuid, "request_hash" text)`.execute(tx);
}

export type CaseRef = { tenant: string; caseId: string };

/** The last story entry of each case that is of the given kind, for cases whose very last entry it is. */
export async function lastEntriesOfKind(
  tx: Tx,
  cases: readonly CaseRef[],
  kind: CaseActivityKind,
): Promise<(CaseRef & { id: string; data: JsonObject })[]> {
  const { rows } = await sql<CaseRef & { id: string; data: JsonObject }>`
    select a.tenant_id as tenant, a.case_id as "caseId", a.id, a.data
    from json_to_recordset(${storableJson(cases)}::json) as c ("tenant" uuid, "caseId" uuid)
    cross join lateral (
      select * from case_activity a where a.tenant_id = c."tenant" and a.case_id = c."caseId"
      order by a.at desc, a.id desc limit 1) a
    where a.kind = ${kind}`.execute(tx);
  return rows;
}

export async function rewriteEntries(
  tx: Tx,
  entries: readonly { tenant: string; id: string; at: Date; text: string; data: JsonObject }[],
): Promise<void> {
  if (entries.length === 0) return;
  await sql`
    update case_activity a set at = e."at", text = e."text", data = e."data"
    from json_to_recordset(${storableJson(entries)}::json) as e
      ("tenant" uuid, "id" uuid, "at" timestamptz, "text" text, "data" jsonb)
    where a.tenant_id = e."tenant" and a.id = e."id"`.execute(tx);
}

/** Events that much older than a case's first one are a replay of old logs, not its late beginning. */
const LATE_FIRST_EVENT = '1 hour';

/** An index holds them, and a name is up to 64 characters. */
const LOG_SOURCES_MAX = 20;
/** The ones a case has, and of the new ones as many as there is room for. */
const sourcesWith = sql`array(select s from (
  select s from unnest(c.log_sources || a.sources) with ordinality as u (s, n) group by s order by min(n)
  limit ${LOG_SOURCES_MAX}) kept order by s)`;

const newSources = sql`(select string_agg(E'\\n' || lower(s), '') from unnest(${sourcesWith}) s where s <> all (c.log_sources))`;

/** Values the text of the case does not have, as many as there is room for. They stand each on a line of its own. */
const valuesText = sql`split_part(c.search_text, ${VALUES_MARK}, 2)`;
const newValues = sql`(select string_agg(E'\\n' || v, '' order by n) from (
  select v, n, count(*) over before as place, sum(length(v) + 1) over before as characters
  from unnest(g."values") with ordinality as u (v, n)
  where position(E'\\n' || v || E'\\n' in ${valuesText} || E'\\n') = 0
  window before as (order by n)) new
  where place + length(${valuesText}) - length(replace(${valuesText}, E'\\n', '')) <= ${caseValues.max}
    and characters + length(${valuesText}) <= ${caseValues.maxCharacters})`;

/** What the column of the count holds. */
const COUNT_MAX = 2 ** 31 - 1;

/**
 * Adds the events the cases do not have yet and counts them; returns the cases that got some. One statement. Beyond
 * `caseEventsKept` events are counted and not kept, as those of a case nobody closes would fill the disk. Nothing here knows
 * one of them again: that an event comes once for a case rests on the records of matches.
 */
export async function insertEvents(
  tx: Tx,
  events: readonly (CaseRef & { event: StoredEvent })[],
  at: Date,
): Promise<(CaseRef & { status: string; added: number })[]> {
  const json = storableJson(
    events.map(({ tenant, caseId, event }) => {
      return { tenant, caseId, id: event.id, time: new Date(event.time).toISOString(), event };
    }),
  );
  const values = storableJson(valuesByCase(events));
  const { rows } = await sql<CaseRef & { status: string; added: number }>`
    with given as (
      select e.*, r.event_count + row_number() over (partition by e."caseId" order by e."time", e."id") as place
      from json_to_recordset(${json}::json) as e
        ("tenant" uuid, "caseId" uuid, "id" uuid, "time" timestamptz, "event" jsonb)
      join case_record r on r.tenant_id = e."tenant" and r.id = e."caseId"
      where not exists (select from case_event k where k.case_id = e."caseId" and k.event_id = e."id")
    ), kept as (
      insert into case_event (tenant_id, case_id, event_id, event_time, event)
      select "tenant", "caseId", "id", "time", "event" from given where place <= ${limits.caseEventsKept}
      on conflict do nothing
      returning tenant_id, case_id, event_time, event ->> 'integration' as integration
    ), new_event as (
      select * from kept
      union all
      select "tenant", "caseId", "time", "event" ->> 'integration' from given where place > ${limits.caseEventsKept}
    ), addition as (
      select n.tenant_id, n.case_id, count(*)::int as added, array_agg(distinct n.integration) as sources,
        min(n.event_time) filter (where n.event_time >= r.opened_at - ${LATE_FIRST_EVENT}::interval) as earliest
      from new_event n join case_record r on r.tenant_id = n.tenant_id and r.id = n.case_id group by 1, 2
    )
    update case_record c set
      event_count = least(c.event_count::bigint + a.added, ${COUNT_MAX}::bigint),
      opened_at = least(c.opened_at, a.earliest),
      log_sources = ${sourcesWith},
      search_text = (select case when sources is null and more is null then c.search_text
        else split_part(c.search_text, ${VALUES_MARK}, 1) || coalesce(sources, '') || ${VALUES_MARK} || ${valuesText} || coalesce(more, '')
        end from (select ${newSources} as sources, ${newValues} as more offset 0) added),
      time_updated = ${at}
    from addition a left join json_to_recordset(${values}::json) as g ("caseId" uuid, "values" text[])
      on g."caseId" = a.case_id
    where c.tenant_id = a.tenant_id and c.id = a.case_id
    returning c.tenant_id as tenant, c.id as "caseId", c.status, a.added`.execute(tx);
  return rows;
}

export async function upsertResponse(
  tx: Tx,
  scope: TenantScope,
  response: Omit<ResponseRow, 'tenant_id' | 'started_at'> & { started_at: Date },
): Promise<void> {
  await tx
    .insertInto('case_response')
    .values({ ...response, response_name: storableText(response.response_name), tenant_id: scope.tenantId })
    .onConflict((on) =>
      on
        .columns(['case_id', 'run_id'])
        .doUpdateSet({ status: response.status })
        // Reports of a run can overtake each other; its end is final.
        .where('case_response.status', 'not in', ['success', 'error', 'cancelled']),
    )
    .execute();
}
