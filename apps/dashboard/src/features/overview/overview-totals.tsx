import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import classes from './overview.module.css';
import type { OverviewTotals } from './overview-rows.ts';

type Figure = { label: string; value: number; note: string; alarming: boolean };

function figuresOf(totals: OverviewTotals): Figure[] {
  const { openCases, urgentCases, slaBreaches, connectorErrors, automationOff, tenants } = totals;
  return [
    {
      label: t('Open cases##state'),
      value: openCases,
      note:
        urgentCases === 0
          ? t('none critical or high')
          : plural(urgentCases, '{count} critical or high', '{count} critical or high##several'),
      alarming: urgentCases > 0,
    },
    { label: t('SLA breaches'), value: slaBreaches, note: t('of open cases'), alarming: slaBreaches > 0 },
    {
      label: t('Connectors failing'),
      value: connectorErrors,
      note: t('in all tenants'),
      alarming: connectorErrors > 0,
    },
    {
      label: t('Automation off'),
      value: automationOff,
      note: plural(tenants, 'of {count} tenant', 'of {count} tenants'),
      alarming: automationOff > 0,
    },
  ];
}

/** What all tenants add up to. */
export function OverviewTotalsStrip({ totals }: { totals: OverviewTotals }) {
  return (
    <dl className={classes.totals}>
      {figuresOf(totals).map(({ label, value, note, alarming }) => (
        <div key={label} className={classes.total}>
          <dt>{label}</dt>
          <dd>
            <span className={classes.figure} data-alarming={alarming || undefined}>
              <Count value={value} />
            </span>
            <span className={classes.note}>{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
