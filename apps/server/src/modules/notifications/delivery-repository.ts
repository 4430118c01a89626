/** What the deliveries read and write, in system transactions: they serve people, whatever tenants those work in. */
import type { StoredPreferences } from '@airdeck/contracts/notifications/schema';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { withDefaults } from './default-preferences.ts';
import type { NotificationsTables, PacedChannel } from './notifications-tables.ts';

export type DeliveryRow = Selectable<NotificationsTables['notification_delivery']>;

export type Recipient = {
  email: string;
  homeTenant: string;
  locale: string;
  timeZone: string;
  preferences: StoredPreferences | null;
  /** Names of the tenants the user is a member of now. */
  tenants: ReadonlyMap<string, string>;
};

/** Undefined for somebody who may not sign in any more. */
export async function findRecipient(tx: Tx, userId: string): Promise<Recipient | undefined> {
  const user = await tx
    .selectFrom('app_user')
    .select([
      'email',
      'home_tenant_id as homeTenant',
      'locale',
      'timezone as timeZone',
      'notification_preferences as preferences',
    ])
    .where('id', '=', userId)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const memberships = await tx
    .selectFrom('membership as m')
    .innerJoin('tenant as t', 't.id', 'm.tenant_id')
    .select(['t.id', 't.name'])
    .where('m.user_id', '=', userId)
    .execute();
  return { ...user, tenants: new Map(memberships.map(({ id, name }) => [id, name])) };
}

/** One person's deliveries of one channel. */
export type Lane = { userId: string; channel: PacedChannel };

/** By what counts when it goes out: the right to read, or the wish for it, may have gone while it waited. */
export function isStillFor(
  recipient: Recipient,
  { kind, tenant_id: tenant, channel }: Pick<DeliveryRow, 'kind' | 'tenant_id' | 'channel'>,
): boolean {
  const mayRead = kind === 'account_security' || recipient.tenants.has(tenant);
  // A kind of the next release has no row here yet, and must not keep what waits behind it from going out.
  const { kinds }: StoredPreferences = withDefaults(recipient.preferences);
  return mayRead && kinds[kind]?.[channel] !== false;
}

/** Somebody with something due. Not locked: everything of a person is locked by their pace, in that order only. */
export async function findReader(
  tx: Tx,
  { channel, at, busy = [] }: { channel: PacedChannel; at: Date; busy?: readonly string[] },
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('notification_delivery')
    .select('user_id')
    .where('channel', '=', channel)
    .where('due_at', '<=', at)
    .where(sql<boolean>`user_id <> all(${[...busy]}::uuid[])`)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.user_id;
}

export type Pace = { windowStart: Date; sent: number };

/** Locks the user's pace until the transaction ends: one process at a time writes to a person. */
export async function lockPace(tx: Tx, { userId, channel }: Lane, at: Date): Promise<Pace> {
  return await tx
    .insertInto('notification_pace')
    .values({ user_id: userId, channel, window_start: at, sent: 0 })
    .onConflict((conflict) => conflict.columns(['user_id', 'channel']).doUpdateSet({ channel }))
    .returning(['window_start as windowStart', 'sent'])
    .executeTakeFirstOrThrow();
}

export async function savePace(tx: Tx, { userId, channel }: Lane, pace: Pace): Promise<void> {
  await tx
    .updateTable('notification_pace')
    .set({ window_start: pace.windowStart, sent: pace.sent })
    .where('user_id', '=', userId)
    .where('channel', '=', channel)
    .execute();
}

