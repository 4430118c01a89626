import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { skipWords } from '../../../components/flow/step-state.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { NotBegun } from './not-begun.tsx';
import classes from './run.module.css';

type Props = {
  run: PlaybookRun;
  action: Extract<PlaybookAction, { kind: 'delay' }>;
  summary: RunActionSummary;
  /** What people call the step. */
  name: string;
};

/** A pause: how long, and until when while it lasts. */
export function DelayStep({ run, action, summary, name }: Props) {
  const { time_started, time_finished } = summary;
  const { locale } = useReader();
  const skipped = skipWords(summary);
  if (summary.status === 'error')
    return <NotBegun run={run} summary={summary} name={name} words={t('The pause could not begin.')} />;
  return (
    <p className={classes.words}>
      {skipped === undefined ? t('The run pauses here for') : t('The run would have paused here for')}{' '}
      {formatDuration(action.seconds, locale)}.
      {skipped === undefined && time_started !== null && time_finished === null ? (
        <> {tx('It goes on {time}.', { time: <RelativeTime time={endOf(time_started, action.seconds)} /> })}</>
      ) : null}
    </p>
  );
}

function endOf(start: string, seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString();
}
