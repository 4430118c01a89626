import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { skipWords } from '../../../components/flow/step-state.ts';
import { AskedPrompt } from '../../../components/prompt/asked-prompt.tsx';
import { t } from '../../../language/translate.ts';
import { NotBegun } from './not-begun.tsx';
import classes from './run.module.css';

type Props = {
  run: PlaybookRun;
  action: Extract<PlaybookAction, { kind: 'prompt' }>;
  summary: RunActionSummary;
  /** What people call the step. */
  name: string;
  /** Signed answer of a notice's link. */
  link: string | undefined;
};

/** A question of a run: to be answered here, or how it was. */
export function PromptStep({ run, action, summary, name, link }: Props) {
  if (summary.prompt_id === null && summary.status === 'error')
    return <NotBegun run={run} summary={summary} name={name} words={t('The question could not be asked.')} />;
  if (summary.prompt_id === null) {
    return (
      <div className={classes.parts}>
        <p className={classes.words}>
          {skipWords(summary) === undefined ? t('Not asked yet. The run will ask:') : t('The run would have asked:')}
        </p>
        <p className={classes.question}>{action.message}</p>
      </div>
    );
  }
  const { workflow_uuid: runId, dry_run } = run.summary;
  return (
    <AskedPrompt
      which={{ runId, promptId: summary.prompt_id, status: summary.status, link }}
      dryRun={dry_run === true}
    />
  );
}
