import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { useNavigate } from '@tanstack/react-router';
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
      title="Notification in Graylog"
      aside={
        notification.state === 'working' ? undefined : (
          <RepairButton
            rule={rule}
            {...(notification.state === 'attached' ? { label: 'Check' } : {})}
            onGone={() => void navigate({ to: '/graylog/automation-settings', ignoreBlocker: true })}
          />
        )
      }
    >
      <div className={classes.sections}>
        <div>
          <NotificationBadge state={notification.state} deleting={deleting} />
          {notification.reason === null ? null : <p className={classes.words}>{notification.reason}</p>}
        </div>
        <KeyFacts
          facts={[
            { label: 'Called', value: notification.title },
            { label: 'Graylog', value: connector ?? 'The connector was deleted' },
            {
              label: 'Checked',
              value: notification.checked_at === null ? 'Not yet' : <RelativeTime time={notification.checked_at} />,
            },
            {
              label: 'Last alert',
              value: rule.last_triggered_at === null ? 'None yet' : <RelativeTime time={rule.last_triggered_at} />,
            },
            { label: 'Alerts', value: `${rule.triggered_count}` },
          ]}
        />
      </div>
    </Panel>
  );
}
