import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useReader } from '../../ui/reader.ts';
import { movingPeriods, showPeriod, withinSpan } from './span-text.ts';

type Props = {
  span: DashboardSpan;
  onSpan: (span: DashboardSpan) => void;
  /** What alerts come from. */
  children: ReactNode;
};

/** Says why there is nothing, and offers to look further back. */
export function NoAlertsInSpan({ span, onSpan, children }: Props) {
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
      {children}
    </EmptyState>
  );
}
