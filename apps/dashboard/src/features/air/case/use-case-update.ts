import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showDone, showError } from '../../../lib/toasts.ts';
import { type CaseChange, caseMutations, caseQueries } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { type CaseProblem, conflictOf, isConflict } from './case-problem.ts';

export type CaseUpdater = {
  /** Resolves to whether the change was made; a failure has been shown by then. */
  update: (change: CaseChange, done?: string) => Promise<boolean>;
  /** The change under way. */
  pending: CaseChange | undefined;
  problem: CaseProblem | undefined;
  dismissProblem: () => void;
};

/**
 * Changes a case. When the server refuses because the case has changed meanwhile, it is loaded again and `problem` says
 * what somebody else did; other failures are toasts.
 */
export function useCaseUpdate(seen: CaseDetail): CaseUpdater {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<CaseProblem>();
  const mutation = useMutation({
    ...caseMutations.update(tenantApi, queryClient, seen.id),
    meta: { failure: 'inline' },
  });

  const explain = async (error: unknown) => {
    if (!isConflict(error)) return showError(error);
    const detail = caseQueries.detail(tenantApi, seen.id);
    // When even this fails, what the server said about the refusal is still worth showing.
    const now = await queryClient.fetchQuery({ ...detail, staleTime: 0, retry: false }).catch(() => seen);
    setProblem(conflictOf(error, seen.activity, now.activity));
  };

  return {
    async update(change, done) {
      setProblem(undefined);
      try {
        await mutation.mutateAsync(change);
        if (done !== undefined) showDone(done);
        return true;
      } catch (error) {
        await explain(error);
        return false;
      }
    },
    pending: mutation.isPending ? mutation.variables : undefined,
    problem,
    dismissProblem: () => setProblem(undefined),
  };
}
