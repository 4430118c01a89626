import { defaultPeriod } from '@airdeck/domain/period';
import { type StoredSpan, spanOfStored } from '../../components/widgets/stored-span.ts';
import { t } from '../../language/translate.ts';
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

/** Columns a widget takes, where the page has as many. */
export type WidgetSize = 1 | 2 | 3;
export const MOST_COLUMNS = 3;

/** A widget as it is stored (spec §3). `rows`: left out until somebody changes the height. */
export type Widget = {
  readonly id: string;
  readonly type: WidgetType;
  readonly data: { readonly name: string; readonly size: WidgetSize; readonly rows?: number } & StoredSpan;
};

type Shape = {
  readonly name: string;
  readonly size: WidgetSize;
  readonly rows: number;
  readonly leastRows: number;
  readonly mostRows: number;
};

const number = { size: 1, rows: 1, leastRows: 1, mostRows: 1 } as const;

export const widgetShapes: Readonly<Record<WidgetType, Shape>> = {
  log_volume: { name: t('Log volume'), ...number },
  manual_mttd: { name: t('Manual MTTD'), ...number },
  manual_mttr: { name: t('Manual MTTR'), ...number },
  events_processed: { name: t('Total events processed'), ...number },
  automated_mttd: { name: t('Automated MTTD'), ...number },
  automated_mttr: { name: t('Automated MTTR'), ...number },
  high_alerts: { name: t('High priority alerts'), ...number },
  triggered_alerts: { name: t('Triggered alerts'), size: 2, rows: 3, leastRows: 2, mostRows: 5 },
  medium_alerts: { name: t('Medium priority alerts'), ...number },
  low_alerts: { name: t('Low priority alerts'), ...number },
  alert_history: { name: t('Alert history'), size: 2, rows: 2, leastRows: 2, mostRows: 5 },
};

/** What a new user sees, and what a reset brings back. */
export const defaultWidgets: readonly Widget[] = widgetTypes.map((type) => widgetOf(type, type));

export function widgetOf(type: WidgetType, id: string): Widget {
  const { name, size } = widgetShapes[type];
  return { id, type, data: { name, size, period: defaultPeriod } };
}

export function spanOf({ data }: Pick<Widget, 'data'>): DashboardSpan {
  return spanOfStored(data);
}

export function withSpan(widget: Widget, span: DashboardSpan): Widget {
  const { name, size, rows } = widget.data;
  return { ...widget, data: { name, size, ...(rows === undefined ? {} : { rows }), ...span } };
}

/** The list with one widget moved to the place of another; those between move up. */
export function moved(widgets: readonly Widget[], id: string, to: number): readonly Widget[] {
  const widget = widgets.find((each) => each.id === id);
  if (widget === undefined) return widgets;
  const others = widgets.filter((each) => each.id !== id);
  const place = Math.max(0, Math.min(to, others.length));
  return [...others.slice(0, place), widget, ...others.slice(place)];
}

/** Of several of a type each needs an id of its own. */
export function freeId(widgets: readonly Pick<Widget, 'id'>[], type: WidgetType): string {
  const taken = new Set(widgets.map(({ id }) => id));
  let id: string = type;
  for (let number = 2; taken.has(id); number += 1) id = `${type}-${number}`;
  return id;
}
