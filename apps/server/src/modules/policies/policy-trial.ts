import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { type PolicyTrial, policyTrialLimits } from '@airdeck/contracts/policies/trial-schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { casesOfMatches, type MatchedEvent } from '@airdeck/detection/counting/cases-of-matches';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { AppError } from '../../http/app-error.ts';
import { inSlices } from '../../loop-share.ts';
import { sourceFits } from './policy-sources.ts';

/**
 * Holds a rule against pasted lines, each read by the parser it would meet at a door; `receivedAt` in milliseconds is the
 * time of events that have none. Throws VALIDATION_FAILED for too many lines.
 */
export async function tryPolicy(rule: PolicyRule, text: string, receivedAt: number): Promise<PolicyTrial> {
  const lines = text.split('\n');
  if (lines.length > policyTrialLimits.lines) {
    const refused = refusal('POLICY_TRIAL_TOO_LONG', { maximum: policyTrialLimits.lines });
    throw new AppError('VALIDATION_FAILED', { ...refused, details: [{ path: 'body.events', ...refused }] });
  }
  const set = compilePolicies([{ id: 'policy', rule }]);
  const fitsSource = sourceFits(rule);
  const matches: MatchedEvent[] = [];
  const answers: PolicyTrial['lines'] = [];
  const slices = inSlices();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const event = parseRecord(line, { receivedAt });
    const [hit] = evaluate(set, event);
    if (hit !== undefined) matches.push({ ...hit, event });
    const { integration, event_type } = event;
    const matched = hit !== undefined;
    answers.push({ line: index + 1, matched, integration, event_type, of_source: fitsSource(event) });
    if (slices.isOver) await slices.next();
  }
  const cases = casesOfMatches(rule, matches).map(({ group, events }) => ({ group: { ...group }, events }));
  return { lines: answers, summary: { events: answers.length, matched: matches.length, cases } };
}
