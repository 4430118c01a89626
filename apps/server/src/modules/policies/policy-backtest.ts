/**
 * Holds a policy against past events. The store leaves out what cannot fit; what remains passes the very evaluator that
 * detection uses, in the order of event time, and fills the same thresholds.
 *
 * Bounded in time and in events; where a bound is reached the answer is partial and says up to when it holds.
 */
import { setImmediate } from 'node:timers/promises';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { BACKTEST_MAX_DAYS, type PolicyBacktestResult } from '@airdeck/contracts/policies/trial-schema';
import { distinctValueOf } from '@airdeck/detection/counting/cases-of-matches';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { AppError } from '../../http/app-error.ts';
import { EventsError, type EventsStore } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { createPastEvents, type HourCount, type PastEvent, type PastEvents, type Period } from './backtest-events.ts';
import { createForecast, type Forecast, planOf } from './case-forecast.ts';

export type BacktestBounds = {
  /** Milliseconds for the whole of it. */
  readonly totalMs: number;
  /** Events that are held against the policy one by one. */
  readonly events: number;
  readonly groups: number;
};

export type BacktestDependencies = {
  events: Pick<EventsStore, 'query'>;
  /** Milliseconds of a clock that never goes back. */
  elapsedMs: () => number;
  bounds?: BacktestBounds;
};

const defaultBounds: BacktestBounds = { totalMs: 15_000, events: 300_000, groups: 100_000 };
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SLICE_MS = 8;
const SAMPLE = 20;
/** Hours with fewer candidates are read together. */
const EVENTS_PER_SPAN = 4_000;

export type BacktestOrder = {
  rule: PolicyRule;
  start: Date;
  end: Date;
  caseOpenForS: number;
  /** How far back events are there for the tenant: nothing before is looked at. */
  reach: Date;
};

/** Throws VALIDATION_FAILED for a time span that is none, too long or out of reach, STORE_UNAVAILABLE when the events cannot be read. */
export async function backtest(
  deps: BacktestDependencies,
  scope: TenantScope,
  order: BacktestOrder,
  signal?: AbortSignal,
): Promise<PolicyBacktestResult> {
  const startedMs = deps.elapsedMs();
  const bounds = deps.bounds ?? defaultBounds;
  const period = periodOf(order);
  const past = createPastEvents(deps, scope, order.rule, signal);
  try {
    const hours = await past.count(period);
    const run = createRun(order);
    const leftMs = () => bounds.totalMs - (deps.elapsedMs() - startedMs);
    const untilMs = await readAll({ past, period, hours, run, bounds, leftMs });
    const sample = await past.byIds(period, run.newest());
    return {
      ...run.result(),
      sample: sample.map(onTheWire),
      scanned_events: hours.reduce((sum, { events }) => sum + events, 0),
      duration_ms: Math.round(deps.elapsedMs() - startedMs),
      partial: untilMs < period.toMs,
      complete_until: new Date(untilMs).toISOString(),
      complete_from: new Date(period.fromMs).toISOString(),
    };
  } catch (cause) {
    throw cause instanceof EventsError ? unreadable(cause) : cause;
  }
}

function unreadable(cause: EventsError): AppError {
  if (cause.code !== 'EVENTS_QUERY_TOO_EXPENSIVE') {
    const message = 'The events cannot be read right now. Try again shortly.';
    return new AppError('STORE_UNAVAILABLE', { cause, message });
  }
  const message = 'These are too many events to look through at once. Choose a shorter time.';
  return new AppError('VALIDATION_FAILED', { cause, message, details: [{ path: 'body.start_time', message }] });
}

function periodOf({ start, end, reach }: Pick<BacktestOrder, 'start' | 'end' | 'reach'>): Period {
  const period = { fromMs: start.getTime(), toMs: end.getTime() };
  const problem =
    period.toMs <= period.fromMs
      ? 'The end must be after the start.'
      : period.toMs - period.fromMs > BACKTEST_MAX_DAYS * DAY_MS
        ? `At most ${BACKTEST_MAX_DAYS} days at once.`
        : undefined;
  if (problem === undefined && end <= reach) {
    const refused = { message: 'The plan does not reach back that far.' };
    throw new AppError('VALIDATION_FAILED', { ...refused, details: [{ path: 'body.end_time', ...refused }] });
  }
  if (problem === undefined) return { ...period, fromMs: Math.max(period.fromMs, reach.getTime()) };
  throw new AppError('VALIDATION_FAILED', { message: problem, details: [{ path: 'body.end_time', message: problem }] });
}

type Reading = {
  past: PastEvents;
  period: Period;
  hours: readonly HourCount[];
  run: Run;
  bounds: BacktestBounds;
  leftMs: () => number;
};

