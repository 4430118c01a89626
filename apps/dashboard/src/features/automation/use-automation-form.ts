import { ApiError } from '@airdeck/api-client/api-error';
import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import type { FieldProblem } from '../../components/expression/field-problems.ts';
import { noteRuleResponse } from '../../queries/rule-responses.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { type AutomationDraft, bodyOf, missingParts, placedDetails, sameDraft } from './automation-draft.ts';

type Options = {
  initial: AutomationDraft;
  /** What is stored; undefined for a new one. */
  stored: RuleResponse | undefined;
  /** Told only while the form is there. `isAll`: nothing was changed while it was saved. */
  onSaved: (response: RuleResponse, isAll: boolean) => void;
};

/** The form of an automation: what is in it, what is wrong with it, and saving it. */
export function useAutomationForm({ initial, stored, onSaved }: Options) {
  const { api, tenantId } = useTenantApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const [missing, setMissing] = useState<readonly FieldProblem[]>([]);
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const save = useConfirmedMutation<RuleResponse, AutomationDraft>({
    meta: { failure: 'inline' },
    mutationFn: (sent, controls) => {
      const { rule_id: id, ...body } = bodyOf(sent);
      return stored === undefined
        ? api.call('rule-responses.create', { params: { tenant: tenantId }, body: bodyOf(sent), ...controls })
        : api.call('rule-responses.replace', {
            params: { tenant: tenantId, id },
            body: { ...body, revision: stored.revision },
            ...controls,
          });
    },
    onSuccess: (response) => noteRuleResponse(queryClient, tenantId, response),
  });
  const isNewSaved = stored === undefined && save.isSuccess;
  const error = save.error;
  const found = error instanceof ApiError ? placedDetails(error.details) : [];
  const isConflict = error instanceof ApiError && error.status === 409 && stored !== undefined;

  return {
    draft,
    dirty: !sameDraft(draft, initial) && !isNewSaved,
    saving: save.isPending,
    /** The first save is out: once done, it leads to another page, which would not have what was typed meanwhile. */
    creating: stored === undefined && (save.isPending || isNewSaved),
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
      if (open.length === 0)
        save.mutate(draft, { onSuccess: (response, sent) => onSaved(response, latest.current === sent) });
      return open;
    },
  };
}

export type AutomationFormState = ReturnType<typeof useAutomationForm>;
