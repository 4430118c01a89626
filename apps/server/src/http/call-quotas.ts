/**
 * How many calls a person, a tenant and an address may make, and how many of one tenant are worked on at once, so that whoever
 * makes too many slows nobody but themselves. For every row of the route table but the door for events, which has bounds of its
 * own, and what strangers need of a process that is busy. An answer that stays open counts once.
 *
 * What always holds:
 * - A call counts once it is known who makes it: nobody can use up what belongs to others without being let in. One of somebody
 *   who is not let in counts for them and their address.
 * - The narrowest limit comes first, and a refused call takes from none: a person who makes too many takes nothing from the
 *   tenant, a tenant nothing from the address it shares with others.
 * - What has to work while there are too many (`urgent`) takes from a quota of its own and waits in no line. It is each person's:
 *   one of the tenant would let a colleague, or their program, keep everybody from switching automation off.
 * - While nobody of another tenant was there lately, a call takes a hundredth: there is nobody to be kept from anything, and a
 *   machine is not to stand idle because of a number. What is left then is a bound far above what one process answers.
 * - Calls over the number at once wait in the line of their tenant. What is worked on ends by itself, so the line moves.
 * - Refusals of one person or tenant are given at the pace of what they may call, a second late at most: a program that asks
 *   again at once is slowed down, whatever `Retry-After` it was told (docs/decisions/0026-refusals-at-the-pace-of-the-quota.md).
 * Counted is in this process only; a crash forgets it.
 */
import { isIPv6 } from 'node:net';
import type { Route } from '@airdeck/contracts/route';
import type { RouteId } from '@airdeck/contracts/route-table';
import { createTenantSlots } from '../tenant-slots.ts';
import { AppError } from './app-error.ts';
import type { Granted } from './authorization.ts';
import { type CallLimits, callCosts, waitsElsewhere } from './call-limits.ts';
import type { Caller } from './handlers.ts';
import { createTokenBuckets, type Pace, type TokenBuckets } from './token-buckets.ts';

export type CallLimit = 'person' | 'tenant' | 'address' | 'stranger' | 'at_once';
export type RefusedCalls = Readonly<Record<CallLimit, number>>;

export type CallQuotas = {
  /** Counts the call; the refusal when it is one too many. */
  refused(route: CountedRoute, granted: Granted, address: string): Refusal | undefined;
  /** The same for a call of somebody who is known and let in nowhere, or not where they asked: it counts for no tenant. */
  refusedAnyway(person: string, homeTenant: string | undefined, address: string): Refusal | undefined;
  /** Works on a call when its tenant's turn has come. Throws RATE_LIMITED when too many wait, the signal's reason when it aborts. */
  inTurn<T>(route: CountedRoute, granted: Granted, { signal, work }: Turn<T>): Promise<T>;
  /** Whether a tenant has hardly a call left, as it asks for more than its pace: until it has asked for less for a moment. */
  isOverPace(tenant: string): boolean;
  counts(): RefusedCalls;
};

export type Refusal = {
  /** Always one of the same few, so that answers can be prepared. */
  readonly error: AppError;
  /** How late the answer is to be given, in ms. */
  readonly afterMs: number;
};

export type CountedRoute = { readonly id: RouteId; readonly route: Route };
type Turn<T> = { signal: AbortSignal; work: () => Promise<T> };

type Dependencies = {
  limits: CallLimits;
  /** Only ever grows. */
  nowMs: () => number;
  /** Told about refused calls at most once a minute, never about each. */
  log: { warn(fields: object, message: string): void };
};

const NAMES_MAX = 20_000;
const REPORT_EVERY_MS = 60_000;
/** Open screens ask every four or five seconds; one of them may be late. */
const ALONE_AFTER_MS = 15_000;
const SHARE_ALONE = 0.01;
/** Who has fewer calls left than come back in this time uses up what comes back. */
const SHORT_OF_S = 0.5;
const LATE_MAX_MS = 1_000;
/** Refusals that are given late, of everybody together; beyond that at once, so that not too many connections wait. */
const LATE_PER_S = 1_000;
/** Together again, they would all be too many again. */
const RETRY_AFTER_S = [1, 2, 3];
/** In no id. */
const OF_PERSON = '\n';

