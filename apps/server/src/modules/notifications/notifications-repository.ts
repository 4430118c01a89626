import type { Role } from '@airdeck/contracts/access/roles';
import { notificationKinds, type StoredPreferences } from '@airdeck/contracts/notifications/schema';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Notice, Said } from './notice-texts.ts';
import { NOTICES_CHANNEL } from './notifications-migrations.ts';
import type { NotificationsTables } from './notifications-tables.ts';

export type NotificationRow = Selectable<NotificationsTables['notification']>;
export type EventRow = Selectable<NotificationsTables['notification_event']>;

/**
 * One statement: it runs inside transactions that detect. A question that is told again while it was not told yet stays one
 * event; held, so that nobody judges who is left before the transaction ends.
 */
export async function insertEvent(
  tx: Tx,
  { tenant, ...notice }: Notice,
  made: { id: string; at: Date; said: Said; times: readonly Date[] },
): Promise<void> {
  const { kind, title, text, link, asks } = notice;
  const question = asks === undefined ? null : JSON.stringify(asks.question);
  const times = made.times.map((time) => time.toISOString());
  // Only system transactions may do this, and only they tell again.
  const again = notice.audience.ifUnheard ? sql`on conflict (id) do update set id = excluded.id` : sql``;
  await sql`
    with told as (
      insert into notification_event
        (id, tenant_id, audience, kind, title, text, said, times, link, created_at, prompt_id, question)
      values (${made.id}, ${tenant}, ${JSON.stringify(notice.audience)}::jsonb, ${kind}, ${title}, ${text},
        ${JSON.stringify(made.said)}::jsonb, ${times}::timestamptz[], ${link}, ${made.at}, ${asks?.promptId ?? null}::uuid, ${question}::jsonb)
      ${again}
    ) select pg_notify(${NOTICES_CHANNEL}, '')`.execute(tx);
}

type Place = { userId: string; eventId: string };

/**
 * Where one of a reader's own stands in their list; null for any other, which nothing compares with. The oldest alone are
 * ever removed, so nothing is left behind one that is gone.
 */
function placeOf(scope: TenantScope, { userId, eventId }: Place) {
  return sql`(select created_at, event_id from notification
    where tenant_id = ${scope.tenantId} and user_id = ${userId} and event_id = ${eventId})`;
}

