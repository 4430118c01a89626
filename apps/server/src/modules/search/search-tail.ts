/**
 * Live tail: what matches a search as it arrives, as server-sent events.
 *
 * A tail is open from `open` until one of: its client goes away, its token or its right to search ends, its client reads
 * too slowly for too long, the search takes the store too long, the server stops. In between it asks the store once a
 * second for events whose insert began within the last few seconds (they are found a moment later, so the looks overlap) and
 * sends those it has not sent yet; now and then it looks back as far as an insert may take, and after looks that failed as far
 * as the last one that did not. It goes by `stored_at`, never by `received_at`: what waited in a spool, or comes with a batch
 * that is repeated, was received long before.
 *
 * Nothing is kept for clients that come back, as every token that ends makes them do. Each look tells its moment as the id of
 * the stream. Who comes back with it is sent what was stored since, and again what was stored shortly before, which may not
 * have been found then: clients know events by their ids. Who was away for too long is told so (`away`), and searches.
 *
 * What always holds: it asks for its own tenant only, through the same selection as every search; memory and answers are
 * bounded, and what did not fit is counted in `left_out`.
 */
import type { FoundEvent, SearchCriteria, TailMessage } from '@airdeck/contracts/search/schema';
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../http/app-error.ts';
import { type EventsStore, isTooExpensive, REQUEST_TIMEOUT_MS } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { boundTime, type EventSelection, selectEvents } from './event-selection.ts';
import { EVENT_COLUMNS, type EventColumns, foundEvent } from './search-store.ts';

const POLL_MS = 1_000;
const POLL_TIMEOUT_MS = 5_000;
/** Between the beginning of nearly every insert and the moment its events can be found. */
const OVERLAP_MS = 10_000;
/** The same for any insert, also one that was given up, with some room for clocks that differ. */
const LATE_MS = REQUEST_TIMEOUT_MS + 15_000;
/** Every so many looks go back that far: each reads many times what the others do. */
const LATE_EVERY = 10;
/** Events of one look that are told apart; beyond that the older ones are left out. */
const KNOWN_MAX = 5_000;
const SENT_MAX = 50;
/** Of the first look after a gap, which has more to tell. */
const CAUGHT_UP_MAX = 200;
/** A client that was away for longer searches anew: most of what it missed could not be shown. */
const AWAY_MAX_MS = 10 * 60_000;
const MESSAGE_MAX_BYTES = 500_000;
/** With more than this waiting for its client, a tail asks for nothing new. */
const WAITING_MAX_BYTES = 131_072;
const SLOW_FOR_MS = 30_000;
const DAY_MS = 86_400_000;

const { tailsMax: perUser, tailsPerTenantMax: perTenant, tailsPerProcessMax: inAll } = serverLimits;
export const tailBounds = { perTenant, perUser, inAll } as const;

type Log = { warn(fields: object, message: string): void };

type Store = Pick<EventsStore, 'query'>;

type Dependencies = {
  events: Store;
  searchLengthDays: (scope: TenantScope) => Promise<number>;
  now: () => Date;
  log: Log;
  pollMs?: number;
};

export type TailRequest = {
  scope: TenantScope;
  userId: string;
  criteria: SearchCriteria;
  reply: FastifyReply;
  signal: AbortSignal;
  expiresAt: Date;
  /** Whether the caller would still be let in now. */
  stillAllowed: () => Promise<boolean>;
};

type Tail = TailRequest & {
  readonly selection: EventSelection;
  readonly daysBack: number;
  /** Stored before this is not of interest. */
  readonly since: number;
  /** Stored before this, an event has most likely been sent before the client came back. */
  readonly newSince: number;
  /** Moment of the last look that was answered. */
  lookedAt: number;
  /** Whether there was a gap before the next look. */
  behind: boolean;
  /** When each event that was seen was stored; those no look can find any more are forgotten. */
  readonly seen: Map<string, number>;
  looks: number;
  slowSince: number | undefined;
  timer: NodeJS.Timeout | undefined;
};

