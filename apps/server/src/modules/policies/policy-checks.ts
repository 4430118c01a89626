/** What every change of a policy shares. */
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { validatePolicy } from '@airdeck/detection/policy-set';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { AuditActor, AuditEntry } from '../audit/audit-log.ts';
import { countPolicies, type PolicyRow, takenNames } from './policies-repository.ts';

export type ChangedBy = { actor: AuditActor; requestId: string | null };

/** Throws VALIDATION_FAILED with every problem. */
export function assertSound(rule: PolicyRule): void {
  const problems = validatePolicy(rule);
  if (problems.length === 0) return;
  throw new AppError('VALIDATION_FAILED', {
    message: 'The policy cannot run as it is.',
    details: problems.map(({ path, ...told }) => ({ path: `rule.${path}`, ...told })),
  });
}

/** People know policies by name: in case lists, automations and reports. Names of before stay, even where two are equal. */
export async function requireFreeName(
  tx: Tx,
  scope: TenantScope,
  rule: PolicyRule | undefined,
  before?: PolicyRow,
): Promise<void> {
  const name = rule?.name.toLowerCase();
  if (rule === undefined || name === undefined || name === before?.rule.name.toLowerCase()) return;
  const taken = await takenNames(tx, scope, { names: [name], ...(before === undefined ? {} : { except: before.id }) });
  if (taken.size === 0) return;
  const refused = refusal('POLICY_NAME_TAKEN', { name: rule.name });
  throw new AppError('CONFLICT', { ...refused, details: [{ path: 'rule.name', ...refused }] });
}

/** Throws CONFLICT when the tenant would have more policies than it may. */
export async function requireRoom(tx: Tx, scope: TenantScope, more: number): Promise<void> {
  if ((await countPolicies(tx, scope)) + more <= serverLimits.policiesMax) return;
  throw new AppError('CONFLICT', refusal('POLICIES_TOO_MANY', { maximum: serverLimits.policiesMax }));
}

export function auditEntry(
  scope: TenantScope,
  { id, action, data }: { id: string | null; action: AuditAction; data: Readonly<Record<string, unknown>> },
  by: ChangedBy,
): AuditEntry {
  return {
    tenant: scope.tenantId,
    actor: by.actor,
    action,
    target: { kind: 'policy', id },
    outcome: 'ok',
    data,
    request_id: by.requestId,
  };
}

export function noSuchPolicy(): AppError {
  return new AppError('NOT_FOUND', { message: 'This policy does not exist.' });
}
