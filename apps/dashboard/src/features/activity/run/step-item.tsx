import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { NameOfAction } from '../../../components/action-names.ts';
import { Duration } from '../../../components/duration.tsx';
import { StepIcon } from '../../../components/flow/step-icon.tsx';
import { skipWords, stepState } from '../../../components/flow/step-state.ts';
import { stepWords } from '../../../components/flow/step-words.ts';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { runStatusLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { useReader } from '../../../ui/reader.ts';
import { useNow } from '../../../ui/use-now.ts';
import { ActionStep } from './action-step.tsx';
import { DelayStep } from './delay-step.tsx';
import { itemsWords } from './items-words.ts';
import { PlaybookStep } from './playbook-step.tsx';
import { PromptStep } from './prompt-step.tsx';
import classes from './run.module.css';
import type { RunStep } from './run-steps-of.ts';
import { stepElementId } from './step-element-id.ts';
import { spanOf } from './step-span.ts';

type Props = {
  run: PlaybookRun;
  step: RunStep;
  nameOf: NameOfAction;
  /** Signed answer of a notice's link, for the question it is about. */
  link: string | undefined;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
};

/** One action of a run: how it stands in a line, what it did when opened. */
export function StepItem({ run, step, nameOf, link, isOpen, onOpen }: Props) {
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
          <span className={classes.stepNote}>{skipped ?? progressNote(summary) ?? note}</span>
        </span>
        <span className={classes.stepState}>
          <RunStatusBadge status={state} variant="plain" />
        </span>
        <span className={classes.stepTime}>
          {summary.time_started === null ? null : <Duration start={summary.time_started} end={summary.time_finished} />}
        </span>
        <StepSpan run={run} step={step} />
      </UnstyledButton>
      {isOpen ? (
        <div id={contentId} className={classes.stepBody}>
          <StepBody run={run} step={step} name={name} link={link} />
        </div>
      ) : null}
    </li>
  );
}

/** When it ran within the run, for the eye: how long it took stands beside its state. */
function StepSpan({ run, step: { summary } }: Pick<Props, 'run' | 'step'>) {
  const span = spanOf(summary, run.summary, useNow());
  if (span === undefined) return null;
  const background = runStatusLooks[stepState(summary)].color;
  // A moment of a long run is still to be seen, also at its very end.
  const left = `min(${span.left}%, calc(100% - 4px))`;
  return (
    <span className={classes.span} aria-hidden>
      <span style={{ left, width: `${span.width}%`, background }} />
    </span>
  );
}

/** What tells more than the kind of step: how far it is with its list, that it was taken over or left out of a try. */
function progressNote({ items, reused, not_called }: RunStep['summary']): string | undefined {
  const progress = itemsWords(items);
  const taken = reused === true ? t('Taken over from the run this one retries') : undefined;
  const left = not_called === true ? t('Not called, as this is a try') : undefined;
  const words = [progress, taken, left].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(' · ');
}

type BodyProps = Pick<Props, 'run' | 'step' | 'link'> & { name: string };

function StepBody({ run, step: { action, summary }, name, link }: BodyProps) {
  switch (action.kind) {
    case 'action':
      return <ActionStep run={run} action={action} summary={summary} name={name} />;
    case 'prompt':
      return <PromptStep run={run} action={action} summary={summary} name={name} link={link} />;
    case 'delay':
      return <DelayStep run={run} action={action} summary={summary} name={name} />;
    case 'playbook':
      return <PlaybookStep run={run} action={action} summary={summary} name={name} />;
  }
}
