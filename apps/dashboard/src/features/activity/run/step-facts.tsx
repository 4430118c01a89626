import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import type { ReactNode } from 'react';
import { Duration } from '../../../components/duration.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './run.module.css';

type Props = {
  action: Extract<PlaybookAction, { kind: 'action' }>;
  summary: RunActionSummary;
  /** Undefined before the first. */
  attempts: number | undefined;
};

/** One line of facts over input and output. */
export function StepFacts({ action, summary, attempts }: Props) {
  const allowed = action.retry?.max_attempts;
  return (
    <dl className={classes.stepFacts}>
      <Fact label="Action">
        <span className="air-mono">{action.action}</span>
      </Fact>
      {attempts === undefined ? null : (
        <Fact label="Attempts">{allowed === undefined ? attempts : `${attempts} of ${allowed}`}</Fact>
      )}
      {summary.time_started === null ? null : (
        <>
          <Fact label="Started">
            <RelativeTime time={summary.time_started} />
          </Fact>
          <Fact label="Duration">
            <Duration start={summary.time_started} end={summary.time_finished} />
          </Fact>
        </>
      )}
      {action.when === undefined ? null : (
        <Fact label="Only when">
          <span className="air-mono">{action.when}</span>
        </Fact>
      )}
      {action.on_error === 'continue' ? <Fact label="On error">The run goes on</Fact> : null}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
