import { UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { OnDemand } from '../../ui/on-demand.tsx';
import { useReader } from '../../ui/reader.ts';
import { Tip } from '../../ui/tip.tsx';
import { shortSpanName, spanName } from './span-text.ts';
import classes from './widget.module.css';
import type { Widget } from './widgets.ts';

/** What every widget is given by the page. */
export type WidgetControls = {
  span: DashboardSpan;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
  /** Undefined at the ends of the list. */
  onEarlier: (() => void) | undefined;
  onLater: (() => void) | undefined;
};

type Props = {
  widget: Widget;
  controls: WidgetControls;
  /** Moves the widget. */
  handle: ReactNode;
  /** What the widget shows, for the tooltip. */
  definition: string;
  /** Beside the period. */
  aside?: ReactNode;
  children: ReactNode;
};

const loadMenu = () => import('./widget-menu.tsx').then((module) => module.WidgetMenu);

/** Surface of a widget: handle, title with its explanation, period, and the content. */
export function WidgetFrame({ widget, controls, handle, definition, aside, children }: Props) {
  const titleId = useId();
  const { name } = widget.data;
  const reader = useReader();
  const period = spanName(controls.span, reader);
  return (
    <section className={classes.root} aria-labelledby={titleId}>
      <div className={classes.head}>
        {handle}
        <h2 className={classes.title} id={titleId} title={name}>
          {name}
        </h2>
        <Tip label={definition} width={260}>
          <UnstyledButton className={classes.info} aria-label={`What ${name} means`}>
            <IconInfoCircle size={14} aria-hidden />
          </UnstyledButton>
        </Tip>
        <div className={classes.aside}>
          {aside}
          <OnDemand
            load={loadMenu}
            button={
              <UnstyledButton
                className={classes.period}
                aria-haspopup="menu"
                data-period-of={widget.id}
                aria-label={`${period}: period and place of ${name}`}
              >
                {shortSpanName(controls.span, reader)}
                <IconChevronDown size={14} aria-hidden />
              </UnstyledButton>
            }
            extra={controls}
          />
        </div>
      </div>
      {children}
    </section>
  );
}
