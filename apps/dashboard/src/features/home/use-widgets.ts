import { useRef, useState } from 'react';
import type { ChangeWidgets } from '../../components/widgets/widgets.ts';
import { useApp } from '../../session/app-context.ts';
import { useCurrentUser } from '../../session/use-current-user.ts';
import { type Layout, readLayout, writeLayout } from './widget-store.ts';

export type Widgets = {
  layout: Layout;
  change: ChangeWidgets;
  /** Puts a part of the page away, or shows it again. */
  hide: (part: string, hidden: boolean) => void;
  /** Takes over what the profile has, or notes what was saved to it. */
  keep: (layout: Layout) => void;
};

/** The home page of this user in this browser: read once, written with every change. */
export function useWidgets(): Widgets {
  const { storage } = useApp();
  const owner = useCurrentUser().user.id;
  const [layout, setLayout] = useState(() => readLayout(storage, owner));
  // Of two changes before the next drawing, and of an undo much later, each must start from the newest.
  const newest = useRef(layout);
  const keep = (next: Layout) => {
    newest.current = next;
    writeLayout(storage, owner, next);
    setLayout(next);
  };
  return {
    layout,
    change: (change) => keep({ ...newest.current, widgets: change(newest.current.widgets), changed: true }),
    hide: (part, hidden) => {
      const others = newest.current.hidden.filter((each) => each !== part);
      keep({ ...newest.current, hidden: hidden ? [...others, part] : others, changed: true });
    },
    keep,
  };
}
