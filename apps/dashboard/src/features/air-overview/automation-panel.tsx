import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { minutesSavedBy } from '@airdeck/contracts/cases/figures';
import { formatDuration } from '@airdeck/domain/duration';
import { Link } from '@tanstack/react-router';
import { SeriesMark } from '../../components/widgets/series-mark.tsx';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import { useReader } from '../../ui/reader.ts';
import classes from './air-overview.module.css';
import { type CasesBehind, CasesCount, CasesLink } from './cases-link.tsx';
import { Hint } from './hint.tsx';
import { ShareBar } from './share-bar.tsx';

/** What came of the cases of the period, in the order of their parts in the bar. */
export const answerParts = [
  {
    figure: 'answered',
    term: t('Answered by automation'),
    color: 'var(--air-chart-good)',
    label: (count: number) =>
      plural(count, '{count} case: answered by automation', '{count} cases: answered by automation'),
  },
  {
    figure: 'answering',
    term: t('Being answered'),
    color: 'var(--air-chart-doing)',
    label: (count: number) => plural(count, '{count} case: being answered', '{count} cases: being answered'),
  },
  {
    figure: 'answer_failed',
    term: t('Automation changed nothing'),
    color: 'var(--air-chart-bad)',
    label: (count: number) =>
      plural(count, '{count} case: automation changed nothing', '{count} cases: automation changed nothing'),
  },
  {
    figure: 'unanswered',
    term: t('Nothing was started'),
    color: 'var(--air-border)',
    label: (count: number) => plural(count, '{count} case: nothing was started', '{count} cases: nothing was started'),
  },
] as const;

/** What automation came to in the cases of the period, and what that spared people. */
export function AutomationPanel({ overview }: { overview: AirOverview }) {
  const { locale } = useReader();
  const { period, start_time: startTime, end_time: endTime } = overview;
  const { answered, answer_failed: failed, cases, time_saved_minutes: saved } = period;
  const tried = answered + failed;
  const within = { startTime, endTime };
  return (
    <Panel
      title={t('Automation')}
      aside={
        <Link className={`${classes.link} ${classes.asideLink}`} to="/air/automation-settings">
          {t('Automation settings')}
        </Link>
      }
    >
      {cases === 0 ? (
        <p className={classes.nothing}>{t('No case opened in this period.')}</p>
      ) : (
        <>
          <div className={classes.figures}>
            <Figure
              name={t('Automation rate')}
              value={percent(answered, cases)}
              behind={answered === 0 ? undefined : { ...within, figure: 'answered' }}
              hint={t(
                'Share of the cases opened in the period in which automation changed something, such as blocking an address. Looking something up is no answer.',
              )}
            />
            <Figure
              name={t('Success rate')}
              value={tried === 0 ? '–' : percent(answered, tried)}
              behind={tried === 0 ? undefined : { ...within, figure: 'ended' }}
              hint={t('Of the cases in which automation has ended: share in which it changed something.')}
            />
            <Figure
              name={t('Time saved')}
              value={saved === 0 ? '–' : formatDuration(saved * 60, locale)}
              behind={saved === 0 ? undefined : { ...within, figure: 'answered' }}
              hint={t(
                'An estimate: {playbook} minutes for each playbook and {action} for each action that succeeded in these cases.',
                { playbook: minutesSavedBy.playbook, action: minutesSavedBy.action },
              )}
            />
          </div>
          <ShareBar
            label={plural(
              cases,
              '{answered} of {count} case was answered by automation',
              '{answered} of {count} cases were answered by automation',
              { answered },
            )}
            parts={answerParts.map(({ figure, color }) => ({ id: figure, value: period[figure], color }))}
          />
          <dl className={classes.facts}>
            {answerParts.map(({ figure, term, color, label }) => (
              <div key={figure} className={classes.fact}>
                <dt>
                  <SeriesMark color={color} />
                  {term}
                </dt>
                <dd>
                  <CasesCount value={period[figure]} behind={{ ...within, figure }} label={label} />
                </dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Panel>
  );
}

type FigureProps = { name: string; value: string; behind: CasesBehind | undefined; hint: string };

function Figure({ name, value, behind, hint }: FigureProps) {
  return (
    <div>
      <div className={classes.tileName}>
        {name}
        <Hint text={hint} />
      </div>
      {behind === undefined ? (
        <div className={classes.middle}>{value}</div>
      ) : (
        <CasesLink
          className={`${classes.plain} ${classes.middle}`}
          behind={behind}
          label={t('{name}: {value}, show its cases', { name, value })}
        >
          {value}
        </CasesLink>
      )}
    </div>
  );
}

function percent(part: number, whole: number): string {
  return t('{percent} %', { percent: Math.round((100 * part) / whole) });
}
