import { Menu } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import type { ReactElement } from 'react';
import { PeriodItems } from '../../components/widgets/period-items.tsx';
import type { WidgetControls } from './widget-frame.tsx';

/** Period of a widget, and its place for those who do not drag. */
export function WidgetMenu({ target, onEarlier, onLater, ...period }: { target: ReactElement } & WidgetControls) {
  return (
    <Menu defaultOpened position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Period</Menu.Label>
        <PeriodItems {...period} />
        <Menu.Divider />
        <Menu.Label>Place</Menu.Label>
        <Menu.Item
          leftSection={<IconArrowUp size={16} aria-hidden />}
          disabled={onEarlier === undefined}
          onClick={onEarlier}
        >
          Move earlier
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={16} aria-hidden />}
          disabled={onLater === undefined}
          onClick={onLater}
        >
          Move later
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
