import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { useNavigate } from '@tanstack/react-router';
import { known, t } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './graylog.module.css';
import { NotificationBadge } from './notification-badge.tsx';
import { RepairButton } from './repair-button.tsx';

/** How the notification stands in Graylog, and setting it right. */
export function NotificationPanel({ rule }: { rule: AutomationRule }) {
  const navigate = useNavigate();
  const { notification, connector_name: connector, deleting } = rule;
  return (
    <Panel
      title={t('Notification in Graylog')}
      aside={
        notification.state === 'working' ? undefined : (
          <RepairButton
            rule={rule}
            {...(notification.state === 'attached' ? { label: t('Check') } : {})}
            onGone={() => void navigate({ to: '/graylog/automation-settings', ignoreBlocker: true })}
          />
        )
      }
    >
      <div className={classes.sections}>
        <div>
          <NotificationBadge state={notification.state} deleting={deleting} />
          {notification.reason === null ? null : <p className={classes.words}>{known(notification.reason)}</p>}
        </div>
        <KeyFacts
          facts={[
            { label: t('Called##notification'), value: notification.title },
            { label: t('Graylog'), value: connector ?? t('The connector was deleted') },
            {
              label: t('Checked##notification'),
              value: notification.checked_at === null ? t('Not yet') : <RelativeTime time={notification.checked_at} />,
            },
            {
              label: t('Last alert'),
              value: rule.last_triggered_at === null ? t('None yet') : <RelativeTime time={rule.last_triggered_at} />,
            },
            { label: t('Alerts'), value: <Count value={rule.triggered_count} /> },
          ]}
        />
      </div>
    </Panel>
  );
}
