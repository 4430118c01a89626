import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { compileField, identityOf, textsOf } from '../field-values.ts';
import { findCount } from './count-window.ts';
import { type Mark, withMark } from './timeline.ts';

/** A case a policy would open: the values of its group by field, and how many events it takes. */
export type TriedCase = { readonly group: Readonly<Record<string, string>>; readonly events: number };

export type MatchedEvent = {
  readonly groupKey: string;
  readonly groupValues: Readonly<Record<string, string>>;
  readonly event: ParsedEvent;
};

type Group = { readonly values: Readonly<Record<string, string>>; marks: Mark[] };

/** Reads what a threshold counts instead of events; null for an event without it, and without such a field. */
export function distinctValueOf({ logic }: Pick<PolicyRule, 'logic'>): (event: ParsedEvent) => string | null {
  const field = logic.threshold?.distinct_field;
  if (field === undefined) return () => null;
  const read = compileField(field);
  return (event) => identityOf(textsOf(read(event))) ?? null;
}

/**
 * Cases that the matches of one policy would open while nobody closes any: one per group, when its matches first reach the
 * threshold within its window of event time; later matches go into it. Quadratic in the matches of a group: for some
 * thousands of events.
 */
export function casesOfMatches(rule: Pick<PolicyRule, 'logic'>, matches: readonly MatchedEvent[]): TriedCase[] {
  const { threshold } = rule.logic;
  const readValue = distinctValueOf(rule);
  const groups = new Map<string, Group>();
  for (const [index, { groupKey, groupValues, event }] of matches.entries()) {
    const group = groups.get(groupKey) ?? { values: groupValues, marks: [] };
    // Padded, so that events of one time stay in the order they were given.
    const mark = { eventId: String(index).padStart(12, '0'), timeMs: event.time, step: 0, value: readValue(event) };
    group.marks = withMark(group.marks, mark) ?? group.marks;
    groups.set(groupKey, group);
  }
  return [...groups.values()].flatMap((group) => caseOf(group, threshold));
}

function caseOf({ values, marks }: Group, threshold: PolicyRule['logic']['threshold']): TriedCase[] {
  const filled = findCount(marks, {
    count: threshold?.count ?? 1,
    withinMs: (threshold?.within_s ?? 0) * 1000,
    distinct: threshold?.distinct_field !== undefined,
  });
  const [first] = filled ?? [];
  return first === undefined ? [] : [{ group: values, events: marks.length - marks.indexOf(first) }];
}
