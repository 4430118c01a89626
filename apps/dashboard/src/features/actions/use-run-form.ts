import { ApiError } from '@airdeck/api-client/api-error';
import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useCallIntent } from '../../components/action-run/use-call-intent.ts';
import { useConfirmedMutation } from '../../components/confirmation/use-confirmed-mutation.ts';
import { defaultValues, formFields } from '../../components/schema-form/form-schema.ts';
import { focusFirstProblem } from '../../components/schema-form/problem-summary.tsx';
import { problemsUnder, type SchemaProblem, schemaProblems } from '../../components/schema-form/schema-problems.ts';
import { actionRunMutations } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { useReader } from '../../ui/reader.ts';
import { readStartTime } from './start-time.ts';

type Options = {
  action: ActionDefinition;
  /** What the input begins with; what the action does not take is left out. */
  input: JsonObject | undefined;
  /** The case it answers: the run shows there. */
  caseId: string | undefined;
  /** Null leaves the choice to the server. */
  connectorId: string | null;
  idPrefix: string;
  onStarted: (run: ActionActivity) => void;
};

/** The input of an action while it is filled in, and its start. */
export function useRunForm({ action, input, caseId, connectorId, idPrefix, onStarted }: Options) {
  const schema = action.input_schema;
  const { timeZone } = useReader();
  const [initial] = useState(() => ({ ...defaultValues(schema), ...takenInput(schema, input) }));
  const [value, setValue] = useState<JsonObject>(initial);
  const [problems, setProblems] = useState<readonly SchemaProblem[]>([]);
  /** Undefined to start at once. */
  const [when, setWhen] = useState<string>();
  const [whenProblem, setWhenProblem] = useState<string>();
  /** The input as it was last run: nothing of it is lost any more. */
  const [kept, setKept] = useState(initial);
  const intent = useCallIntent();
  const start = useConfirmedMutation(actionRunMutations.start(useTenantApi(), useQueryClient(), intent));

  // After the fields can be used again: those of a start that goes on take no focus.
  useEffect(() => {
    if (!start.isPending) focusFirstProblem(schema, problems, idPrefix);
  }, [start.isPending, problems, schema, idPrefix]);

  const run = () => {
    const found = schemaProblems(schema, value);
    const time = when === undefined ? undefined : readStartTime(when, { now: new Date(), timeZone });
    const late = time !== undefined && 'problem' in time ? time.problem : undefined;
    setWhenProblem(late);
    setProblems(found);
    if (found.length > 0) return;
    if (late !== undefined) return document.getElementById(`${idPrefix}-when`)?.focus();
    const time_scheduled = time !== undefined && 'at' in time ? time.at.toISOString() : null;
    const body = {
      ...{ action_name: action.action_id, action_input: value, connector_id: connectorId, time_scheduled },
      ...(caseId === undefined ? {} : { case_id: caseId }),
    };
    start.mutate(body, {
      onSuccess: (begun) => {
        setKept(value);
        setWhen(undefined);
        onStarted(begun);
      },
      onError: (error) => setProblems(inputProblems(error, schema)),
    });
  };

  return {
    value,
    problems,
    when,
    whenProblem,
    run,
    starting: start.isPending,
    /** Of the start, where no field can say it. */
    failure: problems.length > 0 ? null : start.error,
    dirty: value !== kept && JSON.stringify(value) !== JSON.stringify(kept),
    change: (next: JsonObject) => {
      setValue(next);
      setProblems([]);
      start.reset();
    },
    changeWhen: (next: string | undefined) => {
      setWhen(next);
      setWhenProblem(undefined);
    },
  };
}

/** Of an input that was given with the address, the texts that the action has a field for. */
function takenInput(schema: JsonObject, input: JsonObject = {}): JsonObject {
  const texts = formFields(schema).filter(({ kind }) => kind === 'text' || kind === 'long-text' || kind === 'ip');
  return Object.fromEntries(
    texts.flatMap(({ name }) => (typeof input[name] === 'string' ? [[name, input[name]]] : [])),
  );
}

/** What the server said about fields of the input; none when it is about something else. */
function inputProblems(error: Error, schema: JsonObject): readonly SchemaProblem[] {
  return error instanceof ApiError ? problemsUnder('action_input', schema, error.details) : [];
}
