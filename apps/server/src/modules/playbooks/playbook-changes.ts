/** What every change of a playbook shares. */
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditEntry } from '../audit/audit-log.ts';
import { countPlaybooks } from './playbooks-repository.ts';

/** Who changes something: as the audit has it, and the name that stands in the playbook. */
export type Editor = { actor: AuditActor; username: string; requestId: string | null };

export type Done = { id: string; action: AuditAction; data: Readonly<Record<string, unknown>> };

export function auditEntry(scope: TenantScope, { id, action, data }: Done, by: Editor): AuditEntry {
  return {
    tenant: scope.tenantId,
    actor: by.actor,
    action,
    target: { kind: 'playbook', id },
    outcome: 'ok',
    data,
    request_id: by.requestId,
  };
}

export function notThere(): AppError {
  return new AppError('NOT_FOUND', { message: 'This playbook does not exist. It may have been deleted.' });
}

/** Throws CONFLICT when the tenant has more than it may. */
export async function requireRoom(tx: Tx, scope: TenantScope): Promise<void> {
  if ((await countPlaybooks(tx, scope)) <= serverLimits.playbooksMax) return;
  throw new AppError('CONFLICT', refusal('PLAYBOOKS_TOO_MANY', { maximum: serverLimits.playbooksMax }));
}
