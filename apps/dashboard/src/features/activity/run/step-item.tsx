import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { useReader } from '../../../ui/reader.ts';
import type { NameOfAction } from '../action-names.ts';
import { Duration } from '../duration.tsx';
import { skipWords, stepState } from '../step-state.ts';
import { ActionStep } from './action-step.tsx';
import { DelayStep } from './delay-step.tsx';
import { PromptStep } from './prompt-step.tsx';
import classes from './run.module.css';
import type { RunStep } from './run-steps-of.ts';
import { stepElementId } from './step-element-id.ts';
import { StepIcon } from './step-icon.tsx';
import { stepWords } from './step-words.ts';

type Props = {
  runId: string;
  step: RunStep;
  nameOf: NameOfAction;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
};

/** One action of a run: how it stands in a line, what it did when opened. */
export function StepItem({ runId, step, nameOf, isOpen, onOpen }: Props) {
  const { action, summary } = step;
  const { locale } = useReader();
  const { name, what, vendor } = stepWords(action, { nameOf, locale });
  const note = vendor === undefined ? what : `${what} · ${vendor}`;
  const state = stepState(summary);
  const skipped = skipWords(summary);
  const contentId = useId();
  return (
    <li id={stepElementId(action.id)} className={classes.step}>
      <UnstyledButton
        className={classes.stepHead}
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={() => onOpen(!isOpen)}
      >
        <IconChevronRight size={16} data-open={isOpen || undefined} className={classes.chevron} aria-hidden />
        <span className={classes.kind}>
          <StepIcon kind={action.kind} />
        </span>
        <span className={classes.stepName}>
          <span className={classes.stepTitle}>{name}</span>
          <span className={classes.stepNote}>{skipped ?? note}</span>
        </span>
        <span className={classes.stepState}>
          <RunStatusBadge status={state} variant="plain" />
        </span>
        <span className={classes.stepTime}>
          {summary.time_started === null ? null : <Duration start={summary.time_started} end={summary.time_finished} />}
        </span>
      </UnstyledButton>
      {isOpen ? (
        <div id={contentId} className={classes.stepBody}>
          <StepBody runId={runId} step={step} />
        </div>
      ) : null}
    </li>
  );
}

function StepBody({ runId, step: { action, summary } }: Pick<Props, 'runId' | 'step'>) {
  switch (action.kind) {
    case 'action':
      return <ActionStep runId={runId} action={action} summary={summary} />;
    case 'prompt':
      return <PromptStep runId={runId} action={action} summary={summary} />;
    case 'delay':
      return <DelayStep action={action} summary={summary} />;
  }
}
