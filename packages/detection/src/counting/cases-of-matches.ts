import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { compileField, identityOf, textsOf } from '../field-values.ts';
import { type Completion, completionOf, findComplete, inOrder, marksOf } from './completion.ts';
import type { Mark } from './timeline.ts';

/** A case a policy would open: the values of its group by field, and how many events it takes. */
export type TriedCase = { readonly group: Readonly<Record<string, string>>; readonly events: number };

export type MatchedEvent = {
  readonly groupKey: string;
  readonly groupValues: Readonly<Record<string, string>>;
  /** Of a sequence: those it fits. */
  readonly steps?: readonly number[];
  readonly event: ParsedEvent;
};

type Group = { readonly values: Readonly<Record<string, string>>; readonly marks: Mark[] };

/** Reads what a threshold counts instead of events; null for an event without it, and without such a field. */
export function distinctValueOf({ logic }: Pick<PolicyRule, 'logic'>): (event: ParsedEvent) => string | null {
  const field = logic.threshold?.distinct_field;
  if (field === undefined) return () => null;
  const read = compileField(field);
  return (event) => identityOf(textsOf(read(event))) ?? null;
}

/**
 * Cases that the matches of one policy would open while nobody closes any: one per group, when its matches first reach the
 * threshold within its window of event time, or go through its sequence; later matches go into it.
 */
export function casesOfMatches(rule: Pick<PolicyRule, 'logic'>, matches: readonly MatchedEvent[]): TriedCase[] {
  const plan = completionOf(rule.logic);
  const readValue = distinctValueOf(rule);
  const groups = new Map<string, Group>();
  for (const [index, { groupKey, groupValues, steps, event }] of matches.entries()) {
    const group = groups.get(groupKey) ?? { values: groupValues, marks: [] };
    // Padded, so that events of one time stay in the order they were given.
    const mark = { eventId: String(index).padStart(12, '0'), timeMs: event.time, value: readValue(event) };
    group.marks.push(...marksOf(mark, steps));
    groups.set(groupKey, group);
  }
  return [...groups.values()].flatMap((group) => caseOf(group, plan));
}

function caseOf({ values, marks }: Group, plan: Completion): TriedCase[] {
  const complete = findComplete(inOrder(marks), plan) ?? [];
  const [first] = complete;
  if (first === undefined) return [];
  const later = marks.filter(
    ({ timeMs, eventId }) => timeMs > first.timeMs || (timeMs === first.timeMs && eventId >= first.eventId),
  );
  return [{ group: values, events: new Set([...complete, ...later].map(({ eventId }) => eventId)).size }];
}
