import { Notifications, notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { toasts } from '../lib/toasts.ts';

/** Toasts at the corner; hands over those that came before it was loaded. */
export function ToastList() {
  useEffect(
    () =>
      toasts.drainTo(({ title, message, danger }) => {
        notifications.show({
          title,
          message,
          color: danger === true ? 'red' : 'accent',
          withBorder: true,
          style: { background: 'var(--air-raised)', borderColor: 'var(--air-border)' },
          closeButtonProps: { 'aria-label': 'Dismiss' },
        });
      }),
    [],
  );
  return <Notifications position="bottom-right" limit={4} autoClose={6000} />;
}
