import type { CaseSuppressionList } from '@airdeck/contracts/cases/schema';
import { sql } from 'kysely';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { COLLECTED_GROUP } from './case-openings.ts';
import type { GroupSuppressions } from './case-suppressions-port.ts';
import { referenceOf } from './case-view.ts';
import type { CaseRow } from './cases-repository.ts';
import type { UpdatedBy } from './cases-service.ts';

const PAGE = 500;
export const SUPPRESSION_MAX_MS = 366 * 24 * 3_600_000;

type Dependencies = {
  now: () => Date;
  ids: () => string;
  audit: Pick<AuditLog, 'record'>;
  groups: GroupSuppressions;
};

/** Those that run, the next to end first. Throws VALIDATION_FAILED. */
export async function listSuppressions(
  tx: Tx,
  scope: TenantScope,
  { now, cursor }: { now: Date; cursor?: string | undefined },
): Promise<CaseSuppressionList> {
  const after = placeOf(cursor);
  const found = await tx
    .selectFrom('case_suppression as s')
    .innerJoin('case_record as c', (join) =>
      join.onRef('c.id', '=', 's.case_id').onRef('c.tenant_id', '=', 's.tenant_id'),
    )
    // The case has the name of when it opened.
    .innerJoin('policy as p', (join) => join.onRef('p.id', '=', 's.policy_id').onRef('p.tenant_id', '=', 's.tenant_id'))
    .select(sql<string>`p.rule ->> 'name'`.as('policy_name'))
    .select(['s.id', 's.policy_id', 's.until', 's.created_at', 's.created_by', 's.case_id', 'c.number', 'c.meta'])
    .where('s.tenant_id', '=', scope.tenantId)
    .where('s.until', '>', now)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(s.until, s.id) > (${after?.until}, ${after?.id}::uuid)`),
    )
    .orderBy('s.until')
    .orderBy('s.id')
    .limit(PAGE + 1)
    .execute();
  const rows = found.slice(0, PAGE);
  const suppressions = rows.map((row) => ({
    id: row.id,
    policy_id: row.policy_id,
    policy_name: row.policy_name,
    group: row.meta,
    until: row.until.toISOString(),
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    case_id: row.case_id,
    case_reference: referenceOf(row.number),
  }));
  const last = rows.at(-1);
  const isMore = last !== undefined && found.length > rows.length;
  return { suppressions, cursor: isMore ? `${last.until.getTime()}_${last.id}` : null };
}

/** Where the page before ended: the end of its last one, and its id. That one may have been ended meanwhile. */
function placeOf(cursor: string | undefined): { until: Date; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [, until, id] = /^(\d{1,14})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(cursor) ?? [];
  if (until !== undefined && id !== undefined) return { until: new Date(Number(until)), id };
  const message = 'Not a cursor of this list.';
  throw new AppError('VALIDATION_FAILED', { message, details: [{ path: 'query.cursor', message }] });
}

/** Why the group of a case cannot be suppressed until then; undefined when it can. */
export function suppressionProblem(
  row: Pick<CaseRow, 'policy_id' | 'group_key'>,
  { until, now }: { until: Date; now: Date },
): string | undefined {
  if (row.policy_id === null || row.group_key === null) {
    return 'No policy would open this case again, so there is nothing to suppress.';
  }
  if (row.group_key === COLLECTED_GROUP) {
    return 'This case collects what its policy found for many groups. Change the policy, or switch it off.';
  }
  if (until <= now) return 'The suppression would be over already.';
  if (until.getTime() - now.getTime() > SUPPRESSION_MAX_MS) return 'A suppression ends within a year.';
  return undefined;
}

/** Another one of the same group is replaced. The group is locked already. */
export async function addSuppression(
  { now, ids, groups }: Omit<Dependencies, 'audit'>,
  tx: Tx,
  scope: TenantScope,
  { row, until, username }: { row: CaseRow; until: Date; username: string },
): Promise<void> {
  const { policy_id: policyId, group_key: groupKey } = row;
  if (policyId === null || groupKey === null) return;
  const at = now();
  const facts = { case_id: row.id, until, created_at: at, created_by: username };
  const before = await tx
    .selectFrom('case_suppression')
    .select('until')
    .where('tenant_id', '=', scope.tenantId)
    .where('policy_id', '=', policyId)
    .where('group_key', '=', groupKey)
    .executeTakeFirst();
  if (before !== undefined) await groups.end(tx, scope, { policyId, groupKey, until: before.until, at });
  await tx
    .insertInto('case_suppression')
    .values({ id: ids(), tenant_id: scope.tenantId, policy_id: policyId, group_key: groupKey, ...facts })
    .onConflict((on) => on.columns(['tenant_id', 'policy_id', 'group_key']).doUpdateSet(facts))
    .execute();
  await groups.suppress(tx, scope, { policyId, groupKey, until });
}

/** Throws NOT_FOUND, also for one that is over. */
export async function endSuppression(
  { now, audit, groups }: Omit<Dependencies, 'ids'>,
  tx: Tx,
  scope: TenantScope,
  { id, by }: { id: string; by: UpdatedBy },
): Promise<void> {
  const at = now();
  const found = await tx
    .selectFrom('case_suppression')
    .select(['policy_id', 'group_key', 'case_id', 'until'])
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('until', '>', at)
    .executeTakeFirst();
  if (found === undefined) throw new AppError('NOT_FOUND', { message: 'This suppression is over already.' });
  const group = { policyId: found.policy_id, groupKey: found.group_key };
  await groups.lock(tx, scope, group);
  const ended = await tx
    .deleteFrom('case_suppression')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returning('until')
    .executeTakeFirst();
  if (ended === undefined) throw new AppError('NOT_FOUND', { message: 'This suppression is over already.' });
  await groups.end(tx, scope, { ...group, until: ended.until, at });
  await audit.record(tx, {
    tenant: scope.tenantId,
    actor: by.actor,
    action: 'case_suppression.end',
    target: { kind: 'case', id: found.case_id },
    outcome: 'ok',
    data: { policy_id: found.policy_id, until: ended.until.toISOString() },
    request_id: by.requestId,
  });
}
