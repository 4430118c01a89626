import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { minutesSavedBy } from '@airdeck/contracts/cases/figures';
import { formatDuration } from '@airdeck/domain/duration';
import { Link } from '@tanstack/react-router';
import { Panel } from '../../ui/panel.tsx';
import { useReader } from '../../ui/reader.ts';
import classes from './air-overview.module.css';
import { CasesCount } from './cases-link.tsx';
import { Hint } from './hint.tsx';
import { ShareBar } from './share-bar.tsx';

const rows = [
  { figure: 'answered', term: 'Answered by automation', color: 'var(--air-success)' },
  { figure: 'answering', term: 'Being answered', color: 'var(--air-active)' },
  { figure: 'answer_failed', term: 'No response succeeded', color: 'var(--air-critical)' },
  { figure: 'unanswered', term: 'Nothing was started', color: 'var(--air-border)' },
] as const;

/** What automation came to in the cases of the period, and what that spared people. */
export function AutomationPanel({ overview }: { overview: AirOverview }) {
  const { locale } = useReader();
  const { period, start_time: startTime, end_time: endTime } = overview;
  const { answered, answer_failed: failed, cases, time_saved_minutes: saved } = period;
  const tried = answered + failed;
  return (
    <Panel
      title="Automation"
      aside={
        <Link className={`${classes.link} ${classes.asideLink}`} to="/air/automation-settings">
          Automation settings
        </Link>
      }
    >
      {cases === 0 ? (
        <p className={classes.nothing}>No case opened in this period.</p>
      ) : (
        <>
          <div className={classes.figures}>
            <Figure
              name="Automation rate"
              value={percent(answered, cases)}
              hint="Share of the cases opened in the period in which an automated response succeeded."
            />
            <Figure
              name="Success rate"
              value={tried === 0 ? '–' : percent(answered, tried)}
              hint="Of the cases whose automated responses have ended: share in which one succeeded."
            />
            <Figure
              name="Time saved"
              value={saved === 0 ? '–' : formatDuration(saved * 60, locale)}
              hint={`An estimate: ${minutesSavedBy.playbook} minutes for each playbook and ${minutesSavedBy.action} for each action that succeeded in these cases.`}
            />
          </div>
          <ShareBar
            label={`${answered} of ${cases} cases were answered by automation`}
            parts={rows.map(({ figure, color }) => ({ id: figure, value: period[figure], color }))}
          />
          <dl className={classes.facts}>
            {rows.map(({ figure, term, color }) => (
              <div key={figure} className={classes.fact}>
                <dt>
                  <span className={classes.dot} style={{ background: color }} aria-hidden />
                  {term}
                </dt>
                <dd>
                  <CasesCount
                    value={period[figure]}
                    behind={{ startTime, endTime, figure }}
                    label={`cases: ${term.toLowerCase()}`}
                  />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Panel>
  );
}

function Figure({ name, value, hint }: { name: string; value: string; hint: string }) {
  return (
    <div>
      <div className={classes.tileName}>
        {name}
        <Hint text={hint} />
      </div>
      <div className={classes.middle}>{value}</div>
    </div>
  );
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}
