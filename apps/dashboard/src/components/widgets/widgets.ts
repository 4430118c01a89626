import { limits } from '@airdeck/contracts/limits';
import { defaultPeriod } from '@airdeck/domain/period';
import { known, t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { type StoredSpan, spanOfStored, storedSpan } from './stored-span.ts';

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

/** From the widgets as they are when it is applied. */
export type WidgetChange = (widgets: readonly Widget[]) => readonly Widget[];
export type ChangeWidgets = (change: WidgetChange) => void;

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

/** Of one page. */
export const WIDGETS_MAX = limits.homeWidgetsMax;
/** Characters. */
export const NAME_MAX = 80;

/** What a new user sees on the home page, and what a reset brings back. */
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

/** A widget as it is stored: without its usual name, which each language has its own of. */
export function withoutUsualName({ id, type, data: { name, ...data } }: Widget) {
  return { id, type, data: name === widgetShapes[type].name ? data : { name, ...data } };
}

type Stored = { readonly types: readonly WidgetType[]; readonly before: readonly Widget[] };

/** What is whole of a stored widget: a wrong name, period or size falls back. Undefined for what is of none of the types. */
export function parseWidget(value: unknown, { types, before }: Stored): Widget | undefined {
  if (!isRecord(value)) return undefined;
  const type = types.find((each) => each === value.type);
  if (type === undefined) return undefined;
  const shape = widgetShapes[type];
  const given = isRecord(value.data) ? value.data : {};
  const called = typeof given.name === 'string' ? given.name.slice(0, NAME_MAX) : '';
  // The usual name, in whatever words it was stored, is today's; what somebody typed stays what they typed.
  const name = called.trim() === '' || known(called) === shape.name ? shape.name : called;
  const size = given.size === 1 || given.size === 2 || given.size === 3 ? given.size : shape.size;
  const { rows } = given;
  const high = typeof rows === 'number' && Number.isInteger(rows) && rows >= shape.leastRows && rows <= shape.mostRows;
  // The id is what the list is keyed by, so it is never taken from outside.
  return {
    id: freeId(before, type),
    type,
    data: { name, size, ...(high ? { rows } : {}), ...storedSpan(given) },
  };
}

/** What is whole of a stored list of widgets. */
export function parseList(stored: readonly unknown[], types: readonly WidgetType[]): readonly Widget[] {
  let widgets: readonly Widget[] = [];
  for (const each of stored.slice(0, WIDGETS_MAX)) {
    const widget = parseWidget(each, { types, before: widgets });
    if (widget !== undefined) widgets = [...widgets, widget];
  }
  return widgets;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
