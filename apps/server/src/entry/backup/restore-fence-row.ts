/** The operator's side of the fence (`modules/restore-fence`): raised before the first row is loaded, lifted by command. */
import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import { createAuditService } from '../../modules/audit/audit-service.ts';
import { RESTORE_FENCE_CHANNEL } from '../../modules/restore-fence/restore-fence.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import { BackupError } from './backup-error.ts';

export async function raiseFence(client: ClientBase, takenAt: string): Promise<void> {
  await client.query(raisedFence(new Date(takenAt)));
}

/** As a statement without parameters: not every session that raises it takes some. */
export function raisedFence(takenAt: Date): string {
  const at = takenAt.toISOString();
  // One that was restored before brings the row of that time along.
  return `insert into public.restore_fence (state, backup_taken_at) values ('restoring', '${at}')
    on conflict (id) do update set state = 'restoring', backup_taken_at = '${at}', restored_at = null, lifted_at = null`;
}

export async function noteRestored(client: ClientBase): Promise<void> {
  await client.query(`update public.restore_fence set state = 'up', restored_at = now()`);
}

export type Waiting = { runs: number; questions: number; jobs: number; mails: number };

/** What begins when the fence is lifted. */
export async function countWaiting(db: Database): Promise<Waiting> {
  return await db.system(async (tx) => {
    const { rows } = await sql<Waiting>`select
      (select count(*) from engine.run where finished_at is null)::int as runs,
      (select count(*) from engine.prompt where closed_at is null)::int as questions,
      (select count(*) from engine.job where state not in ('dead', 'held'))::int as jobs,
      (select count(*) from mail where due_at is not null)::int as mails`.execute(tx);
    return rows[0] ?? { runs: 0, questions: 0, jobs: 0, mails: 0 };
  });
}

/** Recorded in the audit log of every tenant, in the same transaction. Running servers begin at once. */
export async function lowerFence(db: Database, now: Date): Promise<void> {
  const audit = createAuditService({ now: () => now });
  await db.system(async (tx) => {
    const fence = await tx.selectFrom('restore_fence').selectAll().forUpdate().executeTakeFirst();
    if (fence === undefined || fence.state === 'lifted') {
      throw new BackupError('There is no restore fence here: nothing to lift.');
    }
    if (fence.state === 'restoring') {
      throw new BackupError(
        'The restore into this installation did not finish, so the fence stays. Empty the data folder (or make new, empty databases) and restore again.',
      );
    }
    await tx.updateTable('restore_fence').set({ state: 'lifted', lifted_at: now }).execute();
    await sqlClient(tx).query(`select pg_notify('${RESTORE_FENCE_CHANNEL}', '')`);
    const tenants = await tx.selectFrom('tenant').select('id').orderBy('id').execute();
    await audit.recordAll(
      tx,
      tenants.map(({ id }) => ({
        tenant: id,
        actor: { kind: 'system', id: null, name: 'Operator' },
        action: 'restore_fence.lift',
        target: { kind: 'installation', id: null },
        outcome: 'ok',
        data: {
          backup_taken_at: fence.backup_taken_at.toISOString(),
          restored_at: fence.restored_at?.toISOString() ?? null,
        },
        request_id: null,
      })),
    );
  });
}
