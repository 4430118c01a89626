import { t } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import { useReader } from '../../ui/reader.ts';
import { type AlertBucket, bucketLength, bucketText } from './alert-buckets.ts';
import classes from './history-widget.module.css';

/** The numbers of the chart, newest first. */
export function HistoryTable({ history }: { history: readonly AlertBucket[] }) {
  const reader = useReader();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.tableScroll} aria-label={t('Alert history as a table')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            <th scope="col">{t('High')}</th>
            <th scope="col">{t('Medium')}</th>
            <th scope="col">{t('Low')}</th>
            <th scope="col">{t('All')}</th>
          </tr>
        </thead>
        <tbody>
          {history.toReversed().map(({ t: time, high, medium, low }, index) => (
            <tr key={time}>
              <th scope="row">{bucketText(time, bucketLength(history, history.length - 1 - index), reader)}</th>
              <Cell value={high} />
              <Cell value={medium} />
              <Cell value={low} />
              <Cell value={high + medium + low} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ value }: { value: number }) {
  return (
    <td className={value === 0 ? classes.zero : undefined}>
      <Count value={value} />
    </td>
  );
}
