import { Button } from '@mantine/core';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoAlerts } from './no-alerts.tsx';

type Props = {
  loaded: number;
  total: number;
  span: DashboardSpan;
  filtered: boolean;
  onClear: () => void;
  onSpan: (span: DashboardSpan) => void;
};

/** Nothing to list: because of the search, the filter, or because there is nothing. */
export function NoTriggeredAlerts({ loaded, total, span, filtered, onClear, onSpan }: Props) {
  if (loaded === 0 && !filtered) return <NoAlerts span={span} onSpan={onSpan} />;
  return (
    <EmptyState
      title={t('No alert fits')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('Show all##alerts')}
        </Button>
      }
    >
      {loaded < total
        ? t('The search looks through the alerts that are loaded. Load older ones to look through those too.')
        : t('The search looks at title, message, source, key and fields of the alerts of this period.')}
    </EmptyState>
  );
}
