import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { findCount } from '@airdeck/detection/counting/count-window';
import { type Mark, withMark } from '@airdeck/detection/counting/timeline';
import { compileField, identityOf, textsOf } from '@airdeck/detection/field-values';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { parseRecord } from '@airdeck/event-parsers/parse-record';

/** A case the policy would open: the values of its group by field, and how many events it takes. */
export type TriedCase = { readonly group: Readonly<Record<string, string>>; readonly events: number };

export type Trial = {
  /** Line numbers from 1; empty lines are left out. */
  readonly lines: readonly { readonly line: number; readonly matched: boolean }[];
  readonly summary: { readonly events: number; readonly matched: number; readonly cases: readonly TriedCase[] };
};

type Group = { readonly values: Record<string, string>; marks: Mark[] };

/**
 * Holds a policy against lines as they would arrive, each read by the parser it would meet. A group opens one case, when its
 * matches first reach the threshold within its window of event time; later matches go into it. `receivedAt` in
 * milliseconds is the time of events that have none.
 */
export function tryPolicy(rule: PolicyRule, lines: readonly string[], receivedAt: number): Trial {
  const set = compilePolicies([{ id: 'policy', rule }]);
  const { threshold } = rule.logic;
  const readValue = threshold?.distinct_field === undefined ? undefined : compileField(threshold.distinct_field);
  const groups = new Map<string, Group>();
  const answers = lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    const event = parseRecord(text, { receivedAt });
    const [hit] = evaluate(set, event);
    if (hit !== undefined) {
      const group = groups.get(hit.groupKey) ?? { values: hit.groupValues, marks: [] };
      const value = readValue === undefined ? null : (identityOf(textsOf(readValue(event))) ?? null);
      // Padded, so that events of one time stay in the order of their lines.
      const eventId = String(index).padStart(12, '0');
      const marks = withMark(group.marks, { eventId, timeMs: event.time, step: 0, value });
      groups.set(hit.groupKey, { ...group, marks: marks ?? group.marks });
    }
    return [{ line: index + 1, matched: hit !== undefined }];
  });
  return {
    lines: answers,
    summary: {
      events: answers.length,
      matched: answers.filter(({ matched }) => matched).length,
      cases: [...groups.values()].flatMap((group) => caseOf(group, threshold)),
    },
  };
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
