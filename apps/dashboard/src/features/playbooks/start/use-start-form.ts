import { ApiError } from '@airdeck/api-client/api-error';
import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { defaultValues } from '../../../components/schema-form/form-schema.ts';
import { focusFirstProblem } from '../../../components/schema-form/problem-summary.tsx';
import { problemsUnder, type SchemaProblem, schemaProblems } from '../../../components/schema-form/schema-problems.ts';
import { playbookMutations } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';

type Options = {
  playbook: Playbook;
  idPrefix: string;
  onStarted: (run: PlaybookRun) => void;
};

/** The inputs of a playbook while they are filled in, and its start: for real, or as a try. */
export function useStartForm({ playbook, idPrefix, onStarted }: Options) {
  const schema = playbook.inputs;
  const [initial] = useState(() => defaultValues(schema));
  const [value, setValue] = useState<JsonObject>(initial);
  const [problems, setProblems] = useState<readonly SchemaProblem[]>([]);
  /** The inputs as they were last run: nothing of them is lost any more. */
  const [kept, setKept] = useState(initial);
  const intent = useCallIntent();
  const start = useMutation(playbookMutations.start(useTenantApi(), useQueryClient(), intent));

  // After the fields can be used again: those of a start that goes on take no focus.
  useEffect(() => {
    if (!start.isPending) focusFirstProblem(schema, problems, idPrefix);
  }, [start.isPending, problems, schema, idPrefix]);

  return {
    value,
    problems,
    starting: start.isPending ? (start.variables.dryRun ? 'try' : 'run') : undefined,
    /** Of the start, where no field can say it. */
    failure: problems.length > 0 ? null : start.error,
    dirty: value !== kept && JSON.stringify(value) !== JSON.stringify(kept),
    change: (next: JsonObject) => {
      setValue(next);
      setProblems([]);
      start.reset();
    },
    run: (dryRun: boolean) => {
      if (start.isPending) return;
      const found = schemaProblems(schema, value);
      setProblems(found);
      if (found.length > 0) return;
      start.mutate(
        { playbookId: playbook.id, inputs: value, dryRun },
        {
          onSuccess: (begun) => {
            setKept(value);
            onStarted(begun);
          },
          onError: (error) =>
            setProblems(error instanceof ApiError ? problemsUnder('inputs', schema, error.details) : []),
        },
      );
    },
  };
}
