import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { showDone, showError } from '../../../lib/toasts.ts';
import { type CaseChange, caseMutations, caseQueries } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { type CaseProblem, conflictOf, isConflict } from './case-problem.ts';

/** Of a dialog, which stays open while the case changes behind it: the case as it was when the reader began. */
type SeenBefore = { seen: CaseDetail; onConflict: (now: CaseDetail) => void };

export type CaseUpdater = {
  /** Resolves to whether the change was made; a failure has been shown by then. */
  update: (change: CaseChange, done?: string, from?: SeenBefore) => Promise<boolean>;
  /** The change under way. */
  pending: CaseChange | undefined;
  problem: CaseProblem | undefined;
  dismissProblem: () => void;
  /** Makes the refused change to the case as it is now, which the reader has been shown. */
  again: () => void;
};

/**
 * Changes a case, as long as it is still as the reader sees it. When the server refuses because the case has changed meanwhile, it is loaded again and `problem` says
 * what somebody else did; other failures are toasts.
 */
export function useCaseUpdate(seen: CaseDetail): CaseUpdater {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<CaseProblem>();
  const [refused, setRefused] = useState<{ change: CaseChange; done: string | undefined; from: CaseDetail }>();
  const intent = useCallIntent();
  const mutation = useMutation({
    ...caseMutations.update(tenantApi, queryClient, { id: seen.id, intent }),
    meta: { failure: 'inline' },
  });

  const explain = async (error: unknown, from: SeenBefore) => {
    if (!isConflict(error)) return showError(error);
    const detail = caseQueries.detail(tenantApi, seen.id);
    // When even this fails, what the server said about the refusal is still worth showing.
    const now = await queryClient.fetchQuery({ ...detail, staleTime: 0, retry: false }).catch(() => seen);
    from.onConflict(now);
    setProblem(conflictOf(error, from.seen.activity, now.activity));
  };

  const update: CaseUpdater['update'] = async (change, done, from = { seen, onConflict: () => undefined }) => {
    setProblem(undefined);
    try {
      await mutation.mutateAsync(withSeen(change, from.seen));
      if (done !== undefined) showDone(done);
      return true;
    } catch (error) {
      setRefused({ change, done, from: from.seen });
      await explain(error, from);
      return false;
    }
  };

  return {
    update,
    again: () => {
      if (refused !== undefined) void update(onTo(refused.change, refused.from, seen), refused.done);
    },
    pending: mutation.isPending ? mutation.variables : undefined,
    problem,
    dismissProblem: () => setProblem(undefined),
  };
}

/** A change that was made to `before`, for the case as it is now: of the tags it is what was put on and taken off. */
export function onTo(change: CaseChange, before: CaseDetail, now: CaseDetail): CaseChange {
  const { tags } = change;
  if (tags === undefined) return change;
  const kept = now.tags.filter((tag) => tags.includes(tag) || !before.tags.includes(tag));
  const added = tags.filter((tag) => !before.tags.includes(tag) && !kept.includes(tag));
  return { ...change, tags: [...kept, ...added] };
}

/** The change together with what the reader saw of the parts it is about. */
export function withSeen(change: CaseChange, of: CaseDetail): CaseChange {
  const { alert_status, alert_severity, assignee, tags, close_reason } = of;
  const seen = {
    ...(change.alert_status === undefined ? {} : { alert_status }),
    ...(change.close_reason === undefined ? {} : { close_reason }),
    ...(change.alert_severity === undefined ? {} : { alert_severity }),
    ...(change.assignee === undefined ? {} : { assignee }),
    ...(change.tags === undefined ? {} : { tags }),
  };
  return Object.keys(seen).length === 0 ? change : { ...change, seen };
}
