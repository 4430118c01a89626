import { refusal } from '@airdeck/contracts/refusal-texts';
import { sql } from 'kysely';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type AssigneeDependencies = {
  /** Those of these names who may be given a case: active members of the tenant whose role may work on it. */
  assignableAmong: (tx: Tx, scope: TenantScope, usernames: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** Throws VALIDATION_FAILED at `path` for somebody who could not work on a case of the tenant. */
export async function requireAssignable(
  deps: AssigneeDependencies,
  tx: Tx,
  scope: TenantScope,
  { assignee, path }: { assignee: string; path: string },
): Promise<void> {
  if (await isAssignable(deps, tx, scope, assignee)) return;
  const refused = refusal('CASE_ASSIGNEE_MAY_NOT', { who: assignee });
  throw new AppError('VALIDATION_FAILED', { ...refused, details: [{ path, ...refused }] });
}

/**
 * Whether somebody could work on a case of the tenant. It stays so until the transaction ends: who leaves meanwhile waits
 * for it, and loses this case with the others.
 */
export async function isAssignable(
  { assignableAmong }: AssigneeDependencies,
  tx: Tx,
  scope: TenantScope,
  assignee: string,
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${subjectOf(assignee)}, 0))`.execute(tx);
  return (await assignableAmong(tx, scope, [assignee])).has(assignee);
}

/** Until the transaction ends nobody can give this person a case, and every case they are just given is theirs already. */
export async function endAssignments(tx: Tx, username: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${subjectOf(username)}, 0))`.execute(tx);
}

function subjectOf(username: string): string {
  return `case assignee ${username}`;
}
