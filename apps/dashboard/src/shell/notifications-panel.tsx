import type { ReactElement } from 'react';
import { t } from '../language/translate.ts';
import classes from './notifications.module.css';
import { NotificationsList } from './notifications-list.tsx';
import { OpenedBeside } from './opened-beside.tsx';

/** The newest notifications beside the bell. */
export function NotificationsPanel({ target }: { target: ReactElement }) {
  return (
    <OpenedBeside
      target={target}
      title={t('Notifications')}
      popover={{ position: 'bottom-end', width: 400, className: classes.dropdown }}
      drawer={{
        size: '80%',
        padding: 0,
        classNames: { header: classes.drawerHeader ?? '', content: classes.drawer ?? '' },
      }}
    >
      {(close) => <NotificationsList onLeave={close} />}
    </OpenedBeside>
  );
}
