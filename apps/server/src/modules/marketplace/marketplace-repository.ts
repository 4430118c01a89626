/** Purchases are looked up by the marketplace's own id, before there is a scope: these run in system transactions. */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { MarketplaceOperationTable, MarketplaceSubscriptionTable } from './marketplace-tables.ts';

export type SubscriptionRow = Selectable<MarketplaceSubscriptionTable>;
export type OperationRow = Selectable<MarketplaceOperationTable>;

/** Lets one piece of work on a subscription through at a time, also before there is a row. */
export async function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`marketplace ${id}`}, 0))`.execute(tx);
  return await findSubscription(tx, id);
}

export async function findSubscription(tx: Tx, id: string): Promise<SubscriptionRow | undefined> {
  return await tx.selectFrom('marketplace_subscription').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findStateOf(tx: Tx, tenant: string): Promise<SubscriptionRow['state'] | undefined> {
  const row = await tx
    .selectFrom('marketplace_subscription')
    .select('state')
    .where('tenant_id', '=', tenant)
    .executeTakeFirst();
  return row?.state;
}

export async function insertSubscription(
  tx: Tx,
  row: Insertable<MarketplaceSubscriptionTable>,
): Promise<SubscriptionRow> {
  return await tx.insertInto('marketplace_subscription').values(row).returningAll().executeTakeFirstOrThrow();
}

export type SubscriptionChange = Partial<
  Omit<SubscriptionRow, 'id' | 'tenant_id' | 'opened_by' | 'created_at' | 'updated_at'>
> & { updated_at: Date };

export async function changeSubscription(tx: Tx, id: string, change: SubscriptionChange): Promise<SubscriptionRow> {
  return await tx
    .updateTable('marketplace_subscription')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export type Due = {
  isOpened: boolean;
  /** Left alone while it changed since: a notice or its buyer is at it. */
  quietSince: Date;
  lookedBefore: Date;
};

/** One that is due, which nobody else takes: it counts as looked at from now. */
export async function takeDue(tx: Tx, due: Due, at: Date): Promise<SubscriptionRow | undefined> {
  return await tx
    .updateTable('marketplace_subscription')
    .set({ looked_at: at })
    .where('id', '=', (eb) =>
      eb
        .selectFrom('marketplace_subscription')
        .select('id')
        .where('state', 'in', due.isOpened ? ['opened'] : ['active', 'suspended'])
        .where('updated_at', '<=', due.quietSince)
        .where((where) => where.or([where('looked_at', 'is', null), where('looked_at', '<=', due.lookedBefore)]))
        .orderBy('looked_at', (order) => order.asc().nullsFirst())
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

export async function findOperation(tx: Tx, id: string): Promise<OperationRow | undefined> {
  return await tx.selectFrom('marketplace_operation').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertOperation(tx: Tx, row: Insertable<MarketplaceOperationTable>): Promise<OperationRow> {
  return await tx.insertInto('marketplace_operation').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function noteAnswered(tx: Tx, id: string, at: Date): Promise<void> {
  await tx
    .updateTable('marketplace_operation')
    .set({ answered_at: at })
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .execute();
}

export async function isAddressOfUser(tx: Tx, email: string): Promise<boolean> {
  const row = await tx
    .selectFrom('app_user')
    .select('id')
    .where((eb) => eb.or([eb('email', '=', email), eb('uname', '=', email)]))
    .executeTakeFirst();
  return row !== undefined;
}
