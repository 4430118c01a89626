import type { ReactNode } from 'react';
import { Frame } from '../../components/widgets/frame.tsx';
import type { DashboardSpan } from '../../queries/dashboards.ts';
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

/** A widget of the home page, with a menu for its period and place. */
export function WidgetFrame({ widget, ...frame }: Props) {
  return <Frame id={widget.id} name={widget.data.name} loadMenu={loadMenu} {...frame} />;
}
