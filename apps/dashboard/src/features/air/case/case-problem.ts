import { ApiError } from '@airdeck/api-client/api-error';
import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { presentError } from '../../../lib/error-presentation.ts';

export type CaseProblem = {
  text: string;
  /** What somebody else did to the case since the reader saw it, newest first. */
  since: readonly CaseActivity[];
};

/** The case changed under the reader's hands, so the change was refused. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

const changes = new Set<CaseActivity['kind']>(['status_changed', 'severity_changed', 'assigned', 'tagged']);

/** What to tell about a refused change, given the story as the reader saw it and as it is now. */
export function conflictOf(error: unknown, seen: readonly CaseActivity[], now: readonly CaseActivity[]): CaseProblem {
  const known = new Set(seen.map(({ id }) => id));
  return {
    text: presentError(error).text,
    since: now.filter(({ id, kind }) => !known.has(id) && changes.has(kind)).reverse(),
  };
}