/** Returns up to when everything was read. */
async function readAll({ past, period, hours, run, bounds, leftMs }: Reading): Promise<number> {
  let read = 0;
  for (const span of spansOf(hours, period)) {
    let after: PastEvent | undefined;
    for (let isLast = false; !isLast; ) {
      const timeoutMs = leftMs();
      if (timeoutMs < 500 || read >= bounds.events || run.groups() > bounds.groups) return after?.time ?? span.fromMs;
      const page = await past.page(span, { after, timeoutMs });
      const done = await hold(run, page.events, leftMs);
      read += page.events.length;
      if (done < page.events.length) return page.events[done]?.time ?? span.fromMs;
      after = page.events.at(-1) ?? after;
      isLast = page.isLast;
    }
  }
  return period.toMs;
}

/** Returns how many were held against the policy before the time was up. */
async function hold(run: Run, events: readonly PastEvent[], leftMs: () => number): Promise<number> {
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, event] of events.entries()) {
    run.take(event);
    // After every event: a regular expression made to be slow takes a few slices for one.
    if (performance.now() < sliceEnd) continue;
    if (leftMs() <= 0) return index + 1;
    await setImmediate();
    sliceEnd = performance.now() + SLICE_MS;
  }
  return events.length;
}

/** Neighbouring hours together, as long as one answer holds their candidates. */
function spansOf(hours: readonly HourCount[], { fromMs, toMs }: Period): Period[] {
  const spans: { fromMs: number; toMs: number; candidates: number }[] = [];
  for (const { hourMs, candidates } of hours) {
    if (candidates === 0) continue;
    const span = { fromMs: Math.max(hourMs, fromMs), toMs: Math.min(hourMs + HOUR_MS, toMs), candidates };
    const last = spans.at(-1);
    if (last !== undefined && last.candidates + candidates <= EVENTS_PER_SPAN) {
      last.toMs = span.toMs;
      last.candidates += candidates;
    } else spans.push(span);
  }
  return spans;
}

type Run = ReturnType<typeof createRun>;

function createRun({ rule, caseOpenForS }: BacktestOrder) {
  const set = compilePolicies([{ id: 'policy', rule }]);
  const readValue = distinctValueOf(rule);
  const plan = planOf(rule);
  const asked = createForecast({ ...plan, openForMs: caseOpenForS * 1000 });
  const leftOpen = createForecast({ ...plan, openForMs: Number.POSITIVE_INFINITY });
  const closedAtOnce = createForecast({ ...plan, openForMs: 0 });
  const unsuppressed = createForecast({ ...plan, openForMs: 0, suppressMs: 0 });
  const count = { matched: 0, cases: 0, groups: 0, atOnce: 0, unsuppressed: 0, quiet: 0 };
  const byHour = new Map<number, { matched: number; cases: number }>();
  let newest: string[] = [];

  return {
    take(event: PastEvent): void {
      const parsed = { ...event, time_source: 'event' as const };
      const [hit] = evaluate(set, parsed);
      if (hit === undefined) return;
      const { groupKey, steps } = hit;
      const match = { groupKey, steps, eventId: event.id, timeMs: event.time, value: readValue(parsed) };
      const opened = (forecast: Forecast) => (forecast.add(match) === 'opened' ? 1 : 0);
      const cases = opened(asked);
      count.matched += 1;
      count.cases += cases;
      count.groups += opened(leftOpen);
      count.unsuppressed += opened(unsuppressed);
      const outcome = closedAtOnce.add(match);
      if (outcome === 'opened') count.atOnce += 1;
      if (outcome === 'quiet') count.quiet += 1;
      const hour = Math.floor(event.time / HOUR_MS) * HOUR_MS;
      const before = byHour.get(hour) ?? { matched: 0, cases: 0 };
      byHour.set(hour, { matched: before.matched + 1, cases: before.cases + cases });
      newest.push(event.id);
      if (newest.length > SAMPLE * 50) newest = newest.slice(-SAMPLE);
    },
    groups: () => asked.groups,
    newest: () => newest.slice(-SAMPLE),
    result: () => ({
      matched_events: count.matched,
      cases: count.cases,
      groups: count.groups,
      suppressed: { cases: Math.max(0, count.unsuppressed - count.atOnce), events: count.quiet },
      by_hour: [...byHour].map(([t, { matched, cases }]) => ({ t: new Date(t).toISOString(), matched, cases })),
    }),
  };
}

function onTheWire(event: PastEvent): PolicyBacktestResult['sample'][number] {
  const { id, integration, event_type, severity, message, host, user, src_ip, raw, fields } = event;
  return {
    id,
    time: new Date(event.time).toISOString(),
    integration,
    event_type,
    severity,
    message,
    host,
    user,
    src_ip,
    raw,
    fields,
  };
}
