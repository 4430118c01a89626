import { parseWidget, WIDGETS_MAX, type Widget, type WidgetType, widgetOf } from '../../components/widgets/widgets.ts';
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

/** The widgets as they were arranged in this browser; the default ones where nothing usable is stored. */
export function readAlertWidgets(storage: Pick<BrowserStorage, 'getItem'>): readonly Widget[] {
  const text = storage.getItem(ALERT_WIDGETS_KEY);
  if (text === null) return defaultAlertWidgets;
  try {
    const stored: unknown = JSON.parse(text);
    if (!Array.isArray(stored)) return defaultAlertWidgets;
    let widgets: readonly Widget[] = [];
    for (const each of stored.slice(0, WIDGETS_MAX)) {
      const widget = parseWidget(each, { types: alertWidgetTypes, before: widgets });
      if (widget !== undefined) widgets = [...widgets, widget];
    }
    // Nothing is what somebody left who took all off, not what cannot be read.
    return widgets.length === 0 && stored.length > 0 ? defaultAlertWidgets : widgets;
  } catch {
    return defaultAlertWidgets;
  }
}

/** The default ones are stored as nothing, so that a later release may change them. */
export function writeAlertWidgets(storage: BrowserStorage, widgets: readonly Widget[]): void {
  const text = JSON.stringify(widgets);
  if (text === JSON.stringify(defaultAlertWidgets)) storage.removeItem(ALERT_WIDGETS_KEY);
  else storage.setItem(ALERT_WIDGETS_KEY, text);
}
