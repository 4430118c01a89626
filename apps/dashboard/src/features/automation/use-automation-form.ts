import { ApiError } from '@airdeck/api-client/api-error';
import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import type { FieldProblem } from '../../components/expression/field-problems.ts';
import { noteRuleResponse } from '../../queries/rule-responses.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { type AutomationDraft, bodyOf, missingParts, placedDetails, sameDraft } from './automation-draft.ts';

type Options = {
  initial: AutomationDraft;
  /** What is stored; undefined for a new one. */
  stored: RuleResponse | undefined;
  onSaved: (response: RuleResponse) => void;
};

/** The form of an automation: what is in it, what is wrong with it, and saving it. */
export function useAutomationForm({ initial, stored, onSaved }: Options) {
  const { api, tenantId } = useTenantApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const [missing, setMissing] = useState<readonly FieldProblem[]>([]);
  const save = useConfirmedMutation<RuleResponse>({
    meta: { failure: 'inline' },
    mutationFn: (_none, controls) => {
      const { rule_id: id, ...body } = bodyOf(draft);
      return stored === undefined
        ? api.call('rule-responses.create', { params: { tenant: tenantId }, body: bodyOf(draft), ...controls })
        : api.call('rule-responses.replace', {
            params: { tenant: tenantId, id },
            body: { ...body, revision: stored.revision },
            ...controls,
          });
    },
    onSuccess: (response) => {
      noteRuleResponse(queryClient, tenantId, response);
      onSaved(response);
    },
  });
  const error = save.error;
  const found = error instanceof ApiError ? placedDetails(error.details) : [];
  const isConflict = error instanceof ApiError && error.status === 409 && stored !== undefined;

  return {
    draft,
    dirty: !sameDraft(draft, initial),
    saving: save.isPending,
    /** Why it was not saved. */
    failure: error,
    isConflict,
    problems: [...missing, ...(isConflict ? [] : found)],
    change(part: Partial<AutomationDraft>) {
      setDraft((before) => ({ ...before, ...part }));
      if (missing.length > 0) setMissing([]);
      if (save.isError) save.reset();
    },
    reset(to: AutomationDraft) {
      setDraft(to);
      setMissing([]);
      save.reset();
    },
    submit() {
      const open = missingParts(draft);
      setMissing(open);
      if (open.length === 0) save.mutate();
      return open;
    },
  };
}

export type AutomationFormState = ReturnType<typeof useAutomationForm>;
