import { useRef, useState } from 'react';
import type { ChangeWidgets, Widget } from '../../components/widgets/widgets.ts';
import { useApp } from '../../session/app-context.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { readAlertWidgets, writeAlertWidgets } from './alert-widgets.ts';

/** The widgets of this browser: read once, written with every change. */
export function useAlertWidgets(): { list: readonly Widget[]; change: ChangeWidgets } {
  const { storage } = useApp();
  const owner = useCurrentUser().user.id;
  const [list, setList] = useState(() => readAlertWidgets(storage, owner));
  // Of two changes before the next drawing, and of an undo much later, each must start from the newest.
  const newest = useRef(list);
  return {
    list,
    change(change) {
      newest.current = change(newest.current);
      writeAlertWidgets(storage, owner, newest.current);
      setList(newest.current);
    },
  };
}
