import type { Tx } from '../../storage/schema.ts';

/** What was told to one person, where and how it goes to them, and from where they signed in. */
const personalTables = [
  'notification',
  'notification_delivery',
  'notification_pace',
  'notification_slack',
  'notification_failure',
  'notification_webhook_key',
  'known_device',
] as const;

/** With the account: `TenantsService.deleteUser` calls it. */
export async function forgetNotices(tx: Tx, userId: string): Promise<void> {
  for (const table of personalTables) await tx.deleteFrom(table).where('user_id', '=', userId).execute();
}
