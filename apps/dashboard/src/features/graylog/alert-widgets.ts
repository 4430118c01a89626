import { defaultPeriod } from '@airdeck/domain/period';
import { type StoredSpan, storedSpan } from '../../components/widgets/stored-span.ts';
import { t } from '../../language/translate.ts';
import type { BrowserStorage } from '../../lib/browser-storage.ts';
import type { AlertPriority } from '../../queries/graylog-answers.ts';

export const ALERT_WIDGETS_KEY = 'airdeck.graylog-widgets';

export type AlertWidgetType = 'high_alerts' | 'triggered_alerts' | 'medium_alerts' | 'low_alerts' | 'alert_history';

/** A widget as it is stored (spec §3). */
export type AlertWidget = {
  readonly id: AlertWidgetType;
  readonly type: AlertWidgetType;
  readonly data: { readonly name: string; readonly size: 1 | 2 } & StoredSpan;
};

/** In the order of spec §3. */
const shapes: readonly { type: AlertWidgetType; name: string; size: 1 | 2 }[] = [
  { type: 'high_alerts', name: t('High priority alerts'), size: 1 },
  { type: 'triggered_alerts', name: t('Triggered alerts'), size: 2 },
  { type: 'medium_alerts', name: t('Medium priority alerts'), size: 1 },
  { type: 'low_alerts', name: t('Low priority alerts'), size: 1 },
  { type: 'alert_history', name: t('Alert history'), size: 2 },
];

export const defaultAlertWidgets: readonly AlertWidget[] = shapes.map(({ type, name, size }) => ({
  id: type,
  type,
  data: { name, size, period: defaultPeriod },
}));

/** Priority of a number widget; undefined for the others. */
export const priorityOfWidget: Readonly<Partial<Record<AlertWidgetType, AlertPriority>>> = {
  high_alerts: 1,
  medium_alerts: 2,
  low_alerts: 3,
};

/** The widgets with the periods that are stored; the default ones where nothing usable is. */
export function readAlertWidgets(storage: Pick<BrowserStorage, 'getItem'>): readonly AlertWidget[] {
  const text = storage.getItem(ALERT_WIDGETS_KEY);
  if (text === null) return defaultAlertWidgets;
  try {
    const stored: unknown = JSON.parse(text);
    const list = Array.isArray(stored) ? stored.filter(isRecord) : [];
    return defaultAlertWidgets.map((widget) => {
      const data = list.find(({ type }) => type === widget.type)?.data;
      const { name, size } = widget.data;
      return isRecord(data) ? { ...widget, data: { name, size, ...storedSpan(data) } } : widget;
    });
  } catch {
    return defaultAlertWidgets;
  }
}

/** The default ones are stored as nothing, so that a later release may change them. */
export function writeAlertWidgets(storage: BrowserStorage, widgets: readonly AlertWidget[]): void {
  const text = JSON.stringify(widgets);
  if (text === JSON.stringify(defaultAlertWidgets)) storage.removeItem(ALERT_WIDGETS_KEY);
  else storage.setItem(ALERT_WIDGETS_KEY, text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
