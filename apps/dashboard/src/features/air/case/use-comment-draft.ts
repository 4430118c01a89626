import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTenantApi } from '../../../session/app-context.ts';

/** A shift: who comes back to a case then finds what they began. */
const KEPT_MS = 12 * 60 * 60 * 1000;
const drafts = ['comment-draft'];

export type CommentDraft = {
  text: string;
  /** Also when the field is gone by then: what was sent must not be there again. */
  change: (next: string | ((now: string) => string)) => void;
};

/**
 * What is being written about a case. It outlives its field, so that closing the panel or looking at another case loses
 * nothing; in memory only, and gone with a reload, a sign-out or another tenant, as all that is cached. Expects to be
 * mounted anew for another case.
 */
export function useCommentDraft(caseId: string): CommentDraft {
  const queryClient = useQueryClient();
  const { tenantId } = useTenantApi();
  const key = [...drafts, tenantId, caseId];
  const kept = () => queryClient.getQueryData<string>(key) ?? '';
  const [text, setText] = useState(kept);
  return {
    text,
    change(next) {
      const value = typeof next === 'string' ? next : next(kept());
      queryClient.setQueryDefaults(drafts, { gcTime: KEPT_MS });
      if (value === '') queryClient.removeQueries({ queryKey: key });
      else queryClient.setQueryData(key, value);
      setText(value);
    },
  };
}
