import { Menu } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { movingPeriods, periodNames, spanName } from './span-text.ts';

type Props = {
  /** Undefined when there is more than one. */
  span: DashboardSpan | undefined;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

/** The periods, inside a menu. */
export function PeriodItems({ span, onSpan, onCustom }: Props) {
  return (
    <>
      {movingPeriods.map((period) => (
        <Menu.Item
          key={period}
          role="menuitemradio"
          aria-checked={span?.period === period}
          rightSection={span?.period === period ? <IconCheck size={16} aria-hidden /> : null}
          onClick={() => onSpan({ period })}
        >
          {periodNames[period]}
        </Menu.Item>
      ))}
      <Menu.Item
        role="menuitemradio"
        aria-checked={span?.period === 'CUSTOM'}
        rightSection={span?.period === 'CUSTOM' ? <IconCheck size={16} aria-hidden /> : null}
        onClick={onCustom}
      >
        {span?.period === 'CUSTOM' ? `Custom: ${spanName(span)}…` : 'Custom range…'}
      </Menu.Item>
    </>
  );
}
