import { Drawer, Popover } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { cloneElement, type ReactElement, useState } from 'react';
import { NARROW } from './breakpoint.ts';
import classes from './notifications.module.css';
import { NotificationsList } from './notifications-list.tsx';

/** The newest notifications beside the bell; a drawer on narrow screens. */
export function NotificationsPanel({ target }: { target: ReactElement }) {
  const [opened, setOpened] = useState(true);
  // Known at once, so that a phone does not flash the popover first.
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const button = cloneElement(target as ReactElement<{ onClick: () => void; 'aria-expanded': boolean }>, {
    'aria-expanded': opened,
    onClick: () => setOpened(!opened),
  });
  const list = <NotificationsList onLeave={() => setOpened(false)} />;
  if (narrow) {
    return (
      <>
        {button}
        <Drawer
          opened={opened}
          onClose={() => setOpened(false)}
          title="Notifications"
          position="bottom"
          size="80%"
          padding={0}
          closeButtonProps={{ 'aria-label': 'Close' }}
          classNames={{ header: classes.drawerHeader ?? '', content: classes.drawer ?? '' }}
        >
          {list}
        </Drawer>
      </>
    );
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={400} trapFocus returnFocus>
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown className={classes.dropdown} aria-label="Notifications">
        {list}
      </Popover.Dropdown>
    </Popover>
  );
}
