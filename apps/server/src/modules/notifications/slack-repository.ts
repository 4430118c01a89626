/** Messages to Slack that are due, being sent, or put back. In system transactions, under the lock of the person's pace. */
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { DeliveryRow } from './delivery-repository.ts';

/** Takes away what was being sent when its process died. How many there were. */
export async function dropUnknown(tx: Tx, { userId, at }: { userId: string; at: Date }): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('notification_delivery')
    .where('user_id', '=', userId)
    .where('channel', '=', 'slack')
    .where('in_flight', '=', true)
    .where('due_at', '<=', at)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Oldest first; `urgentOnly` what waits for nothing. */
export async function listDue(
  tx: Tx,
  { userId, at, limit, urgentOnly }: { userId: string; at: Date; limit: number; urgentOnly: boolean },
): Promise<DeliveryRow[]> {
  return await tx
    .selectFrom('notification_delivery')
    .selectAll()
    .where('user_id', '=', userId)
    .where('channel', '=', 'slack')
    .where('due_at', '<=', at)
    .where('in_flight', '=', false)
    .$if(urgentOnly, (query) => query.where('kind', '=', 'account_security'))
    .orderBy('created_at')
    .orderBy('event_id')
    .limit(limit)
    .execute();
}

export async function markInFlight(tx: Tx, rows: readonly DeliveryRow[], leaseUntil: Date): Promise<void> {
  await sql`
    update notification_delivery set in_flight = true, attempts = attempts + 1, due_at = ${leaseUntil}
    where ${those(rows)}`.execute(tx);
}

/**
 * Never sent again: it was, or it never will be. How many were ended: none where they were given up meanwhile, or the
 * account is gone.
 */
export async function endMessages(tx: Tx, rows: readonly DeliveryRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  const { numAffectedRows = 0n } = await sql`delete from notification_delivery where ${those(rows)}`.execute(tx);
  return Number(numAffectedRows);
}

export async function putBack(tx: Tx, rows: readonly DeliveryRow[], dueAt: Date): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update notification_delivery set in_flight = false, held = true, due_at = ${dueAt} where ${those(rows)}`.execute(
    tx,
  );
}

function those(rows: readonly DeliveryRow[]) {
  const [first] = rows;
  const events = rows.map(({ event_id }) => event_id);
  return sql`user_id = ${first?.user_id ?? null}::uuid and channel = 'slack' and event_id = any(${events}::uuid[])`;
}
