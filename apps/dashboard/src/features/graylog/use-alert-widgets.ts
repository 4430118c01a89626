import { useState } from 'react';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { useApp } from '../../session/app-context.ts';
import { type AlertWidget, readAlertWidgets, writeAlertWidgets } from './alert-widgets.ts';

/** The widgets of this browser: read once, written with every change. Without a type, a span is for all of them. */
export function useAlertWidgets() {
  const { storage } = useApp();
  const [list, setList] = useState(() => readAlertWidgets(storage));
  return {
    list,
    setSpan(span: DashboardSpan, type?: AlertWidget['type']) {
      const next = list.map((widget) => {
        const { name, size } = widget.data;
        return type === undefined || type === widget.type ? { ...widget, data: { name, size, ...span } } : widget;
      });
      writeAlertWidgets(storage, next);
      setList(next);
    },
  };
}
