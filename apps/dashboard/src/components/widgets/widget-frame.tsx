import type { ReactNode } from 'react';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { Frame } from './frame.tsx';
import type { ChangeWidgets, Widget } from './widgets.ts';

/** What every widget is given by the page. */
export type WidgetControls = {
  widget: Widget;
  /** All of the page, in their order. */
  list: readonly Widget[];
  change: ChangeWidgets;
  /** Tells what changed to those who do not see it. */
  say: (text: string) => void;
  span: DashboardSpan;
  onSpan: (span: DashboardSpan) => void;
  onCustom: () => void;
};

type Props = {
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

/** A widget of a page, with a menu for its period, place and size. */
export function WidgetFrame(props: Props) {
  const { id, data } = props.controls.widget;
  return <Frame id={id} name={data.name} loadMenu={loadMenu} {...props} />;
}
