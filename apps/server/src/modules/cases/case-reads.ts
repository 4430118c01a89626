import type { CaseListQuery } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import type { PolicyOrigin } from '@airdeck/contracts/policies/origin-schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { listValues } from '@airdeck/contracts/value-list';
import { type RawBuilder, sql } from 'kysely';
import { charactersOf } from '../../event-weight.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { figureConditions, ofTechnique } from './case-figure-conditions.ts';
import type { CaseJson } from './case-view.ts';
import type { ActivityRow, EventRow } from './cases-repository.ts';

const MAX_SEARCH_WORDS = 10;
const SHOWN_EVENTS = 100;
const EVENTS_PER_READ = 100;
const SHOWN_RELATED = 20;
/** A case that is changed all the time has thousands; a list would read them for each of its cases. */
const SHOWN_SEVERITY_CHANGES = 100;

/** Cases per combination of what they can be filtered by; small, so that every facet is counted from it. */
export type FacetCell = {
  status: string;
  severity: string;
  category: string;
  log_sources: string[];
  count: number;
};

/**
 * The columns of `CaseJson`, to be made JSON one level above. As json, not jsonb: the text is only sent, and building
 * jsonb first would cost four times as much. The rank is there to sort by.
 */
const caseColumns = sql`
  c.id, c.tenant_id, c.number, c.alert_type, c.policy_id, c.name, c.description, c.severity, c.severity_rank, c.status,
  c.log_sources, c.meta, c.opened_at, c.time_opened, c.time_acknowledged, c.acknowledged_by, c.time_closed,
  c.closed_by, c.close_reason, c.assignee, c.tags, c.event_count, c.time_updated, c.respond_by, c.resolve_by,
  c.waiting_since, c.clock_stood_s,
  case c.alert_type when 'manual' then (select a.username from (
      select a.kind, a.username from case_activity a where a.case_id = c.id order by a.at, a.id limit 1) a
    where a.kind = 'opened') end as opened_by,
  (select a.data ->> 'from' from case_activity a where a.case_id = c.id and a.kind = 'severity_changed'
    order by a.at, a.id limit 1) as severity_opened,
  (select json_agg(json_build_object('at', a.at, 'username', a.username, 'to', a.data -> 'to') order by a.at, a.id)
    from (select a.at, a.id, a.username, a.data from case_activity a
      where a.case_id = c.id and a.kind = 'severity_changed'
      order by a.at desc, a.id desc limit ${SHOWN_SEVERITY_CHANGES}) a) as severity_changes,
  (select coalesce(json_agg(json_build_object('run_id', r.run_id, 'response_name', r.response_name,
      'response_type', r.response_type, 'status', r.status) order by r.started_at, r.run_id), '[]')
    from case_response r where r.case_id = c.id) as responses`;

// Whole reverses of each other, so that one index serves both directions.
const orders: Readonly<Record<CaseListQuery['sort'], RawBuilder<unknown>>> = {
  '-time_opened': sql`c.time_opened desc, c.id desc`,
  time_opened: sql`c.time_opened, c.id`,
  '-severity': sql`c.severity_rank desc, c.time_opened desc, c.id desc`,
  severity: sql`c.severity_rank, c.time_opened, c.id`,
  '-time_updated': sql`c.time_updated desc, c.id desc`,
  time_updated: sql`c.time_updated, c.id`,
};

/** The page first, from an index alone where nothing else is asked: columns are read, and responses looked up, of its cases only. */
export async function readCasePage(tx: Tx, scope: TenantScope, query: CaseListQuery): Promise<CaseJson[]> {
  const filtered = sql.join([withinSearch(scope, query), ...filterConditions(query)], sql` and `);
  const order = orders[query.sort];
  const { rows } = await sql<{ cases: CaseJson[] }>`
    select coalesce(json_agg(row_to_json(c) order by ${order}), '[]') as cases from (
      select ${caseColumns} from (
        select c.id from case_record c where ${filtered}
        order by ${order} limit ${query.limit} offset ${(query.page - 1) * query.limit}
      ) page join case_record c on c.tenant_id = ${scope.tenantId} and c.id = page.id) c`.execute(tx);
  return rows[0]?.cases ?? [];
}

/** Ids of the newest cases the list would show, and how many it would show in all. */
export async function readMatching(
  tx: Tx,
  scope: TenantScope,
  query: CaseListQuery,
  max: number,
): Promise<{ ids: string[]; matched: number }> {
  const filtered = sql.join([withinSearch(scope, query), ...filterConditions(query)], sql` and `);
  const { rows } = await sql<{ ids: string[]; matched: number }>`
    with c as materialized (select c.id, c.time_opened from case_record c where ${filtered})
    select (select count(*)::int from c) as matched,
      array(select id::text from c order by time_opened desc, id desc limit ${max}) as ids`.execute(tx);
  return rows[0] ?? { ids: [], matched: 0 };
}

/** The counts of everything the search and time range hold: every case in them is looked at. */
export async function readFacetCells(tx: Tx, scope: TenantScope, query: CaseListQuery): Promise<FacetCell[]> {
  const { rows } = await sql<FacetCell>`
    select c.status, c.severity, c.category, c.log_sources, count(*)::int as count
    from case_record c where ${withinSearch(scope, query)} group by 1, 2, 3, 4`.execute(tx);
  return rows;
}

export type WholeCase = CaseJson & { policy_origin: PolicyOrigin | null };

