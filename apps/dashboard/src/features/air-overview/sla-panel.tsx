import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './air-overview.module.css';
import { CasesCount } from './cases-link.tsx';
import { Hint } from './hint.tsx';
import { ShareBar } from './share-bar.tsx';

/** Parts of the bar, in their order. */
export const slaParts = [
  { id: 'in_time', color: 'var(--air-chart-good)' },
  { id: 'late', color: 'var(--air-chart-bad)' },
] as const;

/** How open cases stand to the times they should be acknowledged and closed by. */
export function SlaPanel({ overview: { sla } }: { overview: AirOverview }) {
  const open = sla.in_time + sla.late;
  return (
    <Panel
      title={t('Service levels')}
      aside={
        <Hint
          text={t(
            'Of the cases that are not closed: whether they were acknowledged in time, and whether the time to close them has passed. The clock stands still while a case waits on the customer.',
          )}
        />
      }
    >
      {open === 0 ? (
        <p className={classes.nothing}>{t('No case is open.')}</p>
      ) : (
        <>
          <ShareBar
            label={plural(
              open,
              '{in_time} of {count} open case is in time',
              '{in_time} of {count} open cases are in time',
              { in_time: sla.in_time },
            )}
            parts={slaParts.map((part) => ({ ...part, value: sla[part.id] }))}
          />
          <dl className={classes.facts}>
            <Row
              term={t('In time')}
              value={sla.in_time}
              figure="in_time"
              label={(count) => plural(count, '{count} open case in time', '{count} open cases in time')}
            />
            <Row
              term={t('Late')}
              value={sla.late}
              figure="late"
              label={(count) => plural(count, '{count} late case', '{count} late cases')}
            />
            <Row
              term={t('Not acknowledged in time')}
              value={sla.late_response}
              figure="late_response"
              label={(count) => plural(count, '{count} case acknowledged late', '{count} cases acknowledged late')}
              inner
            />
            <Row
              term={t('Not closed in time')}
              value={sla.late_resolution}
              figure="late_resolution"
              label={(count) =>
                plural(count, '{count} case past the time to close', '{count} cases past the time to close')
              }
              inner
            />
          </dl>
        </>
      )}
    </Panel>
  );
}

type RowProps = {
  term: string;
  value: number;
  figure: 'in_time' | 'late' | 'late_response' | 'late_resolution';
  label: (count: number) => string;
  inner?: boolean;
};

function Row({ term, value, figure, label, inner = false }: RowProps) {
  return (
    <div className={classes.fact} data-inner={inner || undefined}>
      <dt>{term}</dt>
      <dd>
        <CasesCount value={value} behind={{ figure }} label={label} />
      </dd>
    </div>
  );
}
