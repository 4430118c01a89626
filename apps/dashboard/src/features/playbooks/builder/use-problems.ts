import type { PlaybookProblem } from '@airdeck/contracts/playbooks/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { draftCalls } from '../../../queries/playbook-drafts.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import type { Known } from './document/available-references.ts';
import type { BuilderDefinition } from './document/builder-action.ts';
import { localProblems } from './document/local-problems.ts';
import { mergedProblems, type PlacedProblem, placeProblems, problemsOfRefusal } from './document/problem-places.ts';

const PAUSE_MS = 500;

type Given = { id: string; definition: BuilderDefinition; known: Known; first: readonly PlaybookProblem[] };

/**
 * What is wrong: what the browser sees at once, and what the server finds a moment after the last change. `checked` tells
 * whether the server has seen the definition as it is. A check that gets no answer says nothing: the next one, and publishing,
 * do.
 */
export function useProblems({ id, definition, known, first }: Given): {
  problems: readonly PlacedProblem[];
  checked: boolean;
} {
  const { api, tenantId } = useTenantApi();
  const queryClient = useQueryClient();
  const [found, setFound] = useState<{ of: BuilderDefinition; problems: readonly PlaybookProblem[] }>({
    of: definition,
    problems: first,
  });
  useEffect(() => {
    if (found.of === definition) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const calls = draftCalls({ api, tenantId }, queryClient, id);
        const { problems } = await calls.validate({ ...definition, actions: [...definition.actions] }, stop.signal);
        setFound({ of: definition, problems });
      } catch (error) {
        const problems = problemsOfRefusal(error);
        // Otherwise called off by the next change, or out of reach: what was found before stays shown.
        if (problems !== undefined) setFound({ of: definition, problems });
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [api, tenantId, queryClient, id, definition, found.of]);
  const catalogue = known.actions.size === 0 ? undefined : known.actions;
  const problems = useMemo(
    () => mergedProblems(localProblems(definition, catalogue), placeProblems(found.problems, definition)),
    [definition, catalogue, found],
  );
  return { problems, checked: found.of === definition };
}
