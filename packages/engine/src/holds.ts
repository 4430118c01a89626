/**
 * A tenant on hold begins no steps. The mark is a row; it is read in the transaction that would begin a step, so that no
 * worker can have an old answer. Such transactions share a lock of the tenant until they commit, and who sets the mark takes
 * it alone: what was about to begin has begun by then, and nothing does after it. Who finds the mark shares its row until the
 * step's job is put aside, and who ends the hold deletes the row first: so no job is put aside after the release has looked
 * for them.
 */
import type { SqlClient } from './interfaces.ts';
import { wakeChannel } from './run-save.ts';
import { readyState } from './suspects.ts';

/** Tells these locks from others of the same database. */
const LOCK_SEED = 4_715_003_201;

export async function holdTenant(tx: SqlClient, tenantId: string, now: Date): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1::uuid::text, $2))', [tenantId, LOCK_SEED]);
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
  const tenants = [...new Set(tenantIds)].sort();
  // Two statements on one way: the second sees what was committed while the first waited.
  const [, { rows }] = await Promise.all([
    tx.query('select pg_advisory_xact_lock_shared(hashtextextended(t::text, $2)) from unnest($1::uuid[]) as t', [
      tenants,
      LOCK_SEED,
    ]),
    tx.query<{ tenant_id: string }>(
      'select tenant_id from engine.hold where tenant_id = any($1::uuid[]) order by tenant_id for share',
      [tenants],
    ),
  ]);
  return new Set(rows.map(({ tenant_id }) => tenant_id));
}
