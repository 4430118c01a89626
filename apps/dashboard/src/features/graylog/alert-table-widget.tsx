import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Updated } from '../../components/updated.tsx';
import { ListSkeleton } from '../../components/widgets/list-skeleton.tsx';
import listClasses from '../../components/widgets/list-widget.module.css';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { ALERTS_LIMIT, graylogQueries } from '../../queries/graylog.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useReader } from '../../ui/reader.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';
import { shortAlertColumns } from './alert-columns.tsx';
import { searchOfSpan } from './graylog-search.ts';
import { NoAlerts } from './no-alerts.tsx';

/** The rows stack there, and all of them would push the other widgets off the page. */
const PHONE_ROWS = 5;

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void };

/** The newest alerts of a period; each opens with its fields. */
export function AlertTableWidget({ span, onSpan }: Props) {
  const navigate = useNavigate();
  const { timeZone } = useReader();
  const onPhone = useIsPhone();
  const { data, error, isFetching, isPlaceholderData, refetch, dataUpdatedAt } = useQuery({
    ...graylogQueries.newest(useTenantApi(), { read: { span, timeZone }, limit: ALERTS_LIMIT }),
    placeholderData: keepPreviousData,
  });
  if (data === undefined) {
    if (error === null) return <ListSkeleton label={t('Loading triggered alerts')} />;
    return (
      <div className={listClasses.center}>
        <ErrorState error={error} retrying={isFetching} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data.alerts.length === 0) {
    return (
      <div className={listClasses.center}>
        <NoAlerts span={span} onSpan={onSpan} />
      </div>
    );
  }
  const search = searchOfSpan(span);
  const rows = data.alerts.slice(0, onPhone ? PHONE_ROWS : undefined);
  return (
    <div className={listClasses.content} data-dimmed={isPlaceholderData || undefined}>
      <DataTable
        label={t('Newest alerts')}
        columns={shortAlertColumns}
        rows={rows}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/graylog/triggered-alerts', search: { ...search, alert: id } })}
        empty={null}
        footer={
          <>
            <span>
              {rows.length < data.total
                ? plural(data.total, 'Newest {shown} of {count} alert', 'Newest {shown} of {count} alerts', {
                    shown: rows.length,
                  })
                : plural(data.total, '{count} alert', '{count} alerts')}
              <Updated at={dataUpdatedAt} />
            </span>
            <Link to="/graylog/triggered-alerts" search={search}>
              {t('Show all alerts')}
            </Link>
          </>
        }
      />
    </div>
  );
}
