import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import classes from './figures.module.css';

type Props<T> = { query: UseQueryResult<T>; label: string; children: (report: T) => ReactNode };

/** A report that loads, fails and is tried again as one. */
export function FigureReport<T>({ query, label, children }: Props<T>) {
  if (query.data !== undefined) {
    return (
      <div className={classes.page} data-dimmed={query.isPlaceholderData || undefined}>
        {children(query.data)}
      </div>
    );
  }
  return query.isError ? (
    <Panel>
      <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
    </Panel>
  ) : (
    <Loading label={label}>
      <TableSkeleton rows={12} />
    </Loading>
  );
}

export type ReportFigure = { name: string; value: ReactNode; note?: ReactNode };

/** The figures one looks for first. */
export function ReportFigures({ figures }: { figures: readonly ReportFigure[] }) {
  return (
    <dl className={classes.figures}>
      {figures.map(({ name, value, note }) => (
        <div key={name} className={classes.figure}>
          <dt>{name}</dt>
          <dd className={classes.value}>{value}</dd>
          {note === undefined ? null : <dd className={classes.note}>{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
