import { Button, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import type { StepState } from '../../../components/flow/edge-looks.ts';
import { StepIcon } from '../../../components/flow/step-icon.tsx';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useReader } from '../../../ui/reader.ts';
import classes from './builder.module.css';
import { useBuilder } from './builder-context.ts';
import { type BuilderAction, dependenciesOf } from './document/builder-action.ts';
import { problemWords, stepLabel, stepLook } from './graph/step-look.ts';
import { useStepNames } from './graph/use-step-names.ts';

type Props = { states: ReadonlyMap<string, StepState> | undefined };

/** The steps one under the other, for screens too narrow for a graph. */
export function StepsList({ states }: Props) {
  const { document: doc, show } = useBuilder();
  const { actions } = doc.definition;
  const add = () => show({ show: 'palette', place: { after: lastSteps(actions), before: [] } });
  if (actions.length === 0) {
    return (
      <EmptyState
        title={t('Nothing happens yet')}
        action={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            {t('Add the first step')}
          </Button>
        }
      >
        {t('Choose what the playbook does first: look something up, ask somebody, or act on a product.')}
      </EmptyState>
    );
  }
  return (
    <ol className={classes.steps} aria-label={t('Steps of this playbook')}>
      {actions.map((action) => (
        <li key={action.id}>
          <StepRow action={action} state={states?.get(action.id)} />
        </li>
      ))}
    </ol>
  );
}

function StepRow({ action, state }: { action: BuilderAction; state: StepState | undefined }) {
  const { change, show, side, known, problems } = useBuilder();
  const { locale } = useReader();
  const nameOf = useStepNames();
  const look = stepLook(action, known, locale);
  const count = problems.filter(({ actionId }) => actionId === action.id).length;
  const names = dependenciesOf(action).map(nameOf);
  const after = names.join(', ');
  return (
    <UnstyledButton
      className={classes.step}
      data-step-id={action.id}
      aria-label={stepLabel({ look, after: names, problems: count, state })}
      onClick={() => {
        change({ type: 'select', ids: [action.id] });
        if (side.show !== 'trial') show({ show: 'form' });
      }}
    >
      <span className={classes.stepIcon}>
        <StepIcon kind={action.kind} />
      </span>
      <span className={classes.stepWords}>
        <span className={classes.stepName}>{look.name}</span>
        <span className={classes.stepNote}>
          {after === '' ? look.note : t('{note} · after {after}', { note: look.note, after })}
        </span>
      </span>
      {state !== undefined ? (
        <RunStatusBadge status={state} variant="plain" />
      ) : count > 0 ? (
        <span className={classes.stepMark}>
          <IconAlertTriangle size={14} aria-hidden />
          {problemWords(count)}
        </span>
      ) : null}
    </UnstyledButton>
  );
}

/** The steps nothing waits for: what is added at the end runs after them. */
export function lastSteps(actions: readonly BuilderAction[]): string[] {
  const waitedFor = new Set(actions.flatMap((action) => dependenciesOf(action)));
  return actions.map(({ id }) => id).filter((id) => !waitedFor.has(id));
}
