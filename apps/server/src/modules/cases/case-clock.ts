/**
 * The clock of a case.
 *
 * Terms: a case is due for a response (somebody acknowledges it) and for closing; both times are counted from its opening
 * by the targets of its severity. The clock stands still while the case waits on the customer and while it is closed:
 * whatever time that was is added to both when it goes on; to the time to respond when somebody responds while it waits.
 *
 * What always holds:
 * - The time to respond never changes again once somebody responded, so that what was in time stays so. Taken back, it is as
 *   if nobody had.
 * - Targets count from when the case opened or its severity changed; later changes of the targets leave it alone.
 * - Each thing is told once per case (`case_sla_notice`), whatever the case goes through.
 */
import { SLA_WARNING_PART } from '@airdeck/contracts/cases/sla';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import type { Updateable } from 'kysely';
import type { CaseRow } from './cases-repository.ts';
import type { CasesTables } from './cases-tables.ts';

/** Minutes; null is no target. */
export type Targets = Readonly<Record<CaseSeverity, { respond: number | null; resolve: number | null }>>;

type CaseSet = Updateable<CasesTables['case_record']>;

export type ClockMoment = {
  kind: 'respond_warning' | 'respond_breach' | 'resolve_warning' | 'resolve_breach' | 'escalation';
  /** Of what is told once: its name in `case_sla_notice`. */
  name: string;
  at: Date;
};

/** Between two contacts that are written to, for as long as nobody responds. */
export const ESCALATION_EVERY_MS = 30 * 60_000;

const MINUTE_MS = 60_000;

/** The clock a case starts with. */
export function startClock(
  targets: Targets,
  { severity, openedAt }: { severity: CaseSeverity; openedAt: Date },
): Pick<CaseRow, 'respond_by' | 'resolve_by' | 'clock_next_at'> {
  const { respond, resolve } = targets[severity];
  const due = { respond_by: after(openedAt, respond, 0), resolve_by: after(openedAt, resolve, 0) };
  const opening = { time_opened: openedAt, time_acknowledged: null, clock_stood_s: 0, escalations: 0 };
  const first = clockMoments({ ...due, ...opening }, 1);
  return { ...due, clock_next_at: earliest(first) };
}

/** What a change of a case does to its clock, to be written together with it; the targets for a change of severity. */
export function clockChange(
  row: CaseRow,
  set: CaseSet,
  { at, targets }: { at: Date; targets: Targets | undefined },
): CaseSet {
  if (set.status === undefined && set.severity === undefined && set.waiting_since === undefined) return {};
  const status = (set.status as CaseRow['status'] | undefined) ?? row.status;
  const severity = (set.severity as CaseSeverity | undefined) ?? row.severity;
  const stoodMs = stoodStill(row, set, at);
  const stood_s = row.clock_stood_s + Math.round(stoodMs / 1000);
  const target = severity === row.severity ? undefined : targets?.[severity];
  const takenBack = set.time_acknowledged === null ? row.time_acknowledged : null;
  // With the response goes its part of a wait that goes on: all of that wait is added when it ends.
  const takenMs = takenBack === null ? 0 : since(row.waiting_since, takenBack);
  const respond = target ? after(row.time_opened, target.respond, stood_s) : later(row.respond_by, stoodMs - takenMs);
  const waits = set.waiting_since === undefined ? row.waiting_since !== null : set.waiting_since !== null;
  // The wait goes on, but nothing moves the time to respond once there was a response: it gets its part of the wait now.
  const isResponse = set.time_acknowledged !== undefined && set.time_acknowledged !== null;
  const waitedMs = waits && isResponse ? since(row.waiting_since, at) : 0;
  return {
    clock_stood_s: stood_s,
    respond_by: row.time_acknowledged === null || takenBack !== null ? later(respond, waitedMs) : row.respond_by,
    resolve_by: target ? after(row.time_opened, target.resolve, stood_s) : later(row.resolve_by, stoodMs),
    // Looked at at once: what that finds to be told, and when next, follows from the case as it is then.
    clock_next_at: status === 'closed' || waits ? null : at,
  };
}

function stoodStill(row: CaseRow, set: CaseSet, at: Date): number {
  const closedMs = row.status === 'closed' && set.status !== undefined ? since(row.time_closed, at) : 0;
  const waitedMs = set.waiting_since === null ? since(row.waiting_since, at) : 0;
  return closedMs + waitedMs;
}

function since(from: Date | null, at: Date): number {
  return from === null ? 0 : Math.max(0, at.getTime() - from.getTime());
}

type Ticking = Pick<
  CaseRow,
  'time_opened' | 'time_acknowledged' | 'respond_by' | 'resolve_by' | 'clock_stood_s' | 'escalations'
>;

/** All that is or will be told of a clock that runs, given how many contacts can be written to. */
export function clockMoments(of: Ticking, contacts: number): ClockMoment[] {
  const { time_opened: opened, respond_by: respondBy, resolve_by: resolveBy } = of;
  const moments: ClockMoment[] = [];
  const add = (part: 'respond' | 'resolve', by: Date) => {
    // Of the time it ran: `by` was moved on by what it stood still.
    const wholeMs = by.getTime() - opened.getTime() - of.clock_stood_s * 1000;
    const warnAt = new Date(by.getTime() - wholeMs * SLA_WARNING_PART);
    moments.push({ kind: `${part}_warning`, name: `${part}_warning`, at: warnAt });
    moments.push({ kind: `${part}_breach`, name: `${part}_breach`, at: by });
  };
  if (respondBy !== null && of.time_acknowledged === null) {
    add('respond', respondBy);
    if (of.escalations < contacts) {
      const at = new Date(respondBy.getTime() + of.escalations * ESCALATION_EVERY_MS);
      moments.push({ kind: 'escalation', name: `escalation_${of.escalations + 1}`, at });
    }
  }
  if (resolveBy !== null) add('resolve', resolveBy);
  return moments;
}

export function earliest(moments: readonly { at: Date }[]): Date | null {
  return moments.reduce<Date | null>((first, { at }) => (first === null || at < first ? at : first), null);
}

type Judged = {
  respond_by: Date | null;
  resolve_by: Date | null;
  time_acknowledged: Date | null;
  time_closed: Date | null;
  waiting_since: Date | null;
};

/** Whether a time was missed. */
export function isBreached(of: Judged, now: Date): boolean {
  const stopped = of.time_closed ?? of.waiting_since ?? now;
  const responded = of.time_acknowledged ?? stopped;
  return isAfter(responded, of.respond_by) || isAfter(stopped, of.resolve_by);
}

function isAfter(time: Date, by: Date | null): boolean {
  return by !== null && time > by;
}

function later(time: Date | null, ms: number): Date | null {
  return time === null ? null : new Date(time.getTime() + ms);
}

function after(from: Date, minutes: number | null, seconds: number): Date | null {
  return minutes === null ? null : new Date(from.getTime() + minutes * MINUTE_MS + seconds * 1000);
}
