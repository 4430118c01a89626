/** Where the messages of a person go. Sealed under a key of that person's own; only its host can be read. */
import type { KeyProvider, SecretVault } from '@airdeck/connector-kit/secrets';
import type { SlackSetting } from '@airdeck/contracts/notifications/schema';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { NotificationsTables } from './notifications-tables.ts';

export type SlackRow = Selectable<NotificationsTables['notification_slack']>;

/** To nobody else's row can a sealed address be moved. */
function bindingOf(userId: string) {
  return { tenant: userId, connector: userId, field: 'slack_url', version: 'notifications-1', destination: '' };
}

export async function findSlack(tx: Tx, userId: string): Promise<SlackRow | undefined> {
  return await tx.selectFrom('notification_slack').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** Seals outside of the transaction that keeps it: keys may come from far away. */
export async function sealSlack(vault: SecretVault, { userId, url }: { userId: string; url: string }) {
  const wrapped = await vault.createDataKey(userId);
  const sealed = await vault.seal(wrapped, bindingOf(userId), url);
  return { user_id: userId, host: new URL(url).host, wrapped, sealed, set_at: new Date(sealed.set_at) };
}

export async function putSlack(
  tx: Tx,
  { user_id, wrapped, sealed, ...rest }: Awaited<ReturnType<typeof sealSlack>>,
): Promise<void> {
  const set = { ...rest, wrapped_key: JSON.stringify(wrapped), sealed_url: JSON.stringify(sealed) };
  await tx
    .insertInto('notification_slack')
    .values({ ...set, user_id })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(set))
    .execute();
}

/** False when there was none. */
export async function removeSlack(tx: Tx, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('notification_slack').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Throws `SecretError` when it cannot be opened. */
export function openSlack(vault: SecretVault, row: SlackRow): Promise<string> {
  return vault.open(row.wrapped_key, bindingOf(row.user_id), row.sealed_url);
}

export function onWire(row: Pick<SlackRow, 'host' | 'set_at'> | undefined): SlackSetting['slack'] {
  return row === undefined ? null : { host: row.host, set_at: row.set_at.toISOString() };
}

/** Puts what is under an older key of the installation under its current one. In a system transaction. */
export async function rewrapSlack(
  tx: Tx,
  { vault, keys }: { vault: SecretVault; keys: Pick<KeyProvider, 'current'> },
): Promise<void> {
  const { id: current } = await keys.current();
  const rows = await tx
    .selectFrom('notification_slack')
    .selectAll()
    .where(sql<boolean>`wrapped_key ->> 'kek' <> ${current}`)
    .forUpdate()
    .execute();
  for (const row of rows) {
    // What opens with none of our keys has to be entered anew, which who looks at it is told; the others go on.
    if (!(await vault.opensDataKey(row.user_id, row.wrapped_key))) continue;
    const wrapped = await vault.rewrapDataKey(row.user_id, row.wrapped_key);
    await tx
      .updateTable('notification_slack')
      .set({ wrapped_key: JSON.stringify(wrapped) })
      .where('user_id', '=', row.user_id)
      .execute();
  }
}
