import type { Selectable } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActivityTables } from './activity-tables.ts';

export type ApprovalRow = Selectable<ActivityTables['prompt_approval']>;

export async function findApproval(tx: Tx, scope: TenantScope, promptId: string): Promise<ApprovalRow | undefined> {
  return await tx
    .selectFrom('prompt_approval')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('prompt_id', '=', promptId)
    .executeTakeFirst();
}

/** Takes the place of an earlier one. The caller holds the run. */
export async function putApproval(tx: Tx, approval: ApprovalRow): Promise<void> {
  const { tenant_id, prompt_id, ...set } = approval;
  await tx
    .insertInto('prompt_approval')
    .values({ tenant_id, prompt_id, ...set })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'prompt_id']).doUpdateSet(set))
    .execute();
}

export async function isLinkSpent(
  tx: Tx,
  scope: TenantScope,
  { promptId, mark }: { promptId: string; mark: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('prompt_link_use')
    .select('used_at')
    .where('tenant_id', '=', scope.tenantId)
    .where('prompt_id', '=', promptId)
    .where('mark', '=', mark)
    .executeTakeFirst();
  return row !== undefined;
}

/** False when it was used before; of several at once one is the first. */
export async function spendLink(
  tx: Tx,
  scope: TenantScope,
  { promptId, mark, at }: { promptId: string; mark: string; at: Date },
): Promise<boolean> {
  const spent = await tx
    .insertInto('prompt_link_use')
    .values({ tenant_id: scope.tenantId, prompt_id: promptId, mark, used_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('mark')
    .executeTakeFirst();
  return spent !== undefined;
}

/** Links are older than their own end by then. A system transaction. */
export async function purgeLinkUses(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('prompt_link_use').where('used_at', '<', before).execute();
}
