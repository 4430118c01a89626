/** Invitations are looked up by their ticket, before there is a scope: these run in system transactions. */
import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { InvitationTable } from './invitations-tables.ts';

export type InvitationRow = Selectable<InvitationTable>;

export async function findByAddress(
  tx: Tx,
  scope: TenantScope,
  email: string | null,
): Promise<InvitationRow | undefined> {
  return await tx
    .selectFrom('invitation')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('email', email === null ? 'is' : '=', email)
    .forUpdate()
    .executeTakeFirst();
}

/** Undefined when somebody else invited the same address at the same moment. */
export async function insertInvitation(tx: Tx, row: Insertable<InvitationTable>): Promise<InvitationRow | undefined> {
  return await tx
    .insertInto('invitation')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export type InvitationChange = Partial<Omit<InvitationRow, 'tenant_id' | 'email' | 'created_at'>>;

export async function changeInvitation(tx: Tx, id: string, change: InvitationChange): Promise<InvitationRow> {
  return await tx.updateTable('invitation').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function countSentSince(tx: Tx, scope: TenantScope, since: Date): Promise<number> {
  const { sent } = await tx
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('sent'))
    .where('tenant_id', '=', scope.tenantId)
    .where('sent_at', '>', since)
    .executeTakeFirstOrThrow();
  return sent;
}

export type TicketRow = InvitationRow & { tenant_name: string };

/** Whatever state it is in. `lock` keeps others off it until the transaction ends. */
export async function findByTicketHash(
  tx: Tx,
  ticketHash: string,
  { lock }: { lock: boolean },
): Promise<TicketRow | undefined> {
  return await named(tx, lock).where('invitation.ticket_hash', '=', ticketHash).executeTakeFirst();
}

export async function findById(tx: Tx, id: string, { lock }: { lock: boolean }): Promise<TicketRow | undefined> {
  return await named(tx, lock).where('invitation.id', '=', id).executeTakeFirst();
}

function named(tx: Tx, lock: boolean) {
  return tx
    .selectFrom('invitation')
    .innerJoin('tenant', 'tenant.id', 'invitation.tenant_id')
    .selectAll('invitation')
    .select('tenant.name as tenant_name')
    .$if(lock, (query) => query.forUpdate('invitation'));
}

/** Waits for a change of the tenant's rules of sign-in that is under way, and keeps others off until the transaction ends. */
export async function holdRules(tx: Tx, scope: TenantScope): Promise<void> {
  await tx.selectFrom('tenant').select('id').where('id', '=', scope.tenantId).forShare().execute();
}

/** Of a member in their own right: whoever is here for the provider may be invited all the same. */
export async function isMemberAddress(tx: Tx, scope: TenantScope, email: string): Promise<boolean> {
  const member = await tx
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .select('app_user.id')
    .where('membership.tenant_id', '=', scope.tenantId)
    .where('membership.source', '=', 'direct')
    .where('app_user.email', '=', email)
    .executeTakeFirst();
  return member !== undefined;
}

export async function findUserIdByAddress(tx: Tx, email: string): Promise<string | undefined> {
  const row = await tx.selectFrom('app_user').select('id').where('email', '=', email).executeTakeFirst();
  return row?.id;
}

export async function isAnybodyThere(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The invitation to set the installation up, and the tenant it is for. */
export async function findSetUp(tx: Tx): Promise<InvitationRow | undefined> {
  return await tx.selectFrom('invitation').selectAll().where('email', 'is', null).forUpdate().executeTakeFirst();
}
