import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { Person } from '../../../components/person.tsx';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { isActive } from '../../../queries/activity.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Duration } from '../duration.tsx';
import { triggerWords } from '../trigger-words.ts';
import { CancelRun } from './cancel-run.tsx';
import { CaseLink } from './case-link.tsx';
import classes from './run.module.css';

/** Name and state of a run, who started it and when, and the way to stop it. */
export function RunHeader({ run: { summary } }: { run: PlaybookRun }) {
  const { trigger_info: trigger } = summary;
  return (
    <PageHeader
      title={summary.workflow_name}
      state={<RunStatusBadge status={summary.status} />}
      purpose={
        <span className={classes.line}>
          <Person username={trigger.username} />
          <span>{triggerWords(trigger).toLowerCase()}</span>
          <span>
            started <RelativeTime time={summary.time_created} />
          </span>
          <span>
            {summary.time_finished === null ? 'so far' : 'took'}{' '}
            <Duration start={summary.time_created} end={summary.time_finished} />
          </span>
          {trigger.case_id === null ? null : <CaseLink id={trigger.case_id} />}
        </span>
      }
      actions={isActive(summary) ? <CancelRun run={summary} /> : undefined}
    />
  );
}
