import { UnstyledButton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import frameClasses from '../../components/widgets/widget.module.css';
import { type WidgetControls, WidgetFrame } from '../../components/widgets/widget-frame.tsx';
import { t } from '../../language/translate.ts';
import { AlertsWidget } from './alerts-widget.tsx';
import { HistoryWidget } from './history-widget.tsx';
import { numberFigures } from './number-figures.ts';
import { NumberWidget } from './number-widget.tsx';

type Props = { controls: WidgetControls; handle: ReactNode };

/** A widget of any type. */
export function HomeWidget(props: Props) {
  const { widget, span, onSpan } = props.controls;
  const { type, data } = widget;
  if (type === 'alert_history') return <AlertHistory {...props} />;
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

function AlertHistory(props: Props) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { widget, span, onSpan } = props.controls;
  const other = view === 'chart' ? 'table' : 'chart';
  const Icon = other === 'table' ? IconTable : IconChartBar;
  return (
    <WidgetFrame
      {...props}
      definition={t('Cases opened over time, by priority: critical and high count as high.')}
      aside={
        <UnstyledButton
          className={frameClasses.period}
          aria-label={
            other === 'table'
              ? t('Show as table: {name}', { name: widget.data.name })
              : t('Show as chart: {name}', { name: widget.data.name })
          }
          onClick={() => setView(other)}
        >
          <Icon size={14} aria-hidden />
          {other === 'table' ? t('Show as table') : t('Show as chart')}
        </UnstyledButton>
      }
    >
      <HistoryWidget span={span} onSpan={onSpan} view={view} />
    </WidgetFrame>
  );
}
