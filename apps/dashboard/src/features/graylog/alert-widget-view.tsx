import { UnstyledButton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { useState } from 'react';
import { Frame } from '../../components/widgets/frame.tsx';
import frameClasses from '../../components/widgets/widget.module.css';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { AlertCountWidget } from './alert-count-widget.tsx';
import { AlertHistoryWidget } from './alert-history-widget.tsx';
import { AlertTableWidget } from './alert-table-widget.tsx';
import { type AlertWidget, type AlertWidgetType, priorityOfWidget } from './alert-widgets.ts';

export type AlertWidgetControls = {
  span: DashboardSpan;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

type Props = { widget: AlertWidget; controls: AlertWidgetControls };

const loadMenu = () => import('../../components/widgets/page-menu.tsx').then((module) => module.SpanMenu);

const definitions: Readonly<Record<AlertWidgetType, string>> = {
  high_alerts: t("Alerts with priority 1: critical and high in Graylog's own words."),
  medium_alerts: t("Alerts with priority 2: medium or normal in Graylog's own words."),
  low_alerts: t("Alerts with priority 3: low and info in Graylog's own words."),
  triggered_alerts: t('The newest alerts of the period. Each opens with its fields.'),
  alert_history: t('Alerts over time, by priority.'),
};

/** A widget of any type; each asks Graylog for itself, so one that fails or is slow leaves the others alone. */
export function AlertWidgetView({ widget, controls }: Props) {
  const { id, type, data } = widget;
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const priority = priorityOfWidget[type];
  const { span, onSpan } = controls;
  const frame = { id, name: data.name, definition: definitions[type], loadMenu, controls };
  if (priority !== undefined) {
    return (
      <Frame {...frame}>
        <AlertCountWidget priority={priority} name={data.name} span={span} />
      </Frame>
    );
  }
  if (type === 'triggered_alerts') {
    return (
      <Frame {...frame}>
        <AlertTableWidget span={span} onSpan={onSpan} />
      </Frame>
    );
  }
  const other = view === 'chart' ? 'table' : 'chart';
  const Icon = other === 'table' ? IconTable : IconChartBar;
  return (
    <Frame
      {...frame}
      aside={
        <UnstyledButton
          className={frameClasses.period}
          aria-label={
            other === 'table'
              ? t('Show as table: {name}', { name: data.name })
              : t('Show as chart: {name}', { name: data.name })
          }
          onClick={() => setView(other)}
        >
          <Icon size={14} aria-hidden />
          {other === 'table' ? t('Show as table') : t('Show as chart')}
        </UnstyledButton>
      }
    >
      <AlertHistoryWidget span={span} onSpan={onSpan} view={view} />
    </Frame>
  );
}
