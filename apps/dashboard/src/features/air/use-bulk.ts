import type { Case, CaseBulkAnswer, CaseBulkChange, CaseBulkResult } from '@airdeck/contracts/cases/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useCallIntent } from '../../components/action-run/use-call-intent.ts';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { showDone, showError } from '../../lib/toasts.ts';
import { type CaseBulkBody, caseMutations, shownCases } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { undoSteps } from './bulk-undo.ts';

export type BulkTarget = Pick<CaseBulkBody, 'cases' | 'matching' | 'seen'>;

/** Named cases as the screen shows them: what somebody has changed since is not changed over their head. */
export function targetOf(rows: readonly Case[], ids: Iterable<string> = rows.map(({ id }) => id)): BulkTarget {
  const cases = [...ids];
  const seen = rows
    .filter(({ id }) => cases.includes(id))
    .map(({ id, alert_status, assignee }) => ({ id, alert_status, assignee }));
  return { cases, seen };
}

export type BulkWork = Pick<CaseBulkBody, 'change' | 'playbook'>;

/** What happened to that many cases: "3 cases acknowledged". */
export type BulkDone = (count: number) => string;

/** What came of the last call: in words, and how to take it back. */
export type BulkOutcome = { done: BulkDone; answer: CaseBulkAnswer; undo: readonly CaseBulkBody[] };

export type Bulk = {
  /**
   * Resolves to what is left: nothing when the server did it, all when it failed, and what it refused, as those cases are now.
   * A failure is told by a toast, or kept for the dialog that asked, as long as it is there.
   */
  run: (target: BulkTarget, work: BulkWork, done: BulkDone, from?: 'dialog') => Promise<BulkTarget | undefined>;
  undo: () => Promise<void>;
  dismiss: () => void;
  pending: boolean;
  outcome: BulkOutcome | undefined;
  /** Why the last call from a dialog failed as a whole. */
  failure: unknown;
};

export function useBulk(): Bulk {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const mutation = useMutation(caseMutations.bulk(tenantApi, queryClient, useCallIntent()));
  const [outcome, setOutcome] = useState<BulkOutcome>();
  const [failure, setFailure] = useState<unknown>();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return {
    async run(target, work, done, from) {
      setOutcome(undefined);
      setFailure(undefined);
      try {
        const change: CaseBulkChange | undefined = work.change;
        const { seen, ...chosen } = target;
        const seenNow = change === undefined || seen === undefined ? {} : { seen };
        const answer = await mutation.mutateAsync({ ...chosen, ...work, ...seenNow });
        setOutcome({ done, answer, undo: change === undefined ? [] : undoSteps(change, answer) });
        const refused = refusedOf(answer);
        return refused.length === 0 ? undefined : leftOf(refused, target, shownCases(tenantApi, queryClient));
      } catch (error) {
        // Over the dimmed page behind a dialog a toast is hardly seen; once the screen was left there is nothing else.
        if (from === 'dialog' && isShown.current) setFailure(error);
        else showError(error);
        return target;
      }
    },
    async undo() {
      if (outcome === undefined) return;
      let left = outcome.undo;
      try {
        let refused = 0;
        for (const step of outcome.undo) {
          const { results } = await mutation.mutateAsync(step);
          refused += results.filter((result) => result.outcome === 'refused').length;
          left = left.slice(1);
        }
        // Unless something else was done meanwhile, which has an outcome of its own.
        setOutcome((now) => (now === outcome ? undefined : now));
        showDone(
          refused === 0
            ? t('Taken back')
            : plural(
                refused,
                'Taken back, except for {count}: it has changed since',
                'Taken back, except for {count}: they have changed since',
              ),
        );
      } catch (error) {
        // What is left of it can be tried again.
        setOutcome((now) => (now === outcome ? { ...outcome, undo: left } : now));
        showError(error);
      }
    },
    dismiss: () => setOutcome(undefined),
    pending: mutation.isPending,
    outcome,
    failure,
  };
}

export function refusedOf({ results }: Pick<CaseBulkAnswer, 'results'>): CaseBulkResult[] {
  return results.filter(({ outcome }) => outcome === 'refused');
}

/**
 * What was refused, to be tried once more. The list has been read again by then; a case that was changed meanwhile and is not
 * in it any more counts as seen by what the refusal says of it.
 */
function leftOf(refused: readonly CaseBulkResult[], { seen = [] }: BulkTarget, shown: readonly Case[]): BulkTarget {
  const now = targetOf(
    shown,
    refused.map(({ id }) => id),
  );
  const isShown = new Set(shown.map(({ id }) => id));
  const unchanged = new Set(refused.flatMap(({ id, conflict }) => (conflict || isShown.has(id) ? [] : [id])));
  return { ...now, seen: [...(now.seen ?? []), ...seen.filter(({ id }) => unchanged.has(id))] };
}
