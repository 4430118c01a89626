import { HistoryFrame } from '../../components/widgets/history-frame.tsx';
import { WidgetFrame } from '../../components/widgets/widget-frame.tsx';
import type { WidgetProps } from '../../components/widgets/widget-page.tsx';
import type { WidgetType } from '../../components/widgets/widgets.ts';
import { t } from '../../language/translate.ts';
import { AlertCountWidget } from './alert-count-widget.tsx';
import { AlertHistoryWidget } from './alert-history-widget.tsx';
import { AlertTableWidget } from './alert-table-widget.tsx';
import { type alertWidgetTypes, priorityOfWidget } from './alert-widgets.ts';

const definitions: Readonly<Partial<Record<WidgetType, string>>> = {
  high_alerts: t("Alerts with priority 1: critical and high in Graylog's own words."),
  medium_alerts: t("Alerts with priority 2: medium or normal in Graylog's own words."),
  low_alerts: t("Alerts with priority 3: low and info in Graylog's own words."),
  triggered_alerts: t('The newest alerts of the period. Each opens with its fields.'),
  alert_history: t('Alerts over time, by priority.'),
} satisfies Record<(typeof alertWidgetTypes)[number], string>;

/** A widget of any type; each asks Graylog for itself, so one that fails or is slow leaves the others alone. */
export function AlertWidgetView({ controls, handle }: WidgetProps) {
  const { type, data } = controls.widget;
  const priority = priorityOfWidget[type];
  const { span, onSpan } = controls;
  const frame = { controls, handle, definition: definitions[type] ?? '' };
  if (priority !== undefined) {
    return (
      <WidgetFrame {...frame}>
        <AlertCountWidget priority={priority} name={data.name} span={span} />
      </WidgetFrame>
    );
  }
  if (type === 'triggered_alerts') {
    return (
      <WidgetFrame {...frame}>
        <AlertTableWidget span={span} onSpan={onSpan} />
      </WidgetFrame>
    );
  }
  return (
    <HistoryFrame {...frame}>{(view) => <AlertHistoryWidget span={span} onSpan={onSpan} view={view} />}</HistoryFrame>
  );
}
