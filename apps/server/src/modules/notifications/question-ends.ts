/**
 * Questions that are over: nobody is told of them any more, and what was told is read.
 *
 * The end is one row, written with the answer. Here it is carried out and gone, one question in one transaction: a crash
 * repeats it. Whoever tells of the same question at this moment holds its event locked; that is waited for, so that no
 * notice appears after its question was done with. Nothing else is held while waiting, so nobody can wait for us.
 */
import { sql } from 'kysely';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Changes } from '../stream/changes.ts';
import { NOTICES_CHANNEL } from './notifications-migrations.ts';

type Dependencies = { db: Pick<Database, 'system'>; changes: Pick<Changes, 'announce'>; now: () => Date };
type End = { id: string; tenant: string; promptId: string };

/** One statement: it runs inside the transaction of the answer. */
export async function insertEnd(tx: Tx, { id, tenant, promptId }: End): Promise<void> {
  await sql`
    with ended as (insert into notification_end (id, tenant_id, prompt_id) values (${id}, ${tenant}, ${promptId}))
    select pg_notify(${NOTICES_CHANNEL}, '')`.execute(tx);
}

/** Ends the notices of one question; false when no question was over. */
export function settleQuestion({ db, changes, now }: Dependencies): Promise<boolean> {
  return db.system(async (tx) => {
    const end = await takeEnd(tx);
    if (end === undefined) return false;
    const which = sql`tenant_id = ${end.tenant_id} and prompt_id = ${end.prompt_id}`;
    await sql`delete from notification_event where ${which}`.execute(tx);
    await sql`delete from notification_delivery where ${which}`.execute(tx);
    const { rows } = await sql<{ event_id: string }>`
      update notification set read_at = coalesce(read_at, ${now()}), prompt_id = null, question = null
      where ${which} returning event_id`.execute(tx);
    const [first] = rows;
    if (first) await changes.announce(tx, { tenant: end.tenant_id, kind: 'notification', id: first.event_id });
    await tx.deleteFrom('notification_end').where('id', '=', end.id).execute();
    return true;
  });
}

async function takeEnd(tx: Tx) {
  return await tx
    .selectFrom('notification_end')
    .selectAll()
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}
