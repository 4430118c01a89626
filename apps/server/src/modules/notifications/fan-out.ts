/**
 * From what happened to who hears of it.
 *
 * An event is one row, written with what it tells of. Here it becomes one notification per reader and one delivery per
 * reader and channel, and is gone: all in one transaction, so that a crash repeats everything or nothing. Rows are taken
 * with their locks, so several processes share the work and none does it twice.
 */
import { requirements } from '@airdeck/contracts/access/requirements';
import { hasRole } from '@airdeck/contracts/access/roles';
import type { NotificationChannel, StoredPreferences } from '@airdeck/contracts/notifications/schema';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { Changes } from '../stream/changes.ts';
import { defaultPreferences } from './default-preferences.ts';
import { deliveryTime } from './delivery-time.ts';
import { inZone } from './notice-texts.ts';
import {
  deleteEvents,
  type EventRow,
  insertDeliveries,
  insertNotifications,
  listMembers,
  listReaders,
  listReadersBeyond,
  type Member,
  pruneNotifications,
  type Reader,
  type TenantReader,
  type Told,
  takeEvents,
  type ZonedText,
} from './notifications-repository.ts';

const EVENTS_PER_ROUND = 50;
/** Notifications and deliveries of one transaction: the event with which it passes this is its last. */
const ROWS_PER_ROUND = 20_000;
/** Of one user in one tenant. */
export const NOTIFICATIONS_KEPT = 1_000;
/** What may be there beyond those: a pruning walks all that is kept, which is too much for one that was added. */
const SURPLUS = 50;
const READERS_PER_PRUNING = 100;
const ROUNDS_BETWEEN_PRUNINGS = 20;

type Dependencies = {
  db: Pick<Database, 'system'>;
  changes: Pick<Changes, 'announceAll'>;
  now: () => Date;
};

export type FanOut = {
  /** Tells one portion; false when there was nothing to tell. */
  round(): Promise<boolean>;
  /** Removes what is too much of anybody's: what a process has counted ends with it, and several count apart. */
  prune(signal?: AbortSignal): Promise<void>;
};

type OutsideChannel = Exclude<NotificationChannel, 'in_app'>;
type Delivery = Told & { channel: OutsideChannel; dueAt: Date; held: boolean };

export function createFanOut(deps: Dependencies, rowsPerRound = ROWS_PER_ROUND): FanOut {
  const { db } = deps;
  /** Since their last pruning; at most all whom this process told. */
  const added = new Map<string, { reader: TenantReader; count: number }>();
  let rounds = 0;

  function note({ tenant, userId }: TenantReader): void {
    const key = `${tenant} ${userId}`;
    added.set(key, { reader: { tenant, userId }, count: (added.get(key)?.count ?? 0) + 1 });
  }

  function takeGrown(): TenantReader[] {
    const grown = [...added].filter(([, { count }]) => count >= SURPLUS);
    for (const [key] of grown) added.delete(key);
    return grown.map(([, { reader }]) => reader);
  }

  async function prune(readers: readonly TenantReader[], signal?: AbortSignal): Promise<void> {
    for (let from = 0; from < readers.length && signal?.aborted !== true; from += READERS_PER_PRUNING) {
      const some = readers.slice(from, from + READERS_PER_PRUNING);
      await db.system((tx) => pruneNotifications(tx, some, NOTIFICATIONS_KEPT));
    }
  }

  return {
    async round() {
      const seen = await db.system((tx) => tellSome(deps, tx, rowsPerRound));
      for (const one of seen ?? []) note(one);
      rounds++;
      if (seen === undefined || rounds >= ROUNDS_BETWEEN_PRUNINGS) {
        rounds = 0;
        await prune(takeGrown());
      }
      return seen !== undefined;
    },
    async prune(signal) {
      await prune(await db.system((tx) => listReadersBeyond(tx, NOTIFICATIONS_KEPT + SURPLUS)), signal);
    },
  };
}

