import { lazy, Suspense } from 'react';
import { DragHandle, type GridProps } from './drag-handle.tsx';
import { GridFrame, GridSlot } from './grid.tsx';

const DragGrid = lazy(() => import('./drag-grid.tsx').then((module) => ({ default: module.DragGrid })));

/** The widgets in their order. They are there at once; what makes them draggable loads beside and takes over. */
export function WidgetGrid(props: GridProps) {
  const { widgets, render } = props;
  const still = (
    <GridFrame>
      {widgets.map((widget) => (
        <GridSlot key={widget.id} {...widget.data} type={widget.type}>
          {render(widget, <DragHandle name={widget.data.name} disabled />)}
        </GridSlot>
      ))}
    </GridFrame>
  );
  return (
    <Suspense fallback={still}>
      <DragGrid {...props} />
    </Suspense>
  );
}