const refusals: Readonly<Record<CallLimit, { message: string }>> = {
  person: { message: 'You made too many requests in a short time. Nothing was done. Try again in a moment.' },
  tenant: { message: 'This tenant made too many requests in a short time. Nothing was done. Try again in a moment.' },
  address: { message: 'Too many requests came from your address. Nothing was done. Try again in a moment.' },
  stranger: { message: 'Too many requests came from your address. Nothing was done. Try again in a moment.' },
  at_once: {
    message: 'Too many requests of this tenant are waiting already. Nothing was done. Try again in a moment.',
  },
};

/** Whether a row is counted at all. */
export function isCounted(route: Route): boolean {
  const { kind } = route.access;
  return kind !== 'source' && !(kind === 'public' && isUrgent(route));
}

/** Whether a row has to work while there are too many calls. */
export function isUrgent({ urgent }: Route): boolean {
  return urgent === true;
}

export function createCallQuotas({ limits, nowMs, log }: Dependencies): CallQuotas {
  const bucketsOf = (limit: Exclude<CallLimit, 'at_once'>) =>
    createTokenBuckets({ pace: limits[limit], namesMax: NAMES_MAX, nowMs });
  const [people, tenants] = [bucketsOf('person'), bucketsOf('tenant')];
  const [addresses, strangers] = [bucketsOf('address'), bucketsOf('stranger')];
  const urgently = createTokenBuckets({ pace: limits.urgent, namesMax: NAMES_MAX, nowMs });
  const refusal = createRefusals({ nowMs, log });
  const lateness = createLateness({ limits, nowMs });
  const presence = createPresence(nowMs);
  const { perTenant, besideOthers, overPace, waitingPerTenant } = limits.atOnce;
  const isOverPace = (tenant: string) => tenants.left(tenant) < limits.tenant.perSecond * SHORT_OF_S;
  const slots = createTenantSlots(
    {
      perTenant(lane) {
        const tenant = tenantOf(lane);
        if (presence.isAlone(tenant)) return perTenant;
        return isOverPace(tenant) ? overPace : besideOthers;
      },
      inAll: Number.POSITIVE_INFINITY,
    },
    { waitingPerTenant, refusal: () => refusal.next('at_once') },
  );

  /** What a token counts for somebody of this tenant. */
  function shareOf(own: string | undefined): number {
    if (own !== undefined) presence.note(own);
    return own !== undefined && presence.isAlone(own) ? SHARE_ALONE : 1;
  }

  function take(asked: readonly Asked[], cost: number, tenant?: string): Refusal | undefined {
    for (const [limit, buckets, name] of asked) {
      if (buckets.hasSome(name)) continue;
      return { error: refusal.next(limit, tenant), afterMs: lateness(limit, name) };
    }
    for (const [, buckets, name] of asked) buckets.take(name, cost);
    return undefined;
  }

  return {
    refused({ id, route }, { caller, scope }, ip) {
      if (!isCounted(route)) return undefined;
      const cost = (callCosts[id] ?? 1) * shareOf(scope?.tenantId ?? caller?.homeTenant);
      const address = addressName(ip);
      if (caller !== undefined && isUrgent(route)) {
        return take([['person', urgently, urgentName(caller)]], cost, scope?.tenantId);
      }
      const asked: Asked[] =
        caller === undefined
          ? [['stranger', strangers, address]]
          : [
              ['person', people, callerName(caller)],
              ...(scope === undefined ? [] : [['tenant', tenants, scope.tenantId] satisfies Asked]),
              ['address', addresses, address],
            ];
      return take(asked, cost, scope?.tenantId);
    },
    refusedAnyway: (person, homeTenant, ip) =>
      take(
        [
          ['person', people, person],
          ['address', addresses, addressName(ip)],
        ],
        shareOf(homeTenant),
        homeTenant,
      ),
    inTurn({ id, route }, { caller, scope }, { signal, work }) {
      const lane = laneOf(scope, caller);
      const passes = !isCounted(route) || isUrgent(route) || route.live === true || waitsElsewhere.has(id);
      return lane === undefined || passes ? work() : slots.run(lane, signal, work);
    },
    isOverPace,
    counts: refusal.counts,
  };
}

/** Whose calls count together: one person's, or those of one key. */
export function callerName({ apiKey, userId }: Caller): string {
  return apiKey?.id ?? userId;
}

