import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../language/translate.ts';
import { notificationQueries } from '../queries/notifications.ts';
import { useTenantApi } from '../session/app-context.ts';
import { OnDemand } from '../ui/on-demand.tsx';
import classes from './notifications.module.css';

const loadPanel = () => import('./notifications-panel.tsx').then((module) => module.NotificationsPanel);
const nothing = {};
const SHOWN_MAX = 99;

/** How many notifications are unread in this tenant, and the way to them. The stream keeps it up to date. */
export function NotificationsBell() {
  const unread = useQuery(notificationQueries.newest(useTenantApi())).data?.unread ?? 0;
  return (
    <OnDemand
      load={loadPanel}
      extra={nothing}
      button={
        <ActionIcon
          className={classes.bell}
          aria-label={unread === 0 ? t('Notifications') : t('Notifications, {unread} unread', { unread })}
          aria-haspopup="dialog"
        >
          <IconBell size={18} />
          {unread === 0 ? null : (
            <span className={classes.count} aria-hidden="true">
              {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
            </span>
          )}
        </ActionIcon>
      }
    />
  );
}