/** Takes the user's mails that are due, oldest first; `urgent` only those that wait for nothing. */
export async function takeMails(
  tx: Tx,
  { userId, at, limit, urgentOnly }: { userId: string; at: Date; limit: number; urgentOnly: boolean },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    delete from notification_delivery where user_id = ${userId} and channel = 'mail' and event_id in (
      select event_id from notification_delivery
      where user_id = ${userId} and channel = 'mail' and due_at <= ${at}
        and (not ${urgentOnly}::boolean or kind = 'account_security')
      order by created_at, event_id limit ${limit}
    ) returning *`.execute(tx);
  return rows.toSorted(oldestFirst);
}

function oldestFirst(a: DeliveryRow, b: DeliveryRow): number {
  return a.created_at.getTime() - b.created_at.getTime() || (a.event_id < b.event_id ? -1 : 1);
}

/** Puts off what is due and waits; what concerns the account has been taken by then. */
export async function postpone(
  tx: Tx,
  { userId, channel }: Lane,
  { at, until }: { at: Date; until: Date },
): Promise<void> {
  await tx
    .updateTable('notification_delivery')
    .set({ due_at: until, held: true })
    .where('user_id', '=', userId)
    .where('channel', '=', channel)
    .where('due_at', '<=', at)
    .where('in_flight', '=', false)
    .where('kind', '<>', 'account_security')
    .execute();
}

/** One webhook call each of up to `limit` people, whoever waits longest first, leased until `leaseUntil`: a crash leaves it to be taken up then. */
export async function leaseWebhooks(
  tx: Tx,
  { at, leaseUntil, limit, busy }: { at: Date; leaseUntil: Date; limit: number; busy: readonly string[] },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    with taken as (
      select d.user_id, d.event_id
      from (
        select user_id from notification_delivery
        where channel = 'webhook' and due_at <= ${at} and user_id <> all(${[...busy]}::uuid[])
        group by user_id order by min(due_at), user_id limit ${limit}
      ) u cross join lateral (
        select user_id, event_id from notification_delivery
        where user_id = u.user_id and channel = 'webhook' and due_at <= ${at}
        order by due_at, event_id limit 1 for update skip locked
      ) d
    )
    update notification_delivery d set attempts = d.attempts + 1, due_at = ${leaseUntil}
    from taken where d.user_id = taken.user_id and d.event_id = taken.event_id and d.channel = 'webhook'
    returning d.*`.execute(tx);
  return rows;
}

/** How many were ended: none where a later attempt overtook this one, or the account is gone, which has nothing to say any more. */
export async function endWebhook(tx: Tx, row: DeliveryRow): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('notification_delivery')
    .where('user_id', '=', row.user_id)
    .where('event_id', '=', row.event_id)
    .where('channel', '=', 'webhook')
    .where('attempts', '=', row.attempts)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** `attempts`: how many count, this one among them unless it made no call. */
export async function repeatWebhook(
  tx: Tx,
  row: DeliveryRow,
  { dueAt, attempts }: { dueAt: Date; attempts: number },
): Promise<void> {
  await tx
    .updateTable('notification_delivery')
    .set({ due_at: dueAt, attempts })
    .where('user_id', '=', row.user_id)
    .where('event_id', '=', row.event_id)
    .where('channel', '=', 'webhook')
    .where('attempts', '=', row.attempts)
    .execute();
}

export async function findWebhookKey(tx: Tx, userId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('notification_webhook_key')
    .select('version')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.version;
}

export async function putWebhookKey(tx: Tx, row: { userId: string; version: string; at: Date }): Promise<void> {
  const set = { version: row.version, created_at: row.at };
  await tx
    .insertInto('notification_webhook_key')
    .values({ ...set, user_id: row.userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(set))
    .execute();
}

/** Notes the device; says whether it is new for somebody who has used others before. */
export async function noteDevice(
  tx: Tx,
  device: { userId: string; fingerprint: string; at: Date },
): Promise<{ isNew: boolean }> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into known_device (user_id, fingerprint, last_seen_at)
    values (${device.userId}, ${device.fingerprint}, ${device.at})
    on conflict (user_id, fingerprint) do update set last_seen_at = excluded.last_seen_at
    returning (xmax = 0 and exists (
      select from known_device o where o.user_id = ${device.userId} and o.fingerprint <> ${device.fingerprint}
    )) as "isNew"`.execute(tx);
  return { isNew: rows[0]?.isNew === true };
}

export async function purgeOld(tx: Tx, before: { deliveries: Date; devices: Date }): Promise<void> {
  await tx.deleteFrom('notification_delivery').where('created_at', '<', before.deliveries).execute();
  await tx.deleteFrom('known_device').where('last_seen_at', '<', before.devices).execute();
}
