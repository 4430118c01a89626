import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { RunStatus } from '@airdeck/contracts/statuses';
import { t } from '../../language/translate.ts';

type Outcome = Pick<RunActionSummary, 'status' | 'skip_reason' | 'time_started'>;

/** The wire says cancelled for what was left out, too; people want to know it never began. */
export function stepState({ status, skip_reason, time_started }: Outcome): RunStatus | 'skipped' {
  return status === 'cancelled' && skip_reason !== 'run_cancelled' && time_started === null ? 'skipped' : status;
}

/** Why an action did not happen; undefined for one that did or still may. */
export function skipWords(step: Outcome): string | undefined {
  if (step.status !== 'cancelled') return undefined;
  switch (step.skip_reason) {
    case 'condition':
      return t('Left out, because its condition was not met.');
    case 'dependency':
      return t('Left out, because nothing it depends on went through.');
    case 'run_failed':
      return t('Left out, because the run failed before it came to this.');
    case 'run_cancelled':
      return step.time_started === null
        ? t('Left out, because the run was cancelled.')
        : t('Stopped, because the run was cancelled.');
    default:
      return t('The run ended before it came to this.');
  }
}