/** Returns who has more notifications now; undefined when nothing was there to tell. */
async function tellSome(deps: Dependencies, tx: Tx, rowsPerRound: number): Promise<TenantReader[] | undefined> {
  const events = await takeEvents(tx, EVENTS_PER_ROUND);
  if (events.length === 0) return undefined;
  const find = await audienceFinder(tx, events);
  const inApp: (Told & { tenant: string })[] = [];
  const deliveries: Delivery[] = [];
  const zoned: ZonedText[] = [];
  const done: string[] = [];
  for (const event of events) {
    const named = find(event);
    // All who may answer have left, or may not any more: Admins learn of it here, since the links of a mail would answer for nobody.
    const isUnheard = named.length === 0 && event.kind === 'prompt_waiting';
    const heard = event.audience.ifUnheard ? [] : named;
    const readers = isUnheard ? find({ ...event, audience: { role: 'Admin' } }) : heard;
    zoned.push(...zonedTexts(event, readers));
    for (const reader of readers) {
      const told = { eventId: event.id, userId: reader.userId };
      const preferences = reader.preferences ?? defaultPreferences;
      const wanted = preferences.kinds[event.kind] ?? defaultPreferences.kinds[event.kind];
      if (wanted.in_app || isUnheard) inApp.push({ ...told, tenant: event.tenant_id });
      if (isUnheard) continue;
      for (const channel of ['mail', 'webhook', 'slack'] as const) {
        if (!wanted[channel] || !isReached(event, { reader, preferences }, channel)) continue;
        const at = deps.now();
        const due = dueAt(at, event, { reader, preferences }, channel);
        deliveries.push({ ...told, channel, dueAt: due, held: due > at });
      }
    }
    done.push(event.id);
    if (inApp.length + deliveries.length > rowsPerRound) break;
  }
  if (inApp.length > 0) await insertNotifications(tx, inApp, zoned);
  if (deliveries.length > 0) await insertDeliveries(tx, deliveries, zoned);
  await deleteEvents(tx, done);
  await announce(deps, tx, inApp);
  return inApp;
}

/** One for each language and zone among the readers: far fewer than readers. */
function zonedTexts({ id, text, said, times }: EventRow, readers: readonly Reader[]): ZonedText[] {
  if (times.length === 0) return [];
  const apart = new Map(readers.map(({ locale, timeZone }) => [`${locale} ${timeZone}`, { locale, timeZone }]));
  return [...apart.values()]
    .filter(({ timeZone }) => timeZone !== '')
    .map((reader) => ({ ...reader, eventId: id, text: inZone(said[reader.locale]?.text ?? text, times, reader) }));
}

/** Whether there is a way to the reader that this event has not taken already. */
function isReached(
  event: EventRow,
  { reader, preferences }: { reader: Reader; preferences: StoredPreferences },
  channel: OutsideChannel,
): boolean {
  if (channel === 'mail') return event.audience.mailed !== true;
  return channel === 'webhook' ? preferences.webhook_url !== null : reader.hasSlack;
}

/** What concerns the account does not wait until morning. */
function dueAt(
  now: Date,
  event: EventRow,
  { reader, preferences }: { reader: Reader; preferences: StoredPreferences },
  channel: OutsideChannel,
): Date {
  if (event.kind === 'account_security') return now;
  return deliveryTime(now, { preferences, timeZone: reader.timeZone }, channel);
}

/** All readers in two reads, whatever the number of events. */
async function audienceFinder(tx: Tx, events: readonly EventRow[]): Promise<(event: EventRow) => readonly Reader[]> {
  const byTenant = new Map<string, Member[]>(events.map((event) => [event.tenant_id, []]));
  for (const member of await listMembers(tx, [...byTenant.keys()])) byTenant.get(member.tenant)?.push(member);
  const anywhere = events.flatMap(({ audience }) => (audience.anywhere ? (audience.users ?? []) : []));
  const readers = new Map((await listReaders(tx, [...new Set(anywhere)])).map((reader) => [reader.userId, reader]));
  return ({ audience, kind, tenant_id: tenant }) => {
    const { users = [], usernames = [], role } = audience;
    if (audience.anywhere) return users.flatMap((id) => readers.get(id) ?? []);
    return (byTenant.get(tenant) ?? []).filter(
      (member) =>
        // Who is named as an approver may have a lower role by now.
        (kind !== 'prompt_waiting' || hasRole(member.role, requirements.playbooks.role)) &&
        (users.includes(member.userId) ||
          usernames.includes(member.uname) ||
          (role !== undefined && hasRole(member.role, role))),
    );
  };
}

/** One word per tenant: open screens then read their own list, however many events there were. */
async function announce(deps: Dependencies, tx: Tx, inApp: readonly (Told & { tenant: string })[]): Promise<void> {
  const newest = new Map(inApp.map(({ tenant, eventId }) => [tenant, eventId]));
  if (newest.size === 0) return;
  await deps.changes.announceAll(
    tx,
    [...newest].map(([tenant, id]) => ({ tenant, kind: 'notification', id })),
  );
}
