import { useKept } from '../../components/widgets/use-kept.ts';
import type { ChangeWidgets } from '../../components/widgets/widgets.ts';
import { type Layout, readLayout, writeLayout } from './widget-store.ts';

export type Widgets = {
  layout: Layout;
  change: ChangeWidgets;
  /** Puts a part of the page away, or shows it again. */
  hide: (part: string, hidden: boolean) => void;
  /** Takes over what the profile has, or notes what was saved to it. */
  keep: (layout: Layout) => void;
};

const store = { read: readLayout, write: writeLayout };

/** The home page of this user in this browser. */
export function useWidgets(): Widgets {
  const [layout, keep] = useKept<Layout>(store);
  return {
    layout,
    change: (change) => keep((newest) => ({ ...newest, widgets: change(newest.widgets), changed: true })),
    hide: (part, hidden) =>
      keep((newest) => {
        const others = newest.hidden.filter((each) => each !== part);
        return { ...newest, hidden: hidden ? [...others, part] : others, changed: true };
      }),
    keep: (next) => keep(() => next),
  };
}
