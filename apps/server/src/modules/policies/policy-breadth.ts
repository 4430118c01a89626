/** Whether a policy would match nearly everything its sources send: measured on the events of the last day. */
import { isDeepStrictEqual } from 'node:util';
import type { Told } from '@airdeck/contracts/filled-text';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { storableJson } from '@airdeck/domain/storable-json';
import { AppError } from '../../http/app-error.ts';
import type { Confirm, Question } from '../../http/confirmation.ts';
import { inSlices } from '../../loop-share.ts';
import { EventsError, type EventsStore, isTooExpensive } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { createTenantSlots, type TenantSlots } from '../../tenant-slots.ts';
import { createPastEvents, type PastEvent, type Period } from './backtest-events.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Somebody waits for the answer. */
const COUNT_TIMEOUT_MS = 5_000;
const MANY_MATCHES = 1_000;
const MOST = 0.5;
/** From so many events on, a policy that matches each of them says something of the policy, also where little comes in. */
const FEW_EVENTS = 50;
const SAMPLE = 1_000;
/** For several of one call together; those it does not reach count as not measured. */
const SEVERAL_TIMEOUT_MS = 15_000;
/** Of a process. Each keeps the event store busy for seconds. */
const measuredAtOnce = { perTenant: 2, inAll: 4 };
const WAITING_PER_TENANT = 10;
const NAMED_AT_MOST = 5;

export type Breadth = {
  /** Of the events of the policy's sources, from 0 to 1. */
  readonly rate: number;
  /** Estimated from a sample of the events. */
  readonly matches: number;
  readonly events: number;
};

export type BreadthDependencies = {
  events: Pick<EventsStore, 'query'>;
  now: () => Date;
  measuring: TenantSlots;
  /** Aborts after so many milliseconds. */
  timeout: (ms: number) => AbortSignal;
};

/** One for all calls of a process: beyond a few at a time a measurement waits for its turn. */
export function createMeasuring(): TenantSlots {
  return createTenantSlots(measuredAtOnce, { waitingPerTenant: WAITING_PER_TENANT, refusal: () => notNow() });
}

type Measured = { readonly rule: PolicyRule; readonly signal: AbortSignal };

/**
 * Undefined for a policy that is not too broad, `unknown` where there are too many events to measure it. Throws
 * STORE_UNAVAILABLE, and the signal's reason.
 */
async function breadthOf(
  deps: BreadthDependencies,
  scope: TenantScope,
  { rule, signal }: Measured,
): Promise<Breadth | 'unknown' | undefined> {
  return await deps.measuring.run(scope.tenantId, signal, () => lately(deps, scope, { rule, signal }));
}

async function lately(
  deps: BreadthDependencies,
  scope: TenantScope,
  of: Measured,
): Promise<Breadth | 'unknown' | undefined> {
  const toMs = deps.now().getTime() + 1;
  try {
    return await measured(deps, scope, { ...of, period: { fromMs: toMs - DAY_MS, toMs } });
  } catch (error) {
    if (!isTooExpensive(error)) throw unmeasured(error);
  }
  try {
    return await measured(deps, scope, { ...of, period: { fromMs: toMs - HOUR_MS, toMs } });
  } catch (error) {
    if (isTooExpensive(error)) return 'unknown';
    throw unmeasured(error);
  }
}

async function measured(
  { events, timeout }: BreadthDependencies,
  scope: TenantScope,
  { rule, signal, period }: Measured & { period: Period },
): Promise<Breadth | 'unknown' | undefined> {
  const past = createPastEvents({ events }, scope, rule, signal);
  const hours = await past.count(period, { timeoutMs: COUNT_TIMEOUT_MS });
  const total = hours.reduce((sum, hour) => sum + hour.events, 0);
  const candidates = hours.reduce((sum, hour) => sum + hour.candidates, 0);
  const isBroad = (matches: number) =>
    (matches > MANY_MATCHES && matches > total * MOST) || (total >= FEW_EVENTS && matches === total);
  if (!isBroad(candidates)) return undefined;
  const sample = await past.sample(period, { oneIn: candidates / SAMPLE, limit: 2 * SAMPLE });
  const fitting = await countFitting(sample, { rule, signal, timeUp: timeout(COUNT_TIMEOUT_MS) });
  if (fitting === undefined) return 'unknown';
  const matches = Math.round((candidates * fitting) / Math.max(1, sample.length));
  return isBroad(matches) ? { rate: matches / total, matches, events: total } : undefined;
}

/** Undefined when the time is up: a policy's regular expressions may take some tens of milliseconds for one event. */
async function countFitting(
  sample: readonly PastEvent[],
  { rule, signal, timeUp }: Measured & { timeUp: AbortSignal },
): Promise<number | undefined> {
  const set = compilePolicies([{ id: 'policy', rule }]);
  let fitting = 0;
  const slices = inSlices();
  for (const event of sample) {
    if (evaluate(set, { ...event, time_source: 'event' }).length > 0) fitting += 1;
    if (!slices.isOver) continue;
    await slices.next();
    signal.throwIfAborted();
    if (timeUp.aborted) return undefined;
  }
  return fitting;
}

