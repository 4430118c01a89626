import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { useOpenedAtOnce } from '../../ui/use-opened-at-once.ts';
import { PeriodItems } from './period-items.tsx';

type Props = {
  target: ReactElement;
  span: DashboardSpan | undefined;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

/** One period for all widgets. */
export function PageMenu({ target, ...period }: Props) {
  const { button, opened, setOpened } = useOpenedAtOnce(target);
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Period of all widgets')}</Menu.Label>
        <PeriodItems {...period} />
      </Menu.Dropdown>
    </Menu>
  );
}
