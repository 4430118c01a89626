import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type PlaybookRow = {
  id: string;
  tenant_id: string;
  version: number;
  definition: PlaybookDefinition;
  updated_at: Date;
};

const columns = ['id', 'tenant_id', 'version', 'definition', 'updated_at'] as const;

export async function listPlaybooks(tx: Tx, scope: TenantScope): Promise<PlaybookRow[]> {
  return await tx
    .selectFrom('playbook')
    .select(columns)
    .where('tenant_id', '=', scope.tenantId)
    .orderBy(sql`definition #>> '{metadata,name}'`)
    .limit(500)
    .execute();
}

export async function findPlaybook(tx: Tx, scope: TenantScope, id: string): Promise<PlaybookRow | undefined> {
  return await tx
    .selectFrom('playbook')
    .select(columns)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertPlaybook(
  tx: Tx,
  scope: TenantScope,
  playbook: { id: string; definition: PlaybookDefinition },
): Promise<void> {
  await tx
    .insertInto('playbook')
    .values({ id: playbook.id, tenant_id: scope.tenantId, definition: JSON.stringify(playbook.definition) })
    .execute();
}
