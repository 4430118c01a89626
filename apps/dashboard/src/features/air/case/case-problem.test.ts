import { ApiError } from '@airdeck/api-client/api-error';
import type { CaseActivity } from '@airdeck/contracts/cases/schema';
import { describe, expect, it } from 'vitest';
import { conflictOf, isConflict } from './case-problem.ts';

function refusal(status: number): ApiError {
  return new ApiError({
    category: 'client',
    code: 'CASE_TRANSITION_REFUSED',
    message: 'A closed case can only be reopened.',
    status,
    endpoint: '/api/tenants/{tenant}/case/{id}',
    method: 'POST',
  });
}

function entry(id: string, kind: CaseActivity['kind']): CaseActivity {
  return { id, at: '2026-11-21T01:00:00.000Z', username: 'tom@example.com', kind, text: '', data: {} };
}

describe('a refused change', () => {
  it('is a conflict only with status 409', () => {
    expect(isConflict(refusal(409))).toBe(true);
    expect(isConflict(refusal(400))).toBe(false);
    expect(isConflict(new Error('409'))).toBe(false);
  });

  it('tells the changes made since the reader saw the case, newest first, and nothing else', () => {
    const seen = [entry('a', 'opened'), entry('b', 'severity_changed')];
    const now = [...seen, entry('c', 'assigned'), entry('d', 'commented'), entry('e', 'status_changed')];
    const problem = conflictOf(refusal(409), seen, now);
    expect(problem.text).toBe('A closed case can only be reopened.');
    expect(problem.since.map(({ id }) => id)).toEqual(['e', 'c']);
  });
});
