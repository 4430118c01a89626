import {
  isRecord,
  parseList,
  parseWidget,
  type Widget,
  type WidgetType,
  widgetOf,
  withoutUsualName,
} from '../../components/widgets/widgets.ts';
import type { BrowserStorage } from '../../lib/browser-storage.ts';
import type { AlertPriority } from '../../queries/graylog-answers.ts';

export const ALERT_WIDGETS_KEY = 'airdeck.graylog-widgets';

/** In the order of spec §3. */
export const alertWidgetTypes = [
  'high_alerts',
  'triggered_alerts',
  'medium_alerts',
  'low_alerts',
  'alert_history',
] as const satisfies readonly WidgetType[];

export const defaultAlertWidgets: readonly Widget[] = alertWidgetTypes.map((type) => widgetOf(type, type));

/** Priority of a number widget; undefined for the others. */
export const priorityOfWidget: Readonly<Partial<Record<WidgetType, AlertPriority>>> = {
  high_alerts: 1,
  medium_alerts: 2,
  low_alerts: 3,
};

/** The widgets as this person arranged them in this browser; the default ones where nothing usable is stored. */
export function readAlertWidgets(storage: Pick<BrowserStorage, 'getItem'>, owner: string): readonly Widget[] {
  const text = storage.getItem(ALERT_WIDGETS_KEY);
  if (text === null) return defaultAlertWidgets;
  try {
    const stored: unknown = JSON.parse(text);
    if (Array.isArray(stored)) return withPeriodsOf(stored);
    if (!isRecord(stored) || stored.owner !== owner || !Array.isArray(stored.widgets)) return defaultAlertWidgets;
    const widgets = parseList(stored.widgets, alertWidgetTypes);
    // Nothing is what somebody left who took all off, not what cannot be read.
    return widgets.length === 0 && stored.widgets.length > 0 ? defaultAlertWidgets : widgets;
  } catch {
    return defaultAlertWidgets;
  }
}

/** As earlier releases stored them, when periods were all that could be chosen. */
function withPeriodsOf(stored: readonly unknown[]): readonly Widget[] {
  return defaultAlertWidgets.map((usual) => {
    const found = stored.find((each) => isRecord(each) && each.type === usual.type);
    const read = parseWidget(found, { types: alertWidgetTypes, before: [] });
    return read === undefined
      ? usual
      : { ...usual, data: { ...read.data, name: usual.data.name, size: usual.data.size } };
  });
}

/** The default ones are stored as nothing, so that a later release may change them. */
export function writeAlertWidgets(storage: BrowserStorage, owner: string, widgets: readonly Widget[]): void {
  if (JSON.stringify(widgets) === JSON.stringify(defaultAlertWidgets)) storage.removeItem(ALERT_WIDGETS_KEY);
  else storage.setItem(ALERT_WIDGETS_KEY, JSON.stringify({ owner, widgets: widgets.map(withoutUsualName) }));
}
