/** Reads of audit records as people filter them: all by keyset on the sequence, so no page depends on another's length. */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditRecordTable } from './audit-tables.ts';

export type AuditFilter = {
  actor?: string | undefined;
  action?: string | undefined;
  target?: string | undefined;
  outcome?: 'ok' | 'refused' | undefined;
  start_time?: string | undefined;
  end_time?: string | undefined;
};

/**
 * Further apart than clocks of processes are that take part in one installation. A record is found by its own time, but looked
 * for only where others of that time are, so this is wide.
 */
const MARGIN = sql`interval '24 hours'`;
const LAST_SEQUENCE = sql`9223372036854775807`;

/** `before` and `after` are sequences, both exclusive; newest first goes down from `before`, oldest first up from `after`. */
export type AuditPageRequest = {
  order: 'newest' | 'oldest';
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
};

export async function findRecords(
  tx: Tx,
  scope: TenantScope,
  filter: AuditFilter,
  page: AuditPageRequest,
): Promise<AuditRecordTable[]> {
  const conditions = [
    sql`r.tenant_id = ${scope.tenantId}`,
    ...filterConditions(filter),
    ...placeConditions(scope, filter),
  ];
  if (page.before !== undefined) conditions.push(sql`r.sequence < ${page.before}::bigint`);
  if (page.after !== undefined) conditions.push(sql`r.sequence > ${page.after}::bigint`);
  const order = page.order === 'newest' ? sql`r.sequence desc` : sql`r.sequence`;
  const { rows } = await sql<AuditRecordTable>`
    select r.* from audit_record r where ${sql.join(conditions, sql` and `)}
    order by ${order} limit ${page.limit}`.execute(tx);
  return rows;
}

function filterConditions(filter: AuditFilter): RawBuilder<unknown>[] {
  const conditions: RawBuilder<unknown>[] = [];
  const { actor, action, target, outcome, start_time, end_time } = filter;
  if (action !== undefined) conditions.push(beginsWith(action));
  if (target !== undefined) conditions.push(isTarget(target));
  if (outcome !== undefined) conditions.push(sql`r.outcome = ${outcome}`);
  if (start_time !== undefined) conditions.push(sql`r.at >= ${start_time}::timestamptz`);
  if (end_time !== undefined) conditions.push(sql`r.at < ${end_time}::timestamptz`);
  if (actor !== undefined) {
    const part = `%${actor.replaceAll(/[\\%_]/g, '\\$&')}%`;
    conditions.push(sql`(r.actor_id = ${actor} or r.actor_name ilike ${part})`);
  }
  return conditions;
}

/**
 * The part of the chain where records of the time lie. Without it a page of a past time is a walk from an end of the chain:
 * the planner does not know that sequence and time grow together, and expects matches everywhere. Each bound is two probes
 * of the index by time, for the record on either side, so that one record with a wholly wrong clock hides no other. It has to
 * be a subquery as a whole: below row-level security the index is not used with an expression around subqueries.
 */
function placeConditions(scope: TenantScope, { start_time, end_time }: AuditFilter): RawBuilder<unknown>[] {
  const places: RawBuilder<unknown>[] = [];
  if (start_time !== undefined) {
    const { last, next } = around(scope, sql`${start_time}::timestamptz - ${MARGIN}`);
    places.push(sql`r.sequence >= (select least(coalesce(${last}, 0), ${next}))`);
  }
  if (end_time !== undefined) {
    const { last, next } = around(scope, sql`${end_time}::timestamptz + ${MARGIN}`);
    places.push(sql`r.sequence <= (select greatest(coalesce(${next}, ${LAST_SEQUENCE}), ${last}))`);
  }
  return places;
}

/** Sequences of the last record before the time and of the next one since; null where there is none. */
function around(scope: TenantScope, time: RawBuilder<unknown>) {
  const own = sql`select s.sequence from audit_record s where s.tenant_id = ${scope.tenantId}`;
  return {
    last: sql`(${own} and s.at < ${time} order by s.at desc limit 1)`,
    next: sql`(${own} and s.at >= ${time} order by s.at limit 1)`,
  };
}

/** Kinds are plain words. What is none can only be an id, of which there is an index. */
const KIND = /^[a-z_]+$/;

function isTarget(text: string): RawBuilder<unknown> {
  return KIND.test(text) ? sql`(r.target_kind = ${text} or r.target_id = ${text})` : sql`r.target_id = ${text}`;
}

/**
 * A range instead of LIKE: below row-level security only comparisons that give nothing away may use an index, and LIKE is
 * none of them. The column sorts by bytes ("C"): nothing begins with the text that sorts after it followed by the highest
 * character.
 */
function beginsWith(text: string): RawBuilder<unknown> {
  return sql`(r.action >= ${text} and r.action < ${`${text}\u{10ffff}`})`;
}
