/**
 * Fan-out of changes to the open server-sent event streams of this process.
 *
 * A stream is open from `subscribe` until one of: the client goes away, its token expires, its access ends, it reads
 * too slowly, the hub stops. It then ends; the browser reconnects with a fresh token and reads everything afresh, so
 * nothing has to be kept for it. A screen reads its lists while its stream is on the way: what changed in these seconds is
 * told first. What must hold: a stream only ever gets changes of its own tenant, and its memory is bounded whatever the
 * client does.
 */
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { StreamMessage } from '@airdeck/contracts/system/routes';
import type { FastifyReply } from 'fastify';
import { isStillAhead } from '../../still-ahead.ts';
import type { Change } from './changes.ts';

const HEARTBEAT_MS = 15_000;
/** A heartbeat is shared out among so many turns: streams that were opened in one moment are not all asked for in one. */
const TURNS = 15;
/** Each check takes a database connection for a moment; requests of people need some too. */
const CHECKS_AT_ONCE = 4;
/** So long a stream may take to open after the first list of its screen was read. */
const RECENT_MS = 5_000;
/** A client that lets more than this pile up is cut off. */
const BUFFER_MAX_BYTES = 65_536;

export type StreamLog = { warn(fields: object, message: string): void };

export type Subscription = {
  tenant: string;
  userId: string;
  reply: FastifyReply;
  signal: AbortSignal;
  /** Whether the caller would still be let in now. */
  stillAllowed: () => Promise<boolean>;
  expiresAt: Date;
};

export type StreamHub = {
  /** False when there is no room for another stream. */
  subscribe(subscription: Subscription): boolean;
  publish(change: Change): void;
  /** Has every stream of the user asked whether it may stay, before those that are only due by the clock. */
  recheckUser(userId: string): void;
  recheckAll(): void;
  closeAll(): void;
  openStreams(): number;
  start(): void;
  stop(): void;
};

/** `turn`: in which part of a heartbeat it is this stream's. */
type OpenStream = Subscription & { readonly turn: number };

type Dependencies = { log: StreamLog; now: () => Date; heartbeatMs?: number };

export function createStreamHub(deps: Dependencies): StreamHub {
  const { log, now, heartbeatMs = HEARTBEAT_MS } = deps;
  const byTenant = new Map<string, Set<OpenStream>>();
  const all = new Set<OpenStream>();
  const urgent = new Set<OpenStream>();
  const due = new Set<OpenStream>();
  const recent = new Map<string, Map<Change['kind'], { text: string; at: number }>>();
  let opened = 0;
  let turn = 0;
  let checking = 0;
  let heartbeat: NodeJS.Timeout | undefined;

  function remove(subscription: OpenStream): void {
    all.delete(subscription);
    urgent.delete(subscription);
    due.delete(subscription);
    const streams = byTenant.get(subscription.tenant);
    streams?.delete(subscription);
    if (streams?.size === 0) byTenant.delete(subscription.tenant);
  }

  function close(subscription: OpenStream): void {
    remove(subscription);
    subscription.reply.raw.end();
  }

  function write(subscription: OpenStream, text: string): void {
    const { raw } = subscription.reply;
    if (raw.writableLength + text.length > BUFFER_MAX_BYTES) {
      log.warn({ tenant: subscription.tenant }, 'live stream read too slowly, closed');
      remove(subscription);
      raw.destroy();
      return;
    }
    raw.write(text);
  }

  async function check(subscription: OpenStream): Promise<void> {
    // What cannot be checked is not allowed.
    const allowed = await subscription.stillAllowed().catch(() => false);
    if (all.has(subscription) && (!allowed || subscription.expiresAt <= now())) close(subscription);
  }

  async function checkWaiting(): Promise<void> {
    checking++;
    for (let next = takeFirst(urgent, due); next !== undefined; next = takeFirst(urgent, due)) await check(next);
    checking--;
  }

  /** A stream that is asked for again while it is being checked is checked once more. */
  function recheck(waiting: Set<OpenStream>, subscriptions: Iterable<OpenStream>): void {
    for (const subscription of subscriptions) waiting.add(subscription);
    while (checking < CHECKS_AT_ONCE && urgent.size + due.size > 0) void checkWaiting();
  }

  function beat(): void {
    forgetOlder();
    turn = (turn + 1) % TURNS;
    const streams = [...all].filter((subscription) => subscription.turn === turn);
    for (const subscription of streams) write(subscription, ': alive\n\n');
    recheck(due, streams);
  }

  /** One of each kind is enough: it makes the same stale. */
  function keep({ tenant, kind }: Change, text: string): void {
    const kept = recent.get(tenant) ?? new Map();
    recent.set(tenant, kept.set(kind, { text, at: now().getTime() }));
  }

  function forgetOlder(): void {
    const time = { at: now().getTime(), lastsMs: RECENT_MS };
    for (const [tenant, kept] of recent) {
      for (const [kind, { at }] of kept) if (!isStillAhead(at + RECENT_MS, time)) kept.delete(kind);
      if (kept.size === 0) recent.delete(tenant);
    }
  }

  return {
    subscribe(request) {
      const { tenant, userId, reply, signal } = request;
      const own = [...all].filter((other) => other.userId === userId).length;
      if (all.size >= serverLimits.streamsPerProcessMax || own >= serverLimits.streamsMax || signal.aborted)
        return false;
      const subscription = { ...request, turn: opened++ % TURNS };
      all.add(subscription);
      const streams = byTenant.get(tenant) ?? new Set();
      byTenant.set(tenant, streams.add(subscription));
      signal.addEventListener('abort', () => remove(subscription), { once: true });
      openStream(reply);
      forgetOlder();
      for (const { text } of recent.get(tenant)?.values() ?? []) write(subscription, text);
      const untilExpiryMs = subscription.expiresAt.getTime() - now().getTime();
      const expiry = setTimeout(() => close(subscription), Math.min(untilExpiryMs, 2 ** 31 - 1));
      reply.raw.once('close', () => clearTimeout(expiry));
      return true;
    },
    publish(change) {
      const message: StreamMessage = { id: change.id, kind: change.kind };
      if (change.status !== undefined) message.status = change.status;
      const text = `event: ${change.kind}\ndata: ${JSON.stringify(message)}\n\n`;
      keep(change, text);
      for (const subscription of byTenant.get(change.tenant) ?? []) write(subscription, text);
    },
    recheckUser(userId) {
      recheck(
        urgent,
        [...all].filter((subscription) => subscription.userId === userId),
      );
    },
    recheckAll: () => recheck(due, all),
    closeAll() {
      for (const subscription of [...all]) close(subscription);
    },
    openStreams: () => all.size,
    start() {
      heartbeat = setInterval(beat, heartbeatMs / TURNS);
      heartbeat.unref();
    },
    stop() {
      clearInterval(heartbeat);
      for (const subscription of [...all]) close(subscription);
    },
  };
}

function takeFirst(...waiting: readonly Set<OpenStream>[]): OpenStream | undefined {
  for (const streams of waiting) {
    for (const first of streams) {
      streams.delete(first);
      return first;
    }
  }
  return undefined;
}

/** From here on the answer is ours: headers set so far go out now, and nothing else writes to it. */
function openStream(reply: FastifyReply): void {
  reply.hijack();
  reply.raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    // Proxies that buffer would hold the changes back.
    'x-accel-buffering': 'no',
  });
  reply.raw.write('retry: 2000\n\n');
}
