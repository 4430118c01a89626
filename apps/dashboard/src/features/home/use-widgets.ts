import { useState } from 'react';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { useApp } from '../../session/app-context.ts';
import { isDefault, readWidgets, writeWidgets } from './widget-store.ts';
import { defaultWidgets, moved, type Widget, withSpan } from './widgets.ts';

export type Widgets = {
  list: readonly Widget[];
  isDefault: boolean;
  move: (id: string, to: number) => void;
  /** Of one widget, or of all when no id is given. */
  setSpan: (span: DashboardSpan, id?: string) => void;
  reset: () => void;
};

/** The widgets of this browser: read once, written with every change. */
export function useWidgets(): Widgets {
  const { storage } = useApp();
  const [list, setList] = useState(() => readWidgets(storage));
  const change = (next: readonly Widget[]) => {
    writeWidgets(storage, next);
    setList(next);
  };
  return {
    list,
    isDefault: isDefault(list),
    move: (id, to) => change(moved(list, id, to)),
    setSpan: (span, id) =>
      change(list.map((widget) => (id === undefined || widget.id === id ? withSpan(widget, span) : widget))),
    reset: () => change(defaultWidgets),
  };
}