export async function readCase(tx: Tx, scope: TenantScope, id: string): Promise<WholeCase | undefined> {
  const { rows } = await sql<{ json: WholeCase }>`
    select row_to_json(c) as json from (
      select ${caseColumns}, c.policy_origin from case_record c where c.tenant_id = ${scope.tenantId} and c.id = ${id}) c`.execute(
    tx,
  );
  return rows[0]?.json;
}

/** In its order. Of a very long one the newest part: what happened last is what the next step needs. */
export async function readStory(
  tx: Tx,
  scope: TenantScope,
  caseId: string,
  limit: number = limits.caseStoryMax,
): Promise<ActivityRow[]> {
  const newestFirst = await tx
    .selectFrom('case_activity')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('case_id', '=', caseId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return newestFirst.reverse();
}

export async function countStory(tx: Tx, scope: TenantScope, caseId: string): Promise<number> {
  const { entries } = await tx
    .selectFrom('case_activity')
    .select((eb) => eb.fn.countAll<number>().as('entries'))
    .where('tenant_id', '=', scope.tenantId)
    .where('case_id', '=', caseId)
    .executeTakeFirstOrThrow();
  return entries;
}

export async function readFirstEvents(tx: Tx, scope: TenantScope, caseId: string): Promise<EventRow[]> {
  return await tx
    .selectFrom('case_event')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('case_id', '=', caseId)
    .orderBy('event_time')
    .orderBy('event_id')
    .limit(SHOWN_EVENTS)
    .execute();
}

/**
 * The first events of a case, as many and as large as a document of it may hold. They are read some at a time: one is up to a
 * quarter of a megabyte.
 */
export async function readEventsForDocument(
  tx: Tx,
  scope: TenantScope,
  { caseId, limit }: { caseId: string; limit: number },
): Promise<EventRow[]> {
  const events: EventRow[] = [];
  let characters = 0;
  for (;;) {
    const last = events.at(-1);
    const page = await tx
      .selectFrom('case_event')
      .selectAll()
      .where('tenant_id', '=', scope.tenantId)
      .where('case_id', '=', caseId)
      .$if(last !== undefined, (query) =>
        query.where(sql<boolean>`(event_time, event_id) > (${last?.event_time}::timestamptz, ${last?.event_id}::uuid)`),
      )
      .orderBy('event_time')
      .orderBy('event_id')
      .limit(Math.min(EVENTS_PER_READ, limit - events.length))
      .execute();
    for (const row of page) {
      characters += charactersOf(row.event);
      if (characters > serverLimits.caseExportCharactersMax && events.length > 0) return events;
      events.push(row);
    }
    if (page.length < EVENTS_PER_READ || events.length === limit) return events;
  }
}

/**
 * Other cases that share a group value under the same name: the same address, the same user. Newest first. The newest of
 * each value come from an index; the values are those a trigger keeps of every case that opens.
 */
export async function readRelated(tx: Tx, scope: TenantScope, of: Pick<CaseJson, 'id'>): Promise<CaseJson[]> {
  const { rows } = await sql<{ json: CaseJson }>`
    select row_to_json(c) as json from (
      select ${caseColumns} from (
        select distinct o.case_id, o.time_opened from case_group_value v
        cross join lateral (
          select case_id, time_opened from case_group_value
          where tenant_id = ${scope.tenantId} and value_hash = v.value_hash and case_id <> ${of.id}
          order by time_opened desc, case_id desc limit ${SHOWN_RELATED}) o
        where v.tenant_id = ${scope.tenantId} and v.case_id = ${of.id}
        order by o.time_opened desc, o.case_id desc limit ${SHOWN_RELATED}
      ) shared join case_record c on c.tenant_id = ${scope.tenantId} and c.id = shared.case_id) c
    order by c.time_opened desc, c.id desc`.execute(tx);
  return rows.map((row) => row.json);
}

/** What facets are counted within: tenant, search text, time, policies, technique and figure, but none of the facets' own filters. */
function withinSearch(scope: TenantScope, query: CaseListQuery): RawBuilder<unknown> {
  const conditions = [sql`c.tenant_id = ${scope.tenantId}`];
  if (query.start_time !== undefined) conditions.push(sql`c.time_opened >= ${query.start_time}::timestamptz`);
  if (query.end_time !== undefined) conditions.push(sql`c.time_opened < ${query.end_time}::timestamptz`);
  if (query.policy !== undefined) conditions.push(sql`c.policy_id = any(${query.policy}::uuid[])`);
  if (query.technique !== undefined) conditions.push(ofTechnique(scope, query.technique));
  if (query.figure !== undefined) conditions.push(figureConditions[query.figure]);
  for (const word of searchWords(query.q)) conditions.push(sql`c.search_text like ${`%${word}%`}`);
  return sql.join(conditions, sql` and `);
}

function filterConditions(query: CaseListQuery): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  if (query.status !== undefined) conditions.push(sql`c.status = any(${query.status}::text[])`);
  if (query.severity !== undefined) conditions.push(sql`c.severity = any(${query.severity}::text[])`);
  if (query.source) conditions.push(sql`c.log_sources && ${listOf(query.source)}::text[]`);
  if (query.category) conditions.push(sql`c.category = any(${listOf(query.category)}::text[])`);
  return conditions;
}

/** `okta,sshd`: one parameter, comma separated. */
export function listOf(text: string): string[] {
  return listValues(text);
}

function searchWords(text = ''): string[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return words.slice(0, MAX_SEARCH_WORDS).map((word) => word.replaceAll(/[\\%_]/g, '\\$&'));
}
