import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import { isActive } from '../../../queries/activity.ts';
import { RetryRun } from './run-again.tsx';

type Props = {
  run: PlaybookRun;
  summary: RunActionSummary;
  /** What people call the step. */
  name: string;
  errorCode: string | undefined;
};

/** On a step that failed, once nothing goes on any more. A try is simply done again. */
export function RetryFromHere({ run, summary, name, errorCode }: Props) {
  if (summary.status !== 'error' || isActive(run.summary) || run.summary.dry_run === true) return null;
  return (
    <div>
      <RetryRun run={run} from={{ id: summary.workflow_action_id, name, errorCode }} />
    </div>
  );
}
