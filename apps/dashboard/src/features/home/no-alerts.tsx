import { Button } from '@mantine/core';
import { movingPeriods, showPeriod, withinSpan } from '../../components/widgets/span-text.ts';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useReader } from '../../ui/reader.ts';

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void };

/** Says why there is nothing, and offers to look further back. */
export function NoAlerts({ span, onSpan }: Props) {
  const reader = useReader();
  const next = span.period === 'CUSTOM' ? 'LAST_30_DAYS' : movingPeriods[movingPeriods.indexOf(span.period) + 1];
  return (
    <EmptyState
      title={t('No alerts {span}', { span: withinSpan(span, reader) })}
      action={
        next === undefined ? undefined : (
          <Button variant="default" onClick={() => onSpan({ period: next })}>
            {showPeriod(next)}
          </Button>
        )
      }
    >
      {t('Policies open cases when events match; they appear here.')}
    </EmptyState>
  );
}
