import { Menu } from '@mantine/core';
import { IconCalendar, IconCheck } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';
import { movingPeriods, periodNames, spanName } from './span-text.ts';

type Props = {
  /** Undefined when there is more than one. */
  span: DashboardSpan | undefined;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

const check = <IconCheck size={16} aria-hidden />;

/** The periods, inside a menu. */
export function PeriodItems({ span, onSpan, onCustom }: Props) {
  const reader = useReader();
  return (
    <>
      {movingPeriods.map((period) => (
        <Menu.RadioItem
          key={period}
          value={period}
          checked={span?.period === period}
          checkIcon={check}
          closeMenuOnClick
          onChange={() => onSpan({ period })}
        >
          {periodNames[period]}
        </Menu.RadioItem>
      ))}
      {span?.period === 'CUSTOM' ? (
        <Menu.RadioItem value="CUSTOM" checked checkIcon={check} closeMenuOnClick>
          {spanName(span, reader)}
        </Menu.RadioItem>
      ) : null}
      <Menu.Item leftSection={<IconCalendar size={16} aria-hidden />} onClick={onCustom}>
        {t('Custom range…')}
      </Menu.Item>
    </>
  );
}
