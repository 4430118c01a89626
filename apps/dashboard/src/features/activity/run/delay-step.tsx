import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { skipWords } from '../../../components/flow/step-state.ts';
import { useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './run.module.css';

type Props = { action: Extract<PlaybookAction, { kind: 'delay' }>; summary: RunActionSummary };

/** A pause: how long, and until when while it lasts. */
export function DelayStep({ action, summary }: Props) {
  const { time_started, time_finished } = summary;
  const { locale } = useReader();
  const skipped = skipWords(summary);
  return (
    <p className={classes.words}>
      {skipped === undefined ? 'The run pauses here for' : 'The run would have paused here for'}{' '}
      {formatDuration(action.seconds, locale)}.
      {skipped === undefined && time_started !== null && time_finished === null ? (
        <>
          {' '}
          It goes on <RelativeTime time={endOf(time_started, action.seconds)} />.
        </>
      ) : null}
    </p>
  );
}

function endOf(start: string, seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString();
}
