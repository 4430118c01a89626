import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { useActionNames } from '../../../components/action-names.ts';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import classes from './run.module.css';
import type { RunSearch } from './run-search.ts';
import { runStepsOf } from './run-steps-of.ts';
import { StepItem } from './step-item.tsx';

type Props = {
  run: PlaybookRun;
  /** What the reader opened or closed, by action; of the rest, failures and questions are open. */
  opened: Readonly<Record<string, boolean>>;
  onOpen: (actionId: string, isOpen: boolean) => void;
  search: RunSearch;
};

/** Every action of a run in the playbook's order. */
export function RunSteps({ run, opened, onOpen, search }: Props) {
  const nameOf = useActionNames();
  const steps = runStepsOf(run);
  const done = steps.filter(({ summary }) => summary.status === 'success').length;
  return (
    <Panel
      title={t('Actions')}
      flush
      aside={<span className={classes.aside}>{t('{done} of {count} succeeded', { done, count: steps.length })}</span>}
    >
      <ol className={classes.steps}>
        {steps.map((step) => {
          const { workflow_action_id: id, status, prompt_id } = step.summary;
          // A question stays open once answered: it must not close under the reader's eyes, and the answer is the story.
          const opensItself = status === 'error' || prompt_id !== null;
          return (
            <StepItem
              key={id}
              run={run}
              step={step}
              nameOf={nameOf}
              link={prompt_id !== null && prompt_id === search.prompt ? search.answer : undefined}
              isOpen={opened[id] ?? opensItself}
              onOpen={(isOpen) => onOpen(id, isOpen)}
            />
          );
        })}
      </ol>
    </Panel>
  );
}
