import { type CaseStatus, caseTransitions } from '@airdeck/contracts/statuses';

/**
 * Whether a case may go from one status to another.
 *
 * Staying where it is is no transition and answers false: callers treat an unchanged status as nothing to do.
 */
export function canTransitionCase(from: CaseStatus, to: CaseStatus): boolean {
  return caseTransitions[from].includes(to);
}
