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
  const conditions = [sql`r.tenant_id = ${scope.tenantId}`, ...filterConditions(filter)];
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
