import type { CaseActivityKind, CaseUpdate } from '@airdeck/contracts/cases/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { limits } from '@airdeck/contracts/limits';
import { type RefusalReason, refusal } from '@airdeck/contracts/refusal-texts';
import { type CaseStatus, type CloseReason, caseSeverities } from '@airdeck/contracts/statuses';
import { canTransitionCase } from '@airdeck/domain/case-transitions';
import type { Updateable } from 'kysely';
import { AppError } from '../../http/app-error.ts';
import type { CaseRow } from './cases-repository.ts';
import type { CasesTables } from './cases-tables.ts';

export type CaseChange = {
  set: Updateable<CasesTables['case_record']>;
  /** What the story tells, in this order. */
  entries: { kind: CaseActivityKind; text: string; data: JsonObject }[];
};

type Context = {
  username: string;
  /** False when automation does it. */
  byPerson: boolean;
  at: Date;
  takesBack?: TakenBack | undefined;
};

/** An acknowledgement that whoever opens the case takes back: theirs, of this moment. */
export type TakenBack = { acknowledgedAt: string | undefined };

/**
 * What an update does to a case; pure. Parts that are as asked already change nothing and tell nothing, so that
 * sending the same update twice is harmless.
 *
 * @throws AppError CASE_TRANSITION_REFUSED, CONFLICT when somebody else was faster, or VALIDATION_FAILED for a close
 *   reason of a case that is not closed
 */
export function planCaseUpdate(row: CaseRow, update: CaseUpdate, context: Context): CaseChange {
  assertAsSeen(row, update);
  const change: CaseChange = { set: {}, entries: [] };
  planStatus(change, row, update, context);
  if (update.alert_severity !== undefined && update.alert_severity !== row.severity) {
    const [from, to] = [row.severity, update.alert_severity];
    change.set.severity = to;
    change.set.severity_rank = caseSeverities.indexOf(to);
    tell(change, 'severity_changed', `Severity changed from ${from} to ${to}`, { from, to });
  }
  if (update.assignee !== undefined && update.assignee !== row.assignee) planAssignee(change, row, update.assignee);
  planWaiting(change, row, update, context);
  if (update.tags !== undefined) planTags(change, row.tags, [...new Set(update.tags)]);
  if (update.comment !== undefined) tell(change, 'commented', update.comment, {});
  return change;
}

/**
 * Refuses what was decided from an older state. What is by now as it was asked is no conflict, or a call repeated after
 * a lost answer would fail.
 */
function assertAsSeen(row: CaseRow, { seen, ...asked }: CaseUpdate): void {
  if (seen === undefined) return;
  const closedAlike = asked.close_reason === undefined || asked.close_reason === row.close_reason;
  const parts = [
    {
      part: 'CASE_PART_STATUS',
      now: row.status,
      seen: seen.alert_status,
      asIs: asked.alert_status === row.status && closedAlike,
    },
    { part: 'CASE_PART_CLOSE_REASON', now: row.close_reason, seen: seen.close_reason, asIs: closedAlike },
    {
      part: 'CASE_PART_SEVERITY',
      now: row.severity,
      seen: seen.alert_severity,
      asIs: asked.alert_severity === row.severity,
    },
    { part: 'CASE_PART_ASSIGNMENT', now: row.assignee, seen: seen.assignee, asIs: asked.assignee === row.assignee },
    {
      part: 'CASE_PART_TAGS',
      now: setOf(row.tags),
      seen: seen.tags && setOf(seen.tags),
      asIs: asked.tags !== undefined && setOf(asked.tags) === setOf(row.tags),
    },
  ] as const;
  const changed = parts.filter((part) => part.seen !== undefined && part.seen !== part.now && !part.asIs);
  if (changed.length === 0) return;
  throw changedSince(changed.map(({ part }) => part));
}

function changedSince(parts: readonly Extract<RefusalReason, `CASE_PART_${string}`>[]): AppError {
  return new AppError('CONFLICT', refusal('CASE_CHANGED', { parts: parts.map((part) => refusal(part)) }));
}

function setOf(tags: readonly string[]): string {
  return JSON.stringify([...new Set(tags)].toSorted());
}

