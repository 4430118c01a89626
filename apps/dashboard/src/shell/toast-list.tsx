import { Button, Group } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { t } from '../language/translate.ts';
import { type Toast, toasts } from '../lib/toasts.ts';
import classes from './toast-list.module.css';

const ACTION_MS = 15_000;

/** Toasts at the corner; hands over those that came before it was loaded. */
export function ToastList() {
  useEffect(
    () =>
      toasts.drainTo(({ title, message, danger, action }) => {
        const id = randomId();
        notifications.show({
          id,
          title,
          message:
            action === undefined ? (
              message
            ) : (
              <Offer message={message} action={action} onRun={() => notifications.hide(id)} />
            ),
          // Reading, deciding and going there take longer than reading.
          ...(action === undefined ? {} : { autoClose: ACTION_MS }),
          color: danger === true ? 'red' : 'accent',
          withBorder: true,
          style: { background: 'var(--air-raised)', borderColor: 'var(--air-border)' },
          closeButtonProps: { 'aria-label': t('Dismiss') },
        });
      }, forget),
    [],
  );
  return <Notifications className={classes.root ?? ''} position="bottom-right" limit={4} autoClose={6000} />;
}

/** Also those that wait for a place among the others. */
function forget(): void {
  notifications.clean();
  notifications.cleanQueue();
}

function Offer({ message, action, onRun }: Required<Pick<Toast, 'message' | 'action'>> & { onRun: () => void }) {
  return (
    <Group gap="sm" justify="space-between" wrap="nowrap">
      <span>{message}</span>
      <Button
        variant="default"
        size="compact-sm"
        flex="none"
        onClick={() => {
          action.run();
          onRun();
        }}
      >
        {action.label}
      </Button>
    </Group>
  );
}
