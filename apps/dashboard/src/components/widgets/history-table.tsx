import { Count } from '../../ui/count.tsx';
import { useReader } from '../../ui/reader.ts';
import { type AlertBucket, bucketLength, bucketText } from './alert-buckets.ts';
import classes from './history-widget.module.css';

/** The numbers of the chart, newest first. */
export function HistoryTable({ history }: { history: readonly AlertBucket[] }) {
  const reader = useReader();
  const length = bucketLength(history);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.tableScroll} aria-label="Alert history as a table" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">High</th>
            <th scope="col">Medium</th>
            <th scope="col">Low</th>
            <th scope="col">All</th>
          </tr>
        </thead>
        <tbody>
          {history.toReversed().map(({ t, high, medium, low }) => (
            <tr key={t}>
              <th scope="row">{bucketText(t, length, reader)}</th>
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
