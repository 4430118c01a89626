import { SeverityBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import type { AlertPriority } from '../../queries/graylog-answers.ts';
import classes from './graylog.module.css';
import { severityOfPriority } from './priority.ts';

type Props = { priority: AlertPriority | null; variant?: 'framed' | 'plain' };

/** Priority of an alert as icon and word. */
export function PriorityBadge({ priority, variant = 'plain' }: Props) {
  if (priority === null) return <span className={classes.faint}>{t('None##priority')}</span>;
  return <SeverityBadge severity={severityOfPriority[priority]} variant={variant} />;
}
