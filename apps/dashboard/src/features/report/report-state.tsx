import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { numberFormat, useReader } from '../../ui/reader.ts';
import classes from './report.module.css';

/** State of a report: how far it is while it is made, and what is wrong with it afterwards. */
export function ReportState({ of }: { of: SearchReport }) {
  const words = useStateWords(of);
  return (
    <span className={classes.state}>
      <RunStatusBadge status={of.status} variant="plain" />
      {of.status === 'running' ? <Progress of={of} /> : null}
      {words === undefined ? null : (
        <span className={classes.stateWords} data-warn={of.status === 'success' || undefined} title={words}>
          {words}
        </span>
      )}
    </span>
  );
}

/** 0 to 1; undefined while nobody knows how much there is. */
function shareOf({ row_count: done, rows_expected: all }: SearchReport): number | undefined {
  return all === null || all === 0 ? undefined : Math.min(1, done / all);
}

function Progress({ of }: { of: SearchReport }) {
  const share = shareOf(of);
  if (share === undefined) return null;
  const percent = Math.round(share * 100);
  return (
    <span
      className={classes.progress}
      role="progressbar"
      aria-label={`${of.name}: events written`}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span className={classes.bar} style={{ transform: `scaleX(${share})` }} />
    </span>
  );
}

function useStateWords(of: SearchReport): string | undefined {
  const count = (value: number) => numberFormat(reader).format(value);
  const reader = useReader();
  if (of.status === 'error') return of.failure ?? undefined;
  if (of.status === 'running') {
    const so = count(of.row_count);
    return of.rows_expected === null ? `${so} events` : `${so} of ${count(of.rows_expected)} events`;
  }
  if (of.status === 'success' && of.cut_by !== null) return 'Older events left out';
  return undefined;
}