/** All keys of a person together, so that more of them are not more calls; apart from the person, who may have to stop them. */
function urgentName({ apiKey, userId }: Caller): string {
  return apiKey === undefined ? userId : `${userId}${OF_PERSON}keys`;
}

/** The line a call waits in: its tenant's, or one of its caller's own where it names none. Undefined for strangers. */
function laneOf(scope: Granted['scope'], caller: Granted['caller']): string | undefined {
  if (scope !== undefined) return scope.tenantId;
  return caller === undefined ? undefined : `${caller.homeTenant}${OF_PERSON}${caller.userId}`;
}

function tenantOf(lane: string): string {
  return lane.split(OF_PERSON, 1)[0] ?? lane;
}

/** Who was there last, and who before them: enough to know whether anybody else was. */
function createPresence(nowMs: () => number): { note(name: string): void; isAlone(name: string): boolean } {
  let latest = { name: '', atMs: Number.NEGATIVE_INFINITY };
  let before = latest;
  return {
    note(name) {
      if (latest.name === name) latest.atMs = nowMs();
      else [before, latest] = [latest, { name, atMs: nowMs() }];
    },
    isAlone: (name) => nowMs() - (latest.name === name ? before : latest).atMs > ALONE_AFTER_MS,
  };
}

type Asked = [limit: CallLimit, buckets: TokenBuckets, name: string];

/** Whoever has one address of IPv6 has the whole network of 64 bits. */
export function addressName(ip: string): string {
  if (!isIPv6(ip) || ip.includes('.')) return ip;
  const [before = '', after] = ip.split('%', 1)[0]?.split('::') ?? [];
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/**
 * How late the next refusal of somebody is given, in ms. Of people and tenants only: an address may be that of many, who are not
 * to wait for each other.
 */
function createLateness({ limits, nowMs }: Pick<Dependencies, 'limits' | 'nowMs'>) {
  const lineOf = ({ perSecond }: Pace) => ({
    perSecond,
    line: createTokenBuckets({
      ...{ pace: { perSecond, burst: 1 }, owedMax: (perSecond * LATE_MAX_MS) / 1_000 },
      ...{ namesMax: NAMES_MAX, nowMs },
    }),
  });
  const lines = { person: lineOf(limits.person), tenant: lineOf(limits.tenant) };
  const everybody = createTokenBuckets({ pace: { perSecond: LATE_PER_S, burst: LATE_PER_S }, namesMax: 2, nowMs });
  return (limit: CallLimit, name: string): number => {
    if (limit !== 'person' && limit !== 'tenant') return 0;
    const { perSecond, line } = lines[limit];
    const lateMs = (Math.max(0, -line.left(name)) * 1_000) / perSecond;
    if (lateMs < LATE_MAX_MS) line.take(name, 1);
    if (lateMs === 0 || !everybody.hasSome('')) return 0;
    everybody.take('', 1);
    return Math.min(lateMs, LATE_MAX_MS);
  };
}

function createRefusals({ nowMs, log }: Pick<Dependencies, 'nowMs' | 'log'>) {
  const errorsOf = (limit: CallLimit) =>
    RETRY_AFTER_S.map((retryAfterS) => new AppError('RATE_LIMITED', { ...refusals[limit], retryAfterS }));
  const errors: Readonly<Record<CallLimit, readonly AppError[]>> = {
    person: errorsOf('person'),
    tenant: errorsOf('tenant'),
    address: errorsOf('address'),
    stranger: errorsOf('stranger'),
    at_once: errorsOf('at_once'),
  };
  const counts = { person: 0, tenant: 0, address: 0, stranger: 0, at_once: 0 };
  let reportedAtMs = Number.NEGATIVE_INFINITY;

  return {
    next(limit: CallLimit, tenant?: string): AppError {
      const at = counts[limit]++;
      const now = nowMs();
      if (now - reportedAtMs >= REPORT_EVERY_MS) {
        reportedAtMs = now;
        // Somebody of those who make too many, so that an operator knows where to look.
        log.warn({ limit, tenant, refused_since_start: { ...counts } }, 'calls refused because there were too many');
      }
      return errors[limit][at % RETRY_AFTER_S.length] as AppError;
    },
    counts: (): RefusedCalls => ({ ...counts }),
  };
}
