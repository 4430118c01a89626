import { ApiError } from '@airdeck/api-client/api-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { ActionIcon } from '@mantine/core';
import { IconFlask, IconX } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCallIntent } from '../../../../components/action-run/use-call-intent.ts';
import { ProblemNote } from '../../../../components/problem-note.tsx';
import { formFields } from '../../../../components/schema-form/form-schema.ts';
import { focusFirstProblem, ProblemSummary } from '../../../../components/schema-form/problem-summary.tsx';
import { SchemaForm } from '../../../../components/schema-form/schema-form.tsx';
import {
  problemsUnder,
  type SchemaProblem,
  schemaProblems,
} from '../../../../components/schema-form/schema-problems.ts';
import { tx } from '../../../../language/rich-text.ts';
import { t } from '../../../../language/translate.ts';
import { draftMutations } from '../../../../queries/playbook-drafts.ts';
import { useTenantApi } from '../../../../session/app-context.ts';
import { GuardedButton } from '../../../../ui/guarded-button.tsx';
import classes from '../builder.module.css';
import { useBuilder } from '../builder-context.ts';
import { problemWords } from '../graph/step-look.ts';
import { sampleInputs } from './sample-inputs.ts';
import { TrialRun } from './trial-run.tsx';

type Props = {
  runId: string | undefined;
  /** Undefined takes the run away. */
  onRun: (runId: string | undefined) => void;
  tried: JsonObject;
  onTried: (inputs: JsonObject) => void;
};

/** Runs exactly what is shown, with sample inputs; only what reads is really done. */
export function TrialPanel({ runId, onRun, tried, onTried }: Props) {
  const { show } = useBuilder();
  return (
    <section className={classes.panel} aria-label={t('Try it')}>
      <div className={classes.panelHead}>
        <h2 className={classes.panelTitle}>{t('Try it')}</h2>
        <ActionIcon aria-label={t('Close')} onClick={() => show({ show: 'form' })}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      {runId === undefined ? (
        <TrialForm tried={tried} onTried={onTried} onRun={onRun} />
      ) : (
        <TrialRun runId={runId} onAgain={() => onRun(undefined)} />
      )}
    </section>
  );
}

function TrialForm({ tried, onTried, onRun }: Omit<Props, 'runId'>) {
  const { id, document: doc, change, problems: wrong, show } = useBuilder();
  const { definition } = doc;
  const schema = definition.inputs;
  const [value, setValue] = useState(() => sampleInputs(schema, tried));
  const [problems, setProblems] = useState<readonly SchemaProblem[]>([]);
  const intent = useCallIntent();
  const start = useMutation(draftMutations.dryRun(useTenantApi(), useQueryClient(), { id, intent }));
  const complain = (found: readonly SchemaProblem[]) => {
    setProblems(found);
    focusFirstProblem(schema, found, 'trial');
  };
  const run = () => {
    const found = schemaProblems(schema, value);
    if (found.length > 0) return complain(found);
    onTried(value);
    start.mutate(
      { definition: { ...definition, actions: [...definition.actions] }, inputs: value },
      {
        onSuccess: ({ summary }) => {
          // What was edited is not what one looks at first now.
          change({ type: 'select', ids: [] });
          onRun(summary.workflow_uuid);
        },
        onError: (error) => {
          if (error instanceof ApiError) complain(problemsUnder('inputs', schema, error.details));
        },
      },
    );
  };
  return (
    <form
      className={classes.panel}
      noValidate
      aria-label={t('Inputs of the trial')}
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong.length === 0) run();
      }}
    >
      <p className={classes.words}>
        {t(
          'Only what looks something up is really done. Steps that change or destroy something say what they would do.',
        )}
      </p>
      <ProblemSummary schema={schema} problems={problems} idPrefix="trial" />
      {formFields(schema).length === 0 ? (
        <p className={classes.words}>{t('This playbook takes no inputs.')}</p>
      ) : (
        <SchemaForm
          schema={schema}
          value={value}
          problems={problems}
          disabled={start.isPending}
          idPrefix="trial"
          onChange={(next) => {
            setValue(next);
            setProblems([]);
            start.reset();
          }}
        />
      )}
      {problems.length > 0 ? null : <ProblemNote error={start.error} />}
      <div>
        <GuardedButton
          type="submit"
          loading={start.isPending}
          reason={wrong.length === 0 ? undefined : t('There are problems to mend first.')}
          leftSection={<IconFlask size={16} aria-hidden />}
          onClick={() => undefined}
        >
          {t('Start the trial')}
        </GuardedButton>
      </div>
      {wrong.length === 0 ? null : (
        <p className={classes.words}>
          {tx('{problems} to mend first.', {
            problems: (
              <button type="button" className={classes.link} onClick={() => show({ show: 'problems' })}>
                {problemWords(wrong.length)}
              </button>
            ),
          })}
        </p>
      )}
    </form>
  );
}
