import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import type { ReactNode } from 'react';
import { Duration } from '../../../components/duration.tsx';
import { t } from '../../../language/translate.ts';
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
      <Fact label={t('Action')}>
        <span className="air-mono">{action.action}</span>
      </Fact>
      {attempts === undefined ? null : (
        <Fact label={t('Attempts')}>
          {allowed === undefined ? attempts : t('{attempts} of {allowed}', { attempts, allowed })}
        </Fact>
      )}
      {summary.time_started === null ? null : (
        <>
          <Fact label={t('Started')}>
            <RelativeTime time={summary.time_started} />
          </Fact>
          <Fact label={t('Duration')}>
            <Duration start={summary.time_started} end={summary.time_finished} />
          </Fact>
        </>
      )}
      {action.when === undefined ? null : (
        <Fact label={t('Only when')}>
          <span className="air-mono">{action.when}</span>
        </Fact>
      )}
      {action.on_error === 'continue' ? <Fact label={t('On error')}>{t('The run goes on')}</Fact> : null}
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