export function createSearchTails(deps: Dependencies) {
  const { now, log, pollMs = POLL_MS } = deps;
  const open = new Set<Tail>();

  function requireRoom({ scope, userId }: TailRequest): void {
    const own = [...open].filter((tail) => tail.scope.tenantId === scope.tenantId);
    const ofUser = own.filter((tail) => tail.userId === userId).length;
    if (own.length < tailBounds.perTenant && ofUser < tailBounds.perUser && open.size < tailBounds.inAll) return;
    throw new AppError('RATE_LIMITED', {
      message: 'Too many live searches are open. Close one first.',
      retryAfterS: 10,
    });
  }

  function close(tail: Tail): void {
    clearTimeout(tail.timer);
    if (open.delete(tail)) tail.reply.raw.end();
  }

  function end(tail: Tail, reason: string): void {
    if (open.has(tail)) tail.reply.raw.write(`event: ended\ndata: ${JSON.stringify({ reason })}\n\n`);
    close(tail);
  }

  /** Whether the client keeps up; one that does not for long is cut off. */
  function keepsUp(tail: Tail): boolean {
    const { raw } = tail.reply;
    if (raw.writableLength <= WAITING_MAX_BYTES) {
      tail.slowSince = undefined;
      return true;
    }
    tail.slowSince ??= now().getTime();
    if (now().getTime() - tail.slowSince > SLOW_FOR_MS) {
      log.warn({ tenant: tail.scope.tenantId }, 'live search read too slowly, closed');
      open.delete(tail);
      raw.destroy();
    }
    return false;
  }

  async function poll(tail: Tail): Promise<void> {
    // Whoever still may comes back with a fresh token.
    if (tail.expiresAt <= now()) return close(tail);
    // What cannot be checked is not allowed.
    const allowed = await tail.stillAllowed().catch(() => false);
    if (!allowed) return end(tail, 'access');
    if (!keepsUp(tail)) return;
    const at = now().getTime();
    const message = await newMessage(deps.events, tail, at);
    tail.lookedAt = at;
    tail.behind = false;
    if (!open.has(tail)) return;
    const event = message === undefined ? '' : `event: events\ndata: ${JSON.stringify(message)}\n`;
    tail.reply.raw.write(`id: ${at}\n${event}\n`);
  }

  function schedule(tail: Tail): void {
    if (!open.has(tail)) return;
    tail.timer = setTimeout(() => {
      poll(tail)
        .catch((error: unknown) => {
          tail.behind = true;
          if (isTooExpensive(error)) end(tail, 'too_expensive');
          else if (open.has(tail)) log.warn({ err: error, tenant: tail.scope.tenantId }, 'live search not answered');
        })
        .finally(() => schedule(tail));
    }, pollMs);
    tail.timer.unref();
  }

  return {
    /** Takes the answer over. Throws before that: QUERY_INVALID, and RATE_LIMITED when there is no room. */
    async open(request: TailRequest): Promise<void> {
      const at = now().getTime();
      // Looked at once: a tail finds what is new, and `now` in its query means when it was opened.
      const selection = selectEvents(request.criteria, { now: at, at: 'query' });
      const daysBack = await deps.searchLengthDays(request.scope);
      requireRoom(request);
      if (request.signal.aborted) return;
      const lookedAt = lastLook(request.reply, at);
      const tail: Tail = {
        ...request,
        selection,
        daysBack,
        since: lookedAt === undefined ? at : lookedAt - OVERLAP_MS,
        newSince: lookedAt ?? at,
        lookedAt: lookedAt ?? at,
        behind: lookedAt !== undefined,
        seen: new Map(),
        looks: 0,
        slowSince: undefined,
        timer: undefined,
      };
      open.add(tail);
      request.signal.addEventListener('abort', () => close(tail), { once: true });
      openStream(request.reply, tail.lookedAt);
      if (at - tail.lookedAt > AWAY_MAX_MS) end(tail, 'away');
      else schedule(tail);
    },
    count: () => open.size,
    stop(): void {
      for (const tail of [...open]) close(tail);
    },
  };
}

/** When this client was last told something; undefined for one that comes for the first time. */
function lastLook({ request }: FastifyReply, at: number): number | undefined {
  const id = request.headers['last-event-id'];
  // Clocks of two servers differ a little.
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Math.min(Number(id), at) : undefined;
}

