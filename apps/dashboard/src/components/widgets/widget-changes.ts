import { t } from '../../language/translate.ts';
import { toasts } from '../../lib/toasts.ts';
import {
  type ChangeWidgets,
  defaultWidgets,
  freeId,
  MOST_COLUMNS,
  moved,
  type Widget,
  type WidgetChange,
  type WidgetSize,
  type WidgetType,
  widgetOf,
  widgetShapes,
} from './widgets.ts';

/** How much room a widget takes. */
export type Room = { readonly columns: number; readonly rows: number };

/** The nearest room a widget of this type may take. */
export function fitting(type: WidgetType, { columns, rows }: Room): { size: WidgetSize; rows: number } {
  const size = Math.max(1, Math.min(columns, MOST_COLUMNS)) as WidgetSize;
  const { leastRows, mostRows } = widgetShapes[type];
  return { size, rows: Math.max(leastRows, Math.min(rows, mostRows)) };
}

export function resized(id: string, room: Room): WidgetChange {
  return (widgets) =>
    widgets.map((widget) =>
      widget.id === id ? { ...widget, data: { ...widget.data, ...fitting(widget.type, room) } } : widget,
    );
}

/** Takes a widget off the page, and offers to take that back. */
export function removeWidget(change: ChangeWidgets, widget: Widget): void {
  let place = 0;
  change((widgets) => {
    place = widgets.findIndex(({ id }) => id === widget.id);
    return widgets.filter(({ id }) => id !== widget.id);
  });
  sayUndoable(t('{name} is off the page.', { name: widget.data.name }), () =>
    change((widgets) => {
      const back = { ...widget, id: freeId(widgets, widget.type) };
      return moved([...widgets, back], back.id, place);
    }),
  );
}

/** Puts another widget at the end; returns its id. */
export function addWidget(change: ChangeWidgets, type: WidgetType): string {
  let id: string = type;
  change((widgets) => {
    id = freeId(widgets, type);
    return [...widgets, widgetOf(type, id)];
  });
  sayUndoable(t('{name} is at the end of the page.', { name: widgetShapes[type].name }), () =>
    change((widgets) => widgets.filter((each) => each.id !== id)),
  );
  return id;
}

/** Brings back the widgets a page begins with. */
export function resetWidgets(change: ChangeWidgets, first = defaultWidgets): void {
  let before: readonly Widget[] = [];
  change((widgets) => {
    before = widgets;
    return first;
  });
  sayUndoable(t('Widgets are back to their first order, sizes and periods.'), () => change(() => before));
}

function sayUndoable(message: string, undo: () => void): void {
  toasts.add({ message, action: { label: t('Undo'), run: undo } });
}
