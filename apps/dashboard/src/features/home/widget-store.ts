import { storedSpan } from '../../components/widgets/stored-span.ts';
import type { BrowserStorage } from '../../lib/browser-storage.ts';
import { defaultWidgets, moved, type Widget, widgetTypes } from './widgets.ts';

export const WIDGETS_KEY = 'airdeck.home-widgets';

const NAME_MAX = 80;

/** The stored widgets; the default set where nothing usable is stored. */
export function readWidgets(storage: Pick<BrowserStorage, 'getItem'>): readonly Widget[] {
  const text = storage.getItem(WIDGETS_KEY);
  if (text === null) return defaultWidgets;
  try {
    return parseWidgets(JSON.parse(text));
  } catch {
    return defaultWidgets;
  }
}

/** The default set is stored as nothing, so that a later release may change it. */
export function writeWidgets(storage: BrowserStorage, widgets: readonly Widget[]): void {
  if (isDefault(widgets)) storage.removeItem(WIDGETS_KEY);
  else storage.setItem(WIDGETS_KEY, JSON.stringify(widgets));
}

export function isDefault(widgets: readonly Widget[]): boolean {
  return JSON.stringify(widgets) === JSON.stringify(defaultWidgets);
}

/**
 * Takes what is whole of a stored list and leaves the rest: unknown or repeated widgets go, a wrong period or size falls
 * back, and a widget the list does not know (of a newer release) comes in at its default place.
 */
export function parseWidgets(value: unknown): readonly Widget[] {
  if (!Array.isArray(value)) return defaultWidgets;
  const kept = new Map<string, Widget>();
  for (const each of value) {
    const widget = parseWidget(each);
    if (widget !== undefined && !kept.has(widget.type)) kept.set(widget.type, widget);
  }
  let widgets: readonly Widget[] = [...kept.values()];
  for (const [place, widget] of defaultWidgets.entries()) {
    if (!kept.has(widget.type)) widgets = moved([...widgets, widget], widget.id, place);
  }
  return widgets;
}

function parseWidget(value: unknown): Widget | undefined {
  if (!isRecord(value)) return undefined;
  const type = widgetTypes.find((each) => each === value.type);
  const known = defaultWidgets.find((each) => each.type === type);
  if (type === undefined || known === undefined) return undefined;
  const given = isRecord(value.data) ? value.data : {};
  const name =
    typeof given.name === 'string' && given.name.trim() !== '' ? given.name.slice(0, NAME_MAX) : known.data.name;
  const size = given.size === 1 || given.size === 2 ? given.size : known.data.size;
  // The id is what the list is keyed by, so it is never taken from outside.
  return { id: known.id, type, data: { name, size, ...storedSpan(given) } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
