import { FirstStepsPanel } from './first-steps-panel.tsx';
import { useLayoutSync } from './layout-sync.ts';
import { SetUpsPanel } from './set-ups-panel.tsx';
import type { Widgets } from './use-widgets.ts';

/** What the home page needs beside its widgets; they do not wait for it. */
export function BesideWidgets({ widgets }: { widgets: Widgets }) {
  useLayoutSync(widgets);
  return (
    <>
      <FirstStepsPanel widgets={widgets} />
      <SetUpsPanel />
    </>
  );
}