/** The newest first, of those behind `after`. */
export async function listNotifications(
  tx: Tx,
  scope: TenantScope,
  { userId, after, limit }: { userId: string; after: string | undefined; limit: number },
): Promise<NotificationRow[]> {
  return await tx
    .selectFrom('notification')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, event_id) < ${placeOf(scope, { userId, eventId: after ?? '' })}`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(limit)
    .execute();
}

/** Of the newest `among`: what lies beyond is about to be removed. */
export async function countUnread(
  tx: Tx,
  scope: TenantScope,
  { userId, among }: { userId: string; among: number },
): Promise<number> {
  const newest = tx
    .selectFrom('notification')
    .select('read_at')
    .where('tenant_id', '=', scope.tenantId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('event_id', 'desc')
    .limit(among);
  const { unread } = await tx
    .selectFrom(newest.as('newest'))
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return unread;
}

type Which = { ids?: readonly string[] | undefined; upTo?: string | undefined };

/** Returns the ids of those that were unread until now; without `ids` and `upTo` all of them. */
export async function markRead(
  tx: Tx,
  scope: TenantScope,
  { userId, ids, upTo, at }: Which & { userId: string; at: Date },
): Promise<string[]> {
  if (ids?.length === 0) return [];
  const rows = await tx
    .updateTable('notification')
    .set({ read_at: at })
    .where('tenant_id', '=', scope.tenantId)
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .$if(ids !== undefined, (query) => query.where('event_id', 'in', [...(ids ?? [])]))
    .$if(upTo !== undefined, (query) =>
      query.where(sql<boolean>`(created_at, event_id) <= ${placeOf(scope, { userId, eventId: upTo ?? '' })}`),
    )
    .returning('event_id')
    .execute();
  return rows.map((row) => row.event_id);
}

/**
 * The oldest events nobody else is working on, locked until the transaction ends. What a newer release tells waits for a process
 * of that release: this one has no words on who wants it. System transactions, as all below.
 */
export async function takeEvents(tx: Tx, limit: number): Promise<EventRow[]> {
  return await tx
    .selectFrom('notification_event')
    .selectAll()
    .where('kind', 'in', [...notificationKinds])
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute();
}

export async function deleteEvents(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('notification_event')
    .where('id', 'in', [...ids])
    .execute();
}

export type Reader = {
  userId: string;
  uname: string;
  locale: string;
  timeZone: string;
  preferences: StoredPreferences | null;
  hasSlack: boolean;
};
export type Member = Reader & { tenant: string; role: Role };

const hasSlack = sql<boolean>`exists (select from notification_slack k where k.user_id = u.id)`;

export async function listMembers(tx: Tx, tenants: readonly string[]): Promise<Member[]> {
  return await tx
    .selectFrom('membership as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['m.tenant_id as tenant', 'm.role', 'u.id as userId', 'u.uname', 'u.locale', 'u.timezone as timeZone'])
    .select(['u.notification_preferences as preferences', hasSlack.as('hasSlack')])
    .where('m.tenant_id', 'in', [...tenants])
    .where('u.status', '=', 'active')
    .execute();
}

export async function listReaders(tx: Tx, userIds: readonly string[]): Promise<Reader[]> {
  if (userIds.length === 0) return [];
  return await tx
    .selectFrom('app_user as u')
    .select(['u.id as userId', 'u.uname', 'u.locale', 'u.timezone as timeZone'])
    .select(['u.notification_preferences as preferences', hasSlack.as('hasSlack')])
    .where('u.id', 'in', [...userIds])
    .where('u.status', '=', 'active')
    .execute();
}

export type Told = { eventId: string; userId: string };

/** The text of an event as people of one language and time zone read it. */
export type ZonedText = { eventId: string; locale: string; timeZone: string; text: string };

/** What an event `e` says to a reader `u`. */
const theirTitle = sql`coalesce(e.said #>> array[u.locale, 'title'], e.title)`;
const theirText = sql`coalesce(z.text, e.said #>> array[u.locale, 'text'], e.text)`;

/** `z`: the text with the times of reader `u`, where event `e` has times. */
function joinZoned(zoned: readonly ZonedText[]) {
  return sql`left join unnest(${zoned.map((one) => one.eventId)}::uuid[], ${zoned.map((one) => one.locale)}::text[],
      ${zoned.map((one) => one.timeZone)}::text[], ${zoned.map((one) => one.text)}::text[])
      z (event_id, locale, timezone, text)
      on z.event_id = e.id and z.locale = u.locale and z.timezone = u.timezone`;
}

/** The texts come from the events themselves, so that a thousand readers cost ids only. */
export async function insertNotifications(tx: Tx, told: readonly Told[], zoned: readonly ZonedText[]): Promise<void> {
  await sql`
    insert into notification
      (event_id, tenant_id, user_id, kind, title, text, times, link, created_at, prompt_id, question)
    select e.id, e.tenant_id, t.user_id, e.kind, ${theirTitle}, ${theirText}, e.times, e.link, e.created_at, e.prompt_id,
      e.question
    from unnest(${told.map((one) => one.eventId)}::uuid[], ${told.map((one) => one.userId)}::uuid[]) t (event_id, user_id)
    join notification_event e on e.id = t.event_id
    join app_user u on u.id = t.user_id
    ${joinZoned(zoned)}
    on conflict do nothing`.execute(tx);
}

export async function insertDeliveries(
  tx: Tx,
  due: readonly (Told & { channel: string; dueAt: Date; held: boolean })[],
  zoned: readonly ZonedText[],
): Promise<void> {
  await sql`
    insert into notification_delivery
      (event_id, tenant_id, user_id, channel, due_at, held, kind, title, text, link, created_at, prompt_id,
        question)
    select e.id, e.tenant_id, d.user_id, d.channel, d.due_at, d.held, e.kind, ${theirTitle},
      ${theirText}, e.link, e.created_at, e.prompt_id, e.question
    from unnest(${due.map((one) => one.eventId)}::uuid[], ${due.map((one) => one.userId)}::uuid[],
      ${due.map((one) => one.channel)}::text[], ${due.map((one) => one.dueAt.toISOString())}::timestamptz[],
      ${due.map((one) => one.held)}::boolean[]) d (event_id, user_id, channel, due_at, held)
    join notification_event e on e.id = d.event_id
    join app_user u on u.id = d.user_id
    ${joinZoned(zoned)}
    on conflict do nothing`.execute(tx);
}

export type TenantReader = { tenant: string; userId: string };

/** Those who have more. Counts everybody's, so it is for now and then. */
export async function listReadersBeyond(tx: Tx, keep: number): Promise<TenantReader[]> {
  return await tx
    .selectFrom('notification')
    .select(['tenant_id as tenant', 'user_id as userId'])
    .groupBy(['tenant_id', 'user_id'])
    .having((eb) => eb.fn.countAll(), '>', keep)
    .execute();
}

/** Removes what lies beyond the newest `keep` of each of these. */
export async function pruneNotifications(tx: Tx, readers: readonly TenantReader[], keep: number): Promise<void> {
  await sql`
    delete from notification n using (
      select o.user_id, o.event_id
      from unnest(${readers.map((one) => one.tenant)}::uuid[], ${readers.map((one) => one.userId)}::uuid[]) r (tenant_id, user_id)
      cross join lateral (
        select i.user_id, i.event_id from notification i
        where i.tenant_id = r.tenant_id and i.user_id = r.user_id
        order by i.created_at desc, i.event_id desc offset ${keep}
      ) o
    ) old where n.user_id = old.user_id and n.event_id = old.event_id`.execute(tx);
}
