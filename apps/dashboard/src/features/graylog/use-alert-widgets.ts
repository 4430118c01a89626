import { useRef, useState } from 'react';
import type { ChangeWidgets, Widget } from '../../components/widgets/widgets.ts';
import { useApp } from '../../session/app-context.ts';
import { readAlertWidgets, writeAlertWidgets } from './alert-widgets.ts';

/** The widgets of this browser: read once, written with every change. */
export function useAlertWidgets(): { list: readonly Widget[]; change: ChangeWidgets } {
  const { storage } = useApp();
  const [list, setList] = useState(() => readAlertWidgets(storage));
  // Of two changes before the next drawing, and of an undo much later, each must start from the newest.
  const newest = useRef(list);
  return {
    list,
    change(change) {
      newest.current = change(newest.current);
      writeAlertWidgets(storage, newest.current);
      setList(newest.current);
    },
  };
}
