import { Button, NativeSelect } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { movingPeriods, periodNames, spanName } from '../../components/widgets/span-text.ts';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';

const RangeDialog = lazy(() =>
  import('../../components/widgets/range-dialog.tsx').then((module) => ({ default: module.RangeDialog })),
);

const CUSTOM = 'CUSTOM';

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void };

/** Which time a list shows. */
export function PeriodSelect({ span, onSpan }: Props) {
  const [choosing, setChoosing] = useState(false);
  const reader = useReader();
  const isCustom = span.period === CUSTOM;
  return (
    <>
      <NativeSelect
        aria-label={t('Period')}
        value={span.period}
        data={[
          ...movingPeriods.map((period) => ({ value: period, label: periodNames[period] })),
          { value: CUSTOM, label: isCustom ? spanName(span, reader) : t('Custom range…') },
        ]}
        onChange={({ currentTarget: { value } }) => {
          const period = movingPeriods.find((each) => each === value);
          if (period === undefined) setChoosing(true);
          else onSpan({ period });
        }}
      />
      {isCustom ? (
        <Button variant="default" onClick={() => setChoosing(true)}>
          {t('Change range')}
        </Button>
      ) : null}
      {choosing ? (
        <Suspense fallback={null}>
          <RangeDialog
            of={t('the list')}
            shown={span}
            onClose={() => setChoosing(false)}
            onSave={(range) => {
              setChoosing(false);
              onSpan({ period: CUSTOM, range });
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}
