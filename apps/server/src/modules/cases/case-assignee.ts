import { refusal } from '@airdeck/contracts/refusal-texts';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type AssigneeDependencies = {
  /** Those of these names who may be given a case: active members of the tenant whose role may work on it. */
  assignableAmong: (tx: Tx, scope: TenantScope, usernames: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** Throws VALIDATION_FAILED at `path` for somebody who could not work on a case of the tenant. */
export async function requireAssignable(
  { assignableAmong }: AssigneeDependencies,
  tx: Tx,
  scope: TenantScope,
  { assignee, path }: { assignee: string; path: string },
): Promise<void> {
  if ((await assignableAmong(tx, scope, [assignee])).has(assignee)) return;
  const refused = refusal('CASE_ASSIGNEE_MAY_NOT', { who: assignee });
  throw new AppError('VALIDATION_FAILED', { ...refused, details: [{ path, ...refused }] });
}
