import { NoAlertsInSpan } from '../../components/widgets/no-alerts-in-span.tsx';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void };

export function NoAlerts(props: Props) {
  return <NoAlertsInSpan {...props}>{t('Policies open cases when events match; they appear here.')}</NoAlertsInSpan>;
}
