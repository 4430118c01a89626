import { HistoryFrame } from '../../components/widgets/history-frame.tsx';
import { WidgetFrame } from '../../components/widgets/widget-frame.tsx';
import type { WidgetProps } from '../../components/widgets/widget-page.tsx';
import { t } from '../../language/translate.ts';
import { AlertsWidget } from './alerts-widget.tsx';
import { HistoryWidget } from './history-widget.tsx';
import { numberFigures } from './number-figures.ts';
import { NumberWidget } from './number-widget.tsx';

/** A widget of any type. */
export function HomeWidget(props: WidgetProps) {
  const { widget, span, onSpan } = props.controls;
  const { type, data } = widget;
  if (type === 'alert_history') {
    return (
      <HistoryFrame {...props} definition={t('Cases opened over time, by priority: critical and high count as high.')}>
        {(view) => <HistoryWidget span={span} onSpan={onSpan} view={view} />}
      </HistoryFrame>
    );
  }
  if (type === 'triggered_alerts') {
    return (
      <WidgetFrame {...props} definition={t('Cases opened in the period, newest first. Each opens its case.')}>
        <AlertsWidget span={span} onSpan={onSpan} />
      </WidgetFrame>
    );
  }
  return (
    <WidgetFrame {...props} definition={numberFigures[type].definition}>
      <NumberWidget type={type} name={data.name} span={span} />
    </WidgetFrame>
  );
}
