import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { PeriodItems } from './period-items.tsx';

type Props = {
  target: ReactElement;
  span: DashboardSpan | undefined;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

/** One period for all widgets. */
export function PageMenu(props: Props) {
  return <PeriodMenu {...props} label={t('Period of all widgets')} />;
}

/** The period of one widget. */
export function SpanMenu(props: Props) {
  return <PeriodMenu {...props} label={t('Period')} />;
}

function PeriodMenu({ target, label, ...period }: Props & { label: string }) {
  return (
    <Menu defaultOpened position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{label}</Menu.Label>
        <PeriodItems {...period} />
      </Menu.Dropdown>
    </Menu>
  );
}