/** From here on the answer is ours: headers set so far go out now, and nothing else writes to it. */
function openStream(reply: FastifyReply, lookedAt: number): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies that buffer would hold the events back.
    'x-accel-buffering': 'no',
  });
  // The id at once: the connection may be lost before the first look.
  reply.raw.write(`retry: 2000\nid: ${lookedAt}\n\n`);
}

type Arrived = { e_id: string; e_stored_at: number };

/** What has not been sent yet; undefined when there is nothing. */
async function newMessage(events: Store, tail: Tail, at: number): Promise<TailMessage | undefined> {
  tail.looks++;
  const isLate = tail.looks % LATE_EVERY === 0;
  const reach = Math.min(at - (isLate ? LATE_MS : OVERLAP_MS), tail.lookedAt - OVERLAP_MS);
  const oldest = Math.max(tail.since, reach);
  const arrived = await arrivedSince(events, tail, { oldest, at });
  const fresh = arrived.filter(({ e_id }) => !tail.seen.has(e_id));
  const most = tail.behind ? CAUGHT_UP_MAX : SENT_MAX;
  const shown = fresh.length === 0 ? [] : fitting(await eventsOf(events, tail, fresh.slice(0, most)));
  for (const { e_id, e_stored_at } of fresh) tail.seen.set(e_id, e_stored_at);
  if (isLate) forget(tail, arrived.length < KNOWN_MAX ? oldest : (arrived.at(-1)?.e_stored_at ?? oldest));
  if (fresh.length === 0) return undefined;
  const left = fresh.slice(shown.length).filter(({ e_stored_at }) => e_stored_at >= tail.newSince);
  return { events: shown, left_out: left.length };
}

/** After a look that goes far back: what it did not find, being older or too much, no later one finds. */
function forget({ seen }: Tail, storedBefore: number): void {
  for (const [id, storedAt] of seen) if (storedAt < storedBefore) seen.delete(id);
}

/** Newest first. Ids only: most looks find nothing new, and the rest of an event is a hundred times as large. */
async function arrivedSince(
  events: Store,
  tail: Tail,
  { oldest, at }: { oldest: number; at: number },
): Promise<Arrived[]> {
  const { condition, params } = tail.selection;
  return await events.query<Arrived>({
    tenant: tail.scope.tenantId,
    sql: `select toString(id) as e_id, toUnixTimestamp64Milli(stored_at) as e_stored_at from events
      where tenant = {tenant:UUID} and stored_at >= ${boundTime('tail_from')} and time >= ${boundTime('tail_reach')}
      and ${condition} order by stored_at desc, received_at desc, id desc limit ${KNOWN_MAX}`,
    params: { ...params, tail_from: oldest, tail_reach: at - tail.daysBack * DAY_MS },
    signal: tail.signal,
    timeoutMs: POLL_TIMEOUT_MS,
  });
}

async function eventsOf(events: Store, tail: Tail, arrived: readonly Arrived[]): Promise<FoundEvent[]> {
  const rows = await events.query<EventColumns>({
    tenant: tail.scope.tenantId,
    sql: `select ${EVENT_COLUMNS} from events
      where tenant = {tenant:UUID} and stored_at >= ${boundTime('tail_from')} and id in {tail_ids:Array(UUID)}
      order by stored_at desc, received_at desc, id desc limit ${CAUGHT_UP_MAX}`,
    params: {
      tail_from: Math.min(...arrived.map(({ e_stored_at }) => e_stored_at)),
      tail_ids: arrived.map(({ e_id }) => e_id),
    },
    signal: tail.signal,
    timeoutMs: POLL_TIMEOUT_MS,
  });
  return rows.map(foundEvent);
}

/** As many of the newest as one message may hold, oldest first. */
function fitting(newestFirst: readonly FoundEvent[]): FoundEvent[] {
  let bytes = 0;
  const fit = newestFirst.filter((event) => {
    bytes += Buffer.byteLength(JSON.stringify(event));
    return bytes <= MESSAGE_MAX_BYTES;
  });
  return fit.reverse();
}
