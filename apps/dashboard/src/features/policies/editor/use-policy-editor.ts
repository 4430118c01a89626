/**
 * The state of the editor: what is stored, what is typed, and what keeps it from being saved.
 *
 * `stored` is what the changes are made on, and its version goes along with every save; the server refuses a save on an
 * older one, and then `conflict` holds what is stored now. Nothing is merged: a person decides.
 */
import { ApiError } from '@airdeck/api-client/api-error';
import type { Policy, PolicyRule } from '@airdeck/contracts/policies/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { useConfirmedMutation } from '../../../components/confirmation/use-confirmed-mutation.ts';
import { notePolicy, policyCalls, policyQueries } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { type DraftProblems, draftProblems, hasProblems, noProblems, serverProblems } from '../draft/draft-problems.ts';
import { draftOf, isSameRule, type PolicyDraft, ruleOf } from '../draft/policy-draft.ts';

export type Save = { enabled: boolean };

type Start = {
  /** Undefined for a new one. */
  policy: Policy | undefined;
  draft: PolicyDraft;
  onSaved: (policy: Policy, isNew: boolean) => void;
};

export function usePolicyEditor(start: Start) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const calls = policyCalls(tenantApi);
  const intent = useCallIntent();
  const [stored, setStored] = useState(start.policy);
  const [first] = useState(() => ruleOf(start.draft));
  const [draft, setDraft] = useState(start.draft);
  // Here and not in the bar: a save that met a conflict is sent again with the same words.
  const [note, setNote] = useState('');
  const [jsonProblem, setJsonProblem] = useState<string>();
  const [asked, setAsked] = useState(false);
  const [refused, setRefused] = useState<DraftProblems>(noProblems);
  const [conflict, setConflict] = useState<Policy>();

  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  }, [draft]);

  const rule = useMemo(() => ruleOf(draft), [draft]);
  const own = useMemo(() => draftProblems(draft), [draft]);
  const base = stored?.rule ?? first;

  const take = (policy: Policy) => {
    setStored(policy);
    setDraft(draftOf(policy.rule));
    setJsonProblem(undefined);
    setRefused(noProblems);
    setAsked(false);
    setConflict(undefined);
    setNote('');
  };

  const saving = useConfirmedMutation({
    meta: { failure: 'inline' },
    mutationFn: ({ enabled, over }: Save & { over: number | undefined }, controls): Promise<Policy> =>
      stored === undefined
        ? calls.create({ rule, enabled }, { ...controls, intent })
        : calls.update(
            {
              id: stored.id,
              rule,
              based_on: over ?? stored.version,
              ...(note.trim() === '' ? {} : { note: note.trim() }),
            },
            controls,
          ),
  });

  const explain = async (error: Error) => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'CONFLICT' && stored !== undefined) {
      const now = await queryClient.fetchQuery({ ...policyQueries.detail(tenantApi, stored.id), staleTime: 0 });
      if (now.version !== stored.version) return setConflict(now);
    }
    setRefused(serverProblems(error.details, draft));
  };

  /** False when it refuses to: what is wrong shows from then on. */
  const save = (how: Save, over?: number): boolean => {
    setAsked(true);
    if (hasProblems(own) || jsonProblem !== undefined) return false;
    setRefused(noProblems);
    saving.mutate(
      { ...how, over },
      {
        onSuccess: (policy) => {
          notePolicy(queryClient, tenantApi.tenantId, policy);
          // What was typed while it was saved is the next change.
          if (latest.current === draft) take(policy);
          else setStored(policy);
          // What was typed about one save is not about the next.
          setNote('');
          setConflict(undefined);
          start.onSaved(policy, stored === undefined);
        },
        // What the server says about the refusal shows either way.
        onError: (error) => void explain(error).catch(() => undefined),
      },
    );
    return true;
  };

  return {
    stored,
    base,
    draft,
    rule,
    note,
    setNote,
    dirty: jsonProblem !== undefined || !isSameRule(base, rule),
    change: (part: Partial<PolicyDraft>) => {
      setDraft((before) => ({ ...before, ...part }));
      setRefused(noProblems);
    },
    /** Replaces the draft by what was typed as JSON. */
    setRule: (next: PolicyRule) => {
      setDraft(draftOf(next));
      setRefused(noProblems);
    },
    jsonProblem,
    setJsonProblem,
    /** What shows: nothing of one's own before saving was tried. */
    problems: merged(asked ? own : noProblems, refused),
    canRun: !hasProblems(own) && jsonProblem === undefined,
    asked,
    save,
    saving: saving.isPending,
    /** The first save is out: once done, it leads to another page, which would not have what was typed meanwhile. */
    creating: saving.isPending && stored === undefined,
    /** What the server found wrong, which fields show. */
    refused: hasProblems(refused) ? refused : undefined,
    /** A failure that no field shows. */
    failure: conflict === undefined && !hasProblems(refused) ? saving.error : null,
    discard: () => {
      setDraft(draftOf(base));
      setJsonProblem(undefined);
      setRefused(noProblems);
      setAsked(false);
      saving.reset();
    },
    /** Takes what is stored now: theirs after a conflict, or after a roll back. */
    take,
    /** It was switched on or off here: a new version, of the same rule unless somebody else changed it meanwhile. */
    noteSwitched: (policy: Policy) => {
      if (isSameRule(policy.rule, base)) setStored(policy);
      else setConflict(policy);
    },
    conflict,
    leaveConflict: () => setConflict(undefined),
  };
}

export type PolicyEditor = ReturnType<typeof usePolicyEditor>;

function merged(one: DraftProblems, other: DraftProblems): DraftProblems {
  return {
    places: { ...one.places, ...other.places },
    nodes: new Map([...one.nodes, ...other.nodes]),
    other: [...one.other, ...other.other],
  };
}
