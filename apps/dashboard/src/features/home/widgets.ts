import { defaultPeriod } from '@airdeck/domain/period';
import { type StoredSpan, spanOfStored } from '../../components/widgets/stored-span.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';

/** Every widget there is, in the order of spec §3. */
export const widgetTypes = [
  'log_volume',
  'manual_mttd',
  'manual_mttr',
  'events_processed',
  'automated_mttd',
  'automated_mttr',
  'high_alerts',
  'triggered_alerts',
  'medium_alerts',
  'low_alerts',
  'alert_history',
] as const;
export type WidgetType = (typeof widgetTypes)[number];
export type NumberWidgetType = Exclude<WidgetType, 'triggered_alerts' | 'alert_history'>;

/** Columns a widget takes. */
export type WidgetSize = 1 | 2;

/** A widget as it is stored (spec §3). */
export type Widget = {
  readonly id: string;
  readonly type: WidgetType;
  readonly data: { readonly name: string; readonly size: WidgetSize } & StoredSpan;
};

const shapes: Readonly<Record<WidgetType, { name: string; size: WidgetSize }>> = {
  log_volume: { name: 'Log volume', size: 1 },
  manual_mttd: { name: 'Manual MTTD', size: 1 },
  manual_mttr: { name: 'Manual MTTR', size: 1 },
  events_processed: { name: 'Total events processed', size: 1 },
  automated_mttd: { name: 'Automated MTTD', size: 1 },
  automated_mttr: { name: 'Automated MTTR', size: 1 },
  high_alerts: { name: 'High priority alerts', size: 1 },
  triggered_alerts: { name: 'Triggered alerts', size: 2 },
  medium_alerts: { name: 'Medium priority alerts', size: 1 },
  low_alerts: { name: 'Low priority alerts', size: 1 },
  alert_history: { name: 'Alert history', size: 2 },
};

/** What a new user sees, and what a reset brings back. */
export const defaultWidgets: readonly Widget[] = widgetTypes.map((type) => ({
  id: type,
  type,
  data: { ...shapes[type], period: defaultPeriod },
}));

export function spanOf({ data }: Pick<Widget, 'data'>): DashboardSpan {
  return spanOfStored(data);
}

export function withSpan(widget: Widget, span: DashboardSpan): Widget {
  const { name, size } = widget.data;
  return { ...widget, data: { name, size, ...span } };
}

/** The list with one widget moved to the place of another; those between move up. */
export function moved(widgets: readonly Widget[], id: string, to: number): readonly Widget[] {
  const widget = widgets.find((each) => each.id === id);
  if (widget === undefined) return widgets;
  const others = widgets.filter((each) => each.id !== id);
  const place = Math.max(0, Math.min(to, others.length));
  return [...others.slice(0, place), widget, ...others.slice(place)];
}
