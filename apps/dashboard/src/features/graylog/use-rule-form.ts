import { ApiError } from '@airdeck/api-client/api-error';
import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useCallIntent } from '../../components/action-run/use-call-intent.ts';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import type { FieldProblem } from '../../components/expression/field-problems.ts';
import { actionQueries } from '../../queries/actions.ts';
import { automationRuleCalls, noteAutomationRule } from '../../queries/automation-rules.ts';
import { refreshDefinitions } from '../../queries/graylog.ts';
import { playbookQueries } from '../../queries/playbooks.ts';
import { useTenantApi } from '../../session/app-context.ts';
import {
  missingParts,
  placedDetails,
  type ResponseDraft,
  type RuleDraft,
  responsesOf,
  sameDraft,
} from './rule-draft.ts';

type Options = {
  initial: RuleDraft;
  /** What is stored; undefined for a new one. */
  stored: AutomationRule | undefined;
  /** Told only while the form is there. `isAll`: nothing was changed while it was saved. */
  onSaved: (rule: AutomationRule, isAll: boolean) => void;
};

/** The form of an automation: what is in it, what is wrong with it, and saving it. */
export function useRuleForm({ initial, stored, onSaved }: Options) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState(initial);
  const [missing, setMissing] = useState<readonly FieldProblem[]>([]);
  const nameOf = useNameOf();
  const intent = useCallIntent();
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);
  const save = useConfirmedMutation<AutomationRule, RuleDraft>({
    meta: { failure: 'inline' },
    mutationFn: (sent, controls) => {
      const name = sent.name.trim();
      const actions = { responses: responsesOf(sent, nameOf) };
      const { enabled } = sent;
      return stored === undefined
        ? automationRuleCalls.create(
            tenantApi,
            { name, event_category_id: sent.definitionId, actions, enabled },
            { ...controls, intent },
          )
        : automationRuleCalls.change(
            tenantApi,
            stored.id,
            { name, actions, enabled, revision: stored.revision },
            controls,
          );
    },
    onSuccess: (rule) => {
      noteAutomationRule(queryClient, tenantApi.tenantId, rule);
      void refreshDefinitions(queryClient, tenantApi.tenantId);
    },
  });
  const isNewSaved = stored === undefined && save.isSuccess;
  const error = save.error;
  const isConflict = error instanceof ApiError && error.status === 409 && stored !== undefined;
  const found = error instanceof ApiError && !isConflict ? placedDetails(error.details) : [];

  const change = (part: Partial<RuleDraft>) => {
    setDraft((before) => ({ ...before, ...part }));
    if (missing.length > 0) setMissing([]);
    if (save.isError) save.reset();
  };

  return {
    draft,
    dirty: !sameDraft(draft, initial) && !isNewSaved,
    saving: save.isPending,
    /** The first save is out: once done, it leads to another page, which would not have what was typed meanwhile. */
    creating: stored === undefined && (save.isPending || isNewSaved),
    /** Why it was not saved. */
    failure: error,
    isConflict,
    problems: [...missing, ...found],
    nameOf,
    change,
    changeResponse: (key: string, part: Partial<ResponseDraft>) =>
      change({ responses: draft.responses.map((each) => (each.key === key ? { ...each, ...part } : each)) }),
    reset(to: RuleDraft) {
      setDraft(to);
      setMissing([]);
      save.reset();
    },
    submit() {
      const open = missingParts(draft, nameOf);
      setMissing(open);
      if (open.length === 0) save.mutate(draft, { onSuccess: (rule, sent) => onSaved(rule, latest.current === sent) });
      return open;
    },
  };
}

export type RuleFormState = ReturnType<typeof useRuleForm>;

/** What a response is called when nobody named it. */
function useNameOf(): (response: Pick<ResponseDraft, 'type' | 'definitionId'>) => string {
  const tenantApi = useTenantApi();
  const actions = useQuery(actionQueries.list(tenantApi)).data;
  const playbooks = useQuery(playbookQueries.list(tenantApi)).data;
  return ({ type, definitionId }) =>
    (type === 'action'
      ? actions?.find(({ action_id }) => action_id === definitionId)?.friendly_name
      : playbooks?.find(({ id }) => id === definitionId)?.metadata.name
    )?.slice(0, 100) ?? '';
}
