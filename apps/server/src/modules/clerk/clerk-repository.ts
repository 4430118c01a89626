/** Users, notices and tasks of Clerk belong to no tenant: these run in system transactions. */
import type { Selectable } from 'kysely';
import { sqlClient } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { ClerkTaskTable } from './clerk-tables.ts';

/** Payload: nothing. Something is to be told to Clerk. */
export const CLERK_CHANNEL = 'airdeck_clerk';

export type ClerkTask = Selectable<ClerkTaskTable>;

/** False when the notice was dealt with before. */
export async function insertMessage(tx: Tx, id: string, at: Date): Promise<boolean> {
  const row = await tx
    .insertInto('clerk_message')
    .values({ id, received_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteMessagesBefore(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('clerk_message').where('received_at', '<', before).execute();
}

/** Notes a change of a user and holds its row; false when it is older than what is known, or the user was deleted. */
export async function advanceUser(tx: Tx, subject: string, changedAt: Date): Promise<boolean> {
  const { rows } = await sqlClient(tx).query(
    `insert into clerk_user (subject, changed_at) values ($1, $2)
     on conflict (subject) do update set changed_at = excluded.changed_at
       where clerk_user.deleted_at is null and clerk_user.changed_at <= excluded.changed_at
     returning subject`,
    [subject, changedAt],
  );
  return rows.length > 0;
}

export async function markDeleted(tx: Tx, subject: string, at: Date): Promise<void> {
  await sqlClient(tx).query(
    `insert into clerk_user (subject, changed_at, deleted_at) values ($1, $2, $2)
     on conflict (subject) do update set deleted_at = excluded.deleted_at`,
    [subject, at],
  );
}

export async function putLinked(tx: Tx, subject: string, user: string, at: Date): Promise<void> {
  await sqlClient(tx).query(
    `insert into clerk_user (subject, linked_user, changed_at) values ($1, $2, to_timestamp(0))
     on conflict (subject) do update set linked_user = excluded.linked_user`,
    [subject, user],
  );
  await tx
    .deleteFrom('clerk_task')
    .where('kind', '=', 'link')
    .where('object', '=', subject)
    .where('created_at', '<=', at)
    .execute();
}

export async function putTask(
  tx: Tx,
  { kind, object, detail, at }: { kind: ClerkTask['kind']; object: string; detail: string; at: Date },
): Promise<void> {
  const task = { detail, attempts: 0, created_at: at, due_at: at, failure: null };
  await tx
    .insertInto('clerk_task')
    .values({ kind, object, ...task })
    .onConflict((conflict) => conflict.columns(['kind', 'object']).doUpdateSet(task))
    .execute();
  await sqlClient(tx).query(`select pg_notify('${CLERK_CHANNEL}', '')`);
}

/** A `link` task for every user of ours that came from Clerk and is not known there by its id. */
export async function addMissingLinks(tx: Tx, issuer: string, at: Date): Promise<void> {
  await sqlClient(tx).query(
    `insert into clerk_task (kind, object, detail, created_at, due_at)
     select 'link', u.identity_subject, u.id::text, $2, $2
     from app_user u left join clerk_user c on c.subject = u.identity_subject
     where u.identity_issuer = $1 and u.status <> 'disabled'
       and c.linked_user is distinct from u.id and c.deleted_at is null
     on conflict (kind, object) do nothing`,
    [issuer, at],
  );
}

/** A `revoke_invitation` task for everything Clerk still offers of an invitation that was withdrawn or replaced. */
export async function addMissingRevocations(tx: Tx, at: Date): Promise<void> {
  await sqlClient(tx).query(
    `insert into clerk_task (kind, object, detail, created_at, due_at)
     select 'revoke_invitation', c.clerk_id, '', $1, $1
     from clerk_invitation c left join invitation i on i.id = c.invitation_id
     where i.id is null or i.state = 'revoked'
     on conflict (kind, object) do nothing`,
    [at],
  );
}

export async function claimTasks(
  tx: Tx,
  { at, leaseUntil, limit }: { at: Date; leaseUntil: Date; limit: number },
): Promise<ClerkTask[]> {
  const { rows } = await sqlClient(tx).query<ClerkTask>(
    `update clerk_task set attempts = attempts + 1, due_at = $2
     where (kind, object) in (select kind, object from clerk_task where due_at <= $1 order by due_at limit $3 for update skip locked)
     returning *`,
    [at, leaseUntil, limit],
  );
  return rows;
}

/** Only as long as nobody asked for something else meanwhile. */
export async function finishTask(tx: Tx, { kind, object, detail, attempts }: ClerkTask): Promise<void> {
  await tx
    .deleteFrom('clerk_task')
    .where('kind', '=', kind)
    .where('object', '=', object)
    .where('detail', '=', detail)
    .where('attempts', '=', attempts)
    .execute();
}

export async function postponeTask(
  tx: Tx,
  { kind, object, attempts }: ClerkTask,
  { dueAt, failure }: { dueAt: Date | null; failure: string },
): Promise<void> {
  await tx
    .updateTable('clerk_task')
    .set({ due_at: dueAt, failure: failure.slice(0, 200) })
    .where('kind', '=', kind)
    .where('object', '=', object)
    .where('attempts', '=', attempts)
    .execute();
}

export async function nextTaskAt(tx: Tx): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('clerk_task')
    .select(({ fn }) => fn.min('due_at').as('due_at'))
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

export async function listClerkInvitations(tx: Tx, invitation: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('clerk_invitation')
    .select('clerk_id')
    .where('invitation_id', '=', invitation)
    .execute();
  return rows.map((row) => row.clerk_id);
}

export async function insertClerkInvitation(
  tx: Tx,
  row: { clerk_id: string; invitation_id: string; created_at: Date },
): Promise<void> {
  await tx
    .insertInto('clerk_invitation')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteClerkInvitation(tx: Tx, clerkId: string): Promise<void> {
  await tx.deleteFrom('clerk_invitation').where('clerk_id', '=', clerkId).execute();
}

export type PendingInvitation = {
  id: string;
  tenant_id: string;
  email: string;
  role: string;
  expires_at: Date;
};

export async function findPendingInvitation(tx: Tx, id: string): Promise<PendingInvitation | undefined> {
  const row = await tx
    .selectFrom('invitation')
    .select(['id', 'tenant_id', 'email', 'role', 'expires_at'])
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return row?.email == null ? undefined : { ...row, email: row.email };
}

/** Invitations of an address that Clerk was told about and that still count. */
export async function listPendingOf(tx: Tx, email: string, now: Date): Promise<string[]> {
  const { rows } = await sqlClient(tx).query<{ id: string }>(
    `select i.id from invitation i
     where i.email = $1 and i.state = 'pending' and i.expires_at > $2
       and exists (select from clerk_invitation c where c.invitation_id = i.id)
     limit 50`,
    [email, now],
  );
  return rows.map((row) => row.id);
}

export type LinkedUser = { id: string; email: string; fullname: string; status: string; home_tenant_id: string };

export async function findLinkedUser(tx: Tx, issuer: string, subject: string): Promise<LinkedUser | undefined> {
  return await tx
    .selectFrom('app_user')
    .select(['id', 'email', 'fullname', 'status', 'home_tenant_id'])
    .where('identity_issuer', '=', issuer)
    .where('identity_subject', '=', subject)
    .executeTakeFirst();
}

/** Who has the address here, is a member nowhere and was deleted at Clerk: nobody can sign in as them any more. */
export async function findLeft(tx: Tx, issuer: string, email: string): Promise<string | undefined> {
  const { rows } = await sqlClient(tx).query<{ id: string }>(
    `select u.id from app_user u join clerk_user c on c.subject = u.identity_subject and c.deleted_at is not null
     where u.email = $1 and u.identity_issuer = $2 and not exists (select 1 from membership m where m.user_id = u.id)
     for update of u`,
    [email, issuer],
  );
  return rows[0]?.id;
}

/** The subject of one of our users at Clerk. */
export async function findSubject(tx: Tx, issuer: string, user: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('app_user')
    .select('identity_subject')
    .where('id', '=', user)
    .where('identity_issuer', '=', issuer)
    .executeTakeFirst();
  return row?.identity_subject;
}

export async function isAddressTaken(tx: Tx, email: string, besides: string): Promise<boolean> {
  const row = await tx
    .selectFrom('app_user')
    .select('id')
    .where('email', '=', email)
    .where('id', '<>', besides)
    .executeTakeFirst();
  return row !== undefined;
}
