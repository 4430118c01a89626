import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { IconAlertTriangle, IconBolt, IconRoute } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { tx } from '../../language/rich-text.ts';
import { known, t, told } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import { columnsFor } from '../../ui/data-table-columns.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './graylog.module.css';
import { NotificationBadge } from './notification-badge.tsx';
import { RepairButton } from './repair-button.tsx';
import { RuleSwitch } from './rule-switch.tsx';

const column = columnsFor<AutomationRule>();

export const ruleColumns = [
  column.accessor('name', {
    header: t('Automation'),
    meta: { width: '24%', phone: 'title' },
    cell: ({ row: { original } }) => <Name of={original} />,
  }),
  column.display({
    id: 'definition',
    header: t('When'),
    meta: { width: '20%' },
    cell: ({ row: { original } }) => (
      <Link className={classes.link} to="/graylog/event-definitions" search={{ action: original.event_definition.id }}>
        {original.event_definition.title}
      </Link>
    ),
  }),
  column.display({
    id: 'starts',
    header: t('Starts'),
    cell: ({ row: { original } }) => <Starts of={original} />,
  }),
  column.display({
    id: 'notification',
    header: t('In Graylog'),
    meta: { width: '200px' },
    cell: ({ row: { original } }) => <Notification of={original} />,
  }),
  column.accessor('last_triggered_at', {
    header: t('Last alert'),
    meta: { width: '136px' },
    cell: ({ row: { original } }) => <LastAlert of={original} />,
  }),
  column.accessor('enabled', {
    header: t('On##automation'),
    meta: { width: '64px' },
    cell: ({ row: { original } }) => <RuleSwitch rule={original} />,
  }),
];

function Name({ of: { id, name, problems } }: { of: AutomationRule }) {
  return (
    <span className={classes.alert}>
      <Link className={classes.name} to="/graylog/automation-settings/edit/$id" params={{ id }}>
        {name}
      </Link>
      {problems.map(({ response_name, code, ...problem }) => (
        <span key={`${response_name} ${code}`} className={classes.warning}>
          <IconAlertTriangle size={14} aria-hidden />
          {response_name}: {told(problem)}
        </span>
      ))}
    </span>
  );
}

function Starts({ of: { id, actions } }: { of: AutomationRule }) {
  return (
    <span className={classes.alert}>
      {actions.responses.map(({ name, response_type: type }) => {
        const Icon = type === 'action' ? IconBolt : IconRoute;
        return (
          <span key={name} className={classes.starts}>
            <Icon size={14} aria-label={type === 'action' ? t('Action') : t('Playbook')} />
            <Link
              className={classes.name}
              to="/graylog/automation-settings/edit/$id/$responseName"
              params={{ id, responseName: name }}
            >
              {name}
            </Link>
          </span>
        );
      })}
    </span>
  );
}

function Notification({ of }: { of: AutomationRule }) {
  const { notification, deleting } = of;
  return (
    <span className={classes.alert}>
      <NotificationBadge state={notification.state} deleting={deleting} />
      {notification.reason === null ? null : <span className={classes.message}>{known(notification.reason)}</span>}
      {notification.state === 'attached' || notification.state === 'working' ? null : (
        <span>
          <RepairButton rule={of} />
        </span>
      )}
    </span>
  );
}

function LastAlert({ of: { last_triggered_at: at, triggered_count: count } }: { of: AutomationRule }) {
  if (at === null) return <span className={classes.faint}>{t('None yet')}</span>;
  return (
    <span className={classes.alert}>
      <RelativeTime time={at} />
      <span className={classes.message}>{tx('{count} in all', { count: <Count value={count} /> })}</span>
    </span>
  );
}