function planStatus(change: CaseChange, row: CaseRow, update: CaseUpdate, context: Context): void {
  const to = update.alert_status ?? row.status;
  if (update.close_reason !== undefined && to !== 'closed') {
    throw new AppError('VALIDATION_FAILED', {
      details: [{ path: 'close_reason', message: 'Only a closed case has a close reason.' }],
    });
  }
  if (to === row.status) {
    if (update.close_reason !== undefined && update.close_reason !== row.close_reason) {
      change.set.close_reason = update.close_reason;
      const text = `Close reason changed to ${spoken(update.close_reason)}`;
      tell(change, 'status_changed', text, { from: to, to, close_reason: update.close_reason });
    }
    return;
  }
  if (!canTransitionCase(row.status, to)) {
    // Nothing else is ever refused: `caseTransitions`.
    throw new AppError('CASE_TRANSITION_REFUSED', { message: 'A closed case can only be reopened.' });
  }
  change.set.status = to;
  if (to === 'closed') planClosing(change, row, update.close_reason ?? null, context);
  else if (to === 'acknowledged') acknowledge(change, row, context);
  if (row.status === 'closed') {
    Object.assign(change.set, { time_closed: null, closed_by: null, closed_by_person: null, close_reason: null });
  }
  if (to === 'open' && context.takesBack !== undefined) unacknowledge(change, row, context);
  const data = {
    ...{ from: row.status, to },
    ...(to === 'closed' ? { close_reason: update.close_reason } : {}),
    ...(change.set.time_acknowledged === null ? { unacknowledged: true } : {}),
  };
  tell(change, 'status_changed', statusText(row.status, to, update.close_reason), data);
}

export function planAssignee(change: CaseChange, { assignee: from }: CaseRow, to: string | null): void {
  change.set.assignee = to;
  tell(change, 'assigned', to === null ? 'Assignment removed' : `Assigned to ${to}`, { from, to });
}

/** Only what is not closed can wait; closing ends the wait. */
function planWaiting(change: CaseChange, row: CaseRow, update: CaseUpdate, { at }: Context): void {
  const isClosed = (update.alert_status ?? row.status) === 'closed';
  const asked = isClosed && row.waiting_since !== null ? false : update.waiting_on_customer;
  if (asked === undefined || asked === (row.waiting_since !== null)) return;
  if (asked && isClosed) {
    throw new AppError('CASE_TRANSITION_REFUSED', { message: 'A closed case waits for nobody.' });
  }
  change.set.waiting_since = asked ? at : null;
  // Closing says it all.
  if (isClosed) return;
  tell(change, 'waiting_changed', asked ? 'Waits on the customer' : 'Goes on', { waiting: asked });
}

function planClosing(change: CaseChange, row: CaseRow, reason: CloseReason | null, context: Context): void {
  // Whoever closes a case has seen it: without this its time to acknowledge would be missing from the figures.
  acknowledge(change, row, context);
  Object.assign(change.set, {
    time_closed: context.at,
    closed_by: context.username,
    closed_by_person: context.byPerson,
    close_reason: reason,
  });
}

/** Only a person acknowledges, and only the first time counts. */
function acknowledge(change: CaseChange, row: CaseRow, { username, byPerson, at }: Context): void {
  if (!byPerson || row.time_acknowledged !== null) return;
  change.set.time_acknowledged = at;
  change.set.acknowledged_by = username;
}

/** Nobody has responded then. What others acknowledged, or at another time, is not theirs to take back. */
function unacknowledge(change: CaseChange, row: CaseRow, { username, takesBack }: Context): void {
  const { time_acknowledged: at, acknowledged_by: by } = row;
  if (at === null) return;
  const meant = takesBack?.acknowledgedAt;
  if (by !== username || meant === undefined || at.getTime() !== new Date(meant).getTime()) {
    throw changedSince(['CASE_PART_STATUS']);
  }
  Object.assign(change.set, { time_acknowledged: null, acknowledged_by: null });
}

function planTags(change: CaseChange, before: readonly string[], after: string[]): void {
  const added = after.filter((tag) => !before.includes(tag));
  const removed = before.filter((tag) => !after.includes(tag));
  if (added.length === 0 && removed.length === 0) return;
  if (after.length > Math.max(limits.caseTagsMax, before.length)) {
    throw new AppError('VALIDATION_FAILED', refusal('CASE_TAGS_TOO_MANY', { maximum: limits.caseTagsMax }));
  }
  change.set.tags = after;
  const parts = [
    ...(added.length === 0 ? [] : [`Tags added: ${added.join(', ')}`]),
    ...(removed.length === 0 ? [] : [`${added.length === 0 ? 'Tags removed' : 'removed'}: ${removed.join(', ')}`]),
  ];
  tell(change, 'tagged', parts.join('; '), { added, removed });
}

function statusText(from: CaseStatus, to: CaseStatus, reason: CloseReason | undefined): string {
  if (to === 'acknowledged') return 'Acknowledged';
  if (to === 'closed') return reason === undefined ? 'Closed' : `Closed as ${spoken(reason)}`;
  return from === 'closed' ? 'Reopened' : 'Set back to open';
}

function spoken(reason: CloseReason): string {
  return reason.replace('_', ' ');
}

function tell(change: CaseChange, kind: CaseActivityKind, text: string, data: JsonObject): void {
  change.entries.push({ kind, text, data });
}
