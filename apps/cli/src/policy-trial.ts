import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { casesOfMatches, type MatchedEvent, type TriedCase } from '@airdeck/detection/counting/cases-of-matches';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { parseRecord } from '@airdeck/event-parsers/parse-record';

export type Trial = {
  /** Line numbers from 1; empty lines are left out. */
  readonly lines: readonly { readonly line: number; readonly matched: boolean }[];
  readonly summary: { readonly events: number; readonly matched: number; readonly cases: readonly TriedCase[] };
};

/**
 * Holds a policy against lines as they would arrive, each read by the parser it would meet. `receivedAt` in milliseconds is
 * the time of events that have none.
 */
export function tryPolicy(rule: PolicyRule, lines: readonly string[], receivedAt: number): Trial {
  const set = compilePolicies([{ id: 'policy', rule }]);
  const matches: MatchedEvent[] = [];
  const answers = lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    const event = parseRecord(text, { receivedAt });
    const [hit] = evaluate(set, event);
    if (hit !== undefined) matches.push({ ...hit, event });
    return [{ line: index + 1, matched: hit !== undefined }];
  });
  return {
    lines: answers,
    summary: { events: answers.length, matched: matches.length, cases: casesOfMatches(rule, matches) },
  };
}
