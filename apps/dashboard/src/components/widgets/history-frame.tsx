import { UnstyledButton } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { t } from '../../language/translate.ts';
import frameClasses from './widget.module.css';
import { WidgetFrame } from './widget-frame.tsx';
import type { WidgetProps } from './widget-page.tsx';

type View = 'chart' | 'table';
type Props = WidgetProps & { definition: string; children: (view: View) => ReactNode };

/** Of a widget that shows the same as a chart and as a table. */
export function HistoryFrame({ children, ...frame }: Props) {
  const [view, setView] = useState<View>('chart');
  const { name } = frame.controls.widget.data;
  const other = view === 'chart' ? 'table' : 'chart';
  const Icon = other === 'table' ? IconTable : IconChartBar;
  return (
    <WidgetFrame
      {...frame}
      aside={
        <UnstyledButton
          className={frameClasses.period}
          aria-label={other === 'table' ? t('Show as table: {name}', { name }) : t('Show as chart: {name}', { name })}
          onClick={() => setView(other)}
        >
          <Icon size={14} aria-hidden />
          {other === 'table' ? t('Show as table') : t('Show as chart')}
        </UnstyledButton>
      }
    >
      {children(view)}
    </WidgetFrame>
  );
}
