import { Count } from '../../ui/count.tsx';
import classes from './overview.module.css';
import type { OverviewTotals } from './overview-rows.ts';

type Figure = { label: string; value: number; note: string; alarming: boolean };

function figuresOf(totals: OverviewTotals): Figure[] {
  const { openCases, urgentCases, slaBreaches, connectorErrors, automationOff, tenants } = totals;
  return [
    {
      label: 'Open cases',
      value: openCases,
      note: urgentCases === 0 ? 'none critical or high' : `${urgentCases} critical or high`,
      alarming: urgentCases > 0,
    },
    { label: 'SLA breaches', value: slaBreaches, note: 'of open cases', alarming: slaBreaches > 0 },
    { label: 'Connectors failing', value: connectorErrors, note: 'in all tenants', alarming: connectorErrors > 0 },
    { label: 'Automation off', value: automationOff, note: `of ${tenants} tenants`, alarming: automationOff > 0 },
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
