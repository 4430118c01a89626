/**
 * A tenant on hold begins no steps. The mark is a row; it is read in the transaction that would begin a step, so that no
 * worker can have an old answer. Who finds it shares its lock until the step's job is put aside, and who ends the hold
 * deletes the row first: so no job is put aside after the release has looked for them.
 */
import type { SqlClient } from './interfaces.ts';
import { wakeChannel } from './run-save.ts';
import { readyState } from './suspects.ts';

export async function holdTenant(tx: SqlClient, tenantId: string, now: Date): Promise<void> {
  await tx.query('insert into engine.hold (tenant_id, since) values ($1, $2) on conflict do nothing', [tenantId, now]);
}

export async function releaseTenant(tx: SqlClient, tenantId: string): Promise<void> {
  await tx.query('delete from engine.hold where tenant_id = $1', [tenantId]);
  const { rowCount } = await tx.query(
    `update engine.job set state = ${readyState()} where tenant_id = $1 and state = 'held'`,
    [tenantId],
  );
  if (rowCount !== 0) await tx.query('select pg_notify($1, $2)', [wakeChannel, '']);
}

/** Those of the tenants that are on hold, and stay so until the transaction ends. */
export async function lockHolds(tx: SqlClient, tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (tenantIds.length === 0) return new Set();
  const { rows } = await tx.query<{ tenant_id: string }>(
    'select tenant_id from engine.hold where tenant_id = any($1::uuid[]) order by tenant_id for share',
    [[...new Set(tenantIds)]],
  );
  return new Set(rows.map(({ tenant_id }) => tenant_id));
}
