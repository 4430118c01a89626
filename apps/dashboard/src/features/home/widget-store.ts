import { limits } from '@airdeck/contracts/limits';
import {
  defaultWidgets,
  isRecord,
  moved,
  parseList,
  type Widget,
  widgetTypes,
  withoutUsualName,
} from '../../components/widgets/widgets.ts';
import type { BrowserStorage } from '../../lib/browser-storage.ts';

export const WIDGETS_KEY = 'airdeck.home-widgets';
const FIRST_STEPS = 'first_steps:';

/** The home page of a user as this browser has it. */
export type Layout = {
  readonly widgets: readonly Widget[];
  /** First steps of tenants that were put away. */
  readonly hidden: readonly string[];
  /** That of the profile they came from or became; 0 when never saved there. */
  readonly version: number;
  /** Not yet saved to the profile. */
  readonly changed: boolean;
};

const untouched: Layout = { widgets: defaultWidgets, hidden: [], version: 0, changed: false };

/** What is stored of this user; the default set where nothing usable is stored, or that of somebody else. */
export function readLayout(storage: Pick<BrowserStorage, 'getItem'>, owner: string): Layout {
  const text = storage.getItem(WIDGETS_KEY);
  if (text === null) return untouched;
  try {
    const stored: unknown = JSON.parse(text);
    // As earlier releases stored it, when there was nothing beside the widgets.
    if (Array.isArray(stored)) return { ...untouched, widgets: parseWidgets(stored) };
    if (!isRecord(stored) || stored.owner !== owner) return untouched;
    const { version, changed } = stored;
    return {
      widgets: parseWidgets(stored.widgets, stored.known),
      hidden: parseHidden(stored.known),
      version: Number.isSafeInteger(version) ? Number(version) : 0,
      changed: changed === true,
    };
  } catch {
    return untouched;
  }
}

export function writeLayout(storage: BrowserStorage, owner: string, layout: Layout): void {
  storage.setItem(
    WIDGETS_KEY,
    JSON.stringify({ owner, version: layout.version, changed: layout.changed, ...kept(layout) }),
  );
}

/**
 * How a home page is kept, here and in the profile. The default set is kept as nothing, so that a later release may change
 * it, and so is the usual name of a widget, which each language has its own of.
 */
export function kept({ widgets, hidden }: Pick<Layout, 'widgets' | 'hidden'>) {
  // Of very many tenants, the first put away come back.
  const away = hidden.slice(widgetTypes.length - limits.homePartsMax);
  if (isDefault(widgets)) return { widgets: null, known: away };
  return { widgets: widgets.map(withoutUsualName), known: [...widgetTypes, ...away] };
}

/** The part of the page that shows the first steps of a tenant. */
export function firstStepsOf(tenantId: string): string {
  return `${FIRST_STEPS}${tenantId}`;
}

/** What of the parts that were known is first steps: widgets that were taken off are simply not in the list. */
export function parseHidden(known: unknown): readonly string[] {
  const parts: unknown[] = Array.isArray(known) ? known : [];
  return parts.filter((part) => typeof part === 'string').filter((part) => part.startsWith(FIRST_STEPS));
}

export function isDefault(widgets: readonly Widget[]): boolean {
  return JSON.stringify(widgets) === JSON.stringify(defaultWidgets);
}

/**
 * Takes what is whole of a stored list and leaves the rest: unknown widgets go, a wrong period or size falls back. A
 * type that is neither shown nor `known` is of a newer release and comes in at its default place; one that is known
 * was removed.
 */
export function parseWidgets(value: unknown, known?: unknown): readonly Widget[] {
  if (!Array.isArray(value)) return defaultWidgets;
  const types: unknown[] = Array.isArray(known) ? known : [];
  let widgets = parseList(value, widgetTypes);
  for (const [place, widget] of defaultWidgets.entries()) {
    const { type } = widget;
    if (types.includes(type) || widgets.some((each) => each.type === type)) continue;
    widgets = moved([...widgets, widget], widget.id, place);
  }
  return widgets;
}
