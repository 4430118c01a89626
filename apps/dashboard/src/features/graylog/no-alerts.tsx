import { NoAlertsInSpan } from '../../components/widgets/no-alerts-in-span.tsx';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void };

export function NoAlerts(props: Props) {
  return (
    <NoAlertsInSpan {...props}>
      {t('Graylog raises an alert when messages meet an event definition that is switched on.')}
    </NoAlertsInSpan>
  );
}
