import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { plural } from '../../language/plural.ts';
import { t, told } from '../../language/translate.ts';
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
      aria-label={t('{name}: events written', { name: of.name })}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span className={classes.bar} style={{ transform: `scaleX(${share})` }} />
    </span>
  );
}

function useStateWords(of: SearchReport): string | undefined {
  const reader = useReader();
  if (of.status === 'error') return of.failure === null ? undefined : told({ message: of.failure });
  if (of.status === 'running') {
    return of.rows_expected === null
      ? plural(of.row_count, '{count} event', '{count} events')
      : plural(of.rows_expected, '{done} of {count} event', '{done} of {count} events', {
          done: numberFormat(reader).format(of.row_count),
        });
  }
  if (of.status !== 'success' || of.cut_by === null) return undefined;
  return of.cut_by === 'plan' ? t('Older events beyond the plan') : t('Older events left out');
}