function unmeasured(cause: unknown): unknown {
  return cause instanceof EventsError ? notNow(cause) : cause;
}

function notNow(cause?: EventsError): AppError {
  const message =
    'How much the policy would match cannot be measured right now, so it is not switched on. Try again shortly.';
  return new AppError('STORE_UNAVAILABLE', { message, ...(cause === undefined ? {} : { cause }) });
}

/** Asks before a policy is switched on that matches nearly everything. `object` tells one policy and rule from others. */
export async function confirmBreadth(
  deps: BreadthDependencies,
  scope: TenantScope,
  { rule, object, confirm, signal }: Measured & { object: string; confirm: Confirm },
): Promise<void> {
  const breadth = await breadthOf(deps, scope, { rule, signal });
  if (breadth !== undefined) await confirm({ object, ...questionAbout(rule, breadth) });
}

/** One of several that a call puts to work, named as the question names it. */
export type Working = { readonly scope: TenantScope; readonly rule: PolicyRule; readonly name: string };

/** Asks once for all that match nearly everything, before any of them is put to work. */
export async function confirmBreadthOfAll(
  deps: BreadthDependencies,
  working: readonly Working[],
  { confirm, signal, ...question }: Omit<Question, 'text'> & { confirm: Confirm; signal: AbortSignal },
): Promise<void> {
  const timeUp = deps.timeout(SEVERAL_TIMEOUT_MS);
  const broad: Told[] = [];
  for (const { scope, rule, name } of working) {
    const breadth = await breadthInTime(deps, scope, { rule, signal, timeUp });
    if (breadth === 'unknown') broad.push(refusal('ASK_POLICY_UNMEASURED_OF', { name }));
    else if (breadth !== undefined) broad.push(refusal('ASK_POLICY_BROAD_OF', { name, ...figuresOf(breadth) }));
  }
  if (broad.length === 0) return;
  const more = broad.length - NAMED_AT_MOST;
  const rest = more > 0 ? [refusal('ASK_POLICY_BROAD_MORE', { count: more })] : [];
  const text = [...broad.slice(0, NAMED_AT_MOST), ...rest, refusal('ASK_POLICY_BROAD_END')];
  await confirm({ ...question, text });
}

/** Also waiting for its turn ends when the time is up. */
async function breadthInTime(
  deps: BreadthDependencies,
  scope: TenantScope,
  { rule, signal, timeUp }: Measured & { timeUp: AbortSignal },
): Promise<Breadth | 'unknown' | undefined> {
  try {
    return await breadthOf(deps, scope, { rule, signal: AbortSignal.any([signal, timeUp]) });
  } catch (error) {
    if (!timeUp.aborted || error !== timeUp.reason) throw error;
    return 'unknown';
  }
}

/** Whether events that were no match before may be one after the change. Rules that differ only in their name and origin match the same. */
export function startsMatching(before: AtWork | undefined, after: AtWork): boolean {
  return after.enabled && (before?.enabled !== true || !matchesTheSame(before.rule, after.rule));
}

type AtWork = { readonly enabled: boolean; readonly rule: PolicyRule };

/**
 * Inside the transaction of a change, with the policy locked: measuring took seconds, in which somebody else may have switched
 * it on or changed it. Throws CONFLICT when a rule would be put to work that nobody was asked about; `measured` is the one they
 * were, undefined for none.
 */
export function requireMeasured(before: AtWork | undefined, after: AtWork, measured: PolicyRule | undefined): void {
  if (!startsMatching(before, after) || (measured !== undefined && matchesTheSame(measured, after.rule))) return;
  throw new AppError('CONFLICT', refusal('POLICY_PUT_TO_WORK_MEANWHILE', { name: after.rule.name }));
}

/** As the database keeps them: nothing undefined, no character it does not take. */
function matchesTheSame(one: PolicyRule, other: PolicyRule): boolean {
  return isDeepStrictEqual(unnamed(one), unnamed(other));
}

function unnamed({ name: _name, origin: _origin, ...rule }: PolicyRule): unknown {
  return JSON.parse(storableJson(rule));
}

function questionAbout(rule: PolicyRule, breadth: Breadth | 'unknown'): Omit<Question, 'object'> {
  const asked = {
    title: refusal('ASK_POLICY_ON', { name: rule.name }),
    action_label: refusal('ASK_LABEL_SWITCH_ON'),
  };
  if (breadth === 'unknown') return { ...asked, text: [refusal('ASK_POLICY_UNMEASURED')] };
  return { ...asked, text: [refusal('ASK_POLICY_BROAD', figuresOf(breadth))] };
}

function figuresOf({ rate, matches, events }: Breadth) {
  return { percent: Math.round(rate * 100), matches, events };
}
