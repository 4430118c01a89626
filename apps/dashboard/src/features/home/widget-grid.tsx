import {
  type Announcements,
  type CollisionDetection,
  closestCenter,
  DndContext,
  DragOverlay,
  type KeyboardCoordinateGetter,
  KeyboardSensor,
  PointerSensor,
  pointerWithin,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { SortableContext, useSortable } from '@dnd-kit/sortable';
import { UnstyledButton } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import frameClasses from './widget.module.css';
import classes from './widget-grid.module.css';
import type { Widget } from './widgets.ts';

type Props = {
  widgets: readonly Widget[];
  onMove: (id: string, to: number) => void;
  render: (widget: Widget, handle: ReactNode) => ReactNode;
};

const START_DISTANCE_PX = 4;

/** The widgets in their order; each can be dragged to the place of another by mouse, finger or keyboard. */
export function WidgetGrid({ widgets, onMove, render }: Props) {
  const [dragged, setDragged] = useState<UniqueIdentifier>();
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: START_DISTANCE_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: nextPlace }),
  );
  const ids = widgets.map(({ id }) => id);
  const nameOf = (id: UniqueIdentifier | undefined) => widgets.find((widget) => widget.id === id)?.data.name ?? '';
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={placeUnder}
      accessibility={{
        announcements: announcements(ids, nameOf),
        screenReaderInstructions: {
          draggable:
            'To move a widget, press space. Then move it with the arrow keys, press space again to leave it there, or escape to put it back.',
        },
      }}
      onDragStart={({ active }) => setDragged(active.id)}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={({ active, over }) => {
        setDragged(undefined);
        if (over !== null && over.id !== active.id) onMove(String(active.id), ids.indexOf(String(over.id)));
      }}
    >
      <SortableContext items={ids} strategy={stayInPlace}>
        <div className={classes.frame}>
          <ul className={classes.grid}>
            {widgets.map((widget) => (
              <Slot key={widget.id} widget={widget} render={render} />
            ))}
          </ul>
        </div>
      </SortableContext>
      <DragOverlay dropAnimation={null}>
        {dragged === undefined ? null : (
          <div className={classes.dragging}>
            <IconGripVertical size={14} aria-hidden />
            {nameOf(dragged)}
          </div>
        )}
      </DragOverlay>
    </DndContext>
  );
}

function Slot({ widget, render }: { widget: Widget; render: Props['render'] }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, isDragging, isOver } = useSortable({
    id: widget.id,
  });
  const handle = (
    <UnstyledButton
      ref={setActivatorNodeRef}
      className={frameClasses.handle}
      {...attributes}
      {...listeners}
      aria-label={`Move ${widget.data.name}`}
    >
      <IconGripVertical size={14} aria-hidden />
    </UnstyledButton>
  );
  return (
    <li
      ref={setNodeRef}
      className={classes.slot}
      data-size={widget.data.size}
      data-type={widget.type}
      data-dragged={isDragging || undefined}
      data-over={(isOver && !isDragging) || undefined}
    >
      {render(widget, handle)}
    </li>
  );
}

// Widgets differ in size, so making room while dragging would turn the whole page over; the place taken is outlined.
const stayInPlace = () => null;

/** The place under the pointer; for the keyboard, which has none, the one the widget was put upon. */
const placeUnder: CollisionDetection = (args) => {
  if (args.pointerCoordinates !== null) {
    const under = pointerWithin(args);
    return under.length > 0 ? under : closestCenter(args);
  }
  const { left, top } = args.collisionRect;
  const distances = args.droppableContainers.flatMap((droppableContainer) => {
    const rect = args.droppableRects.get(droppableContainer.id);
    if (rect === undefined) return [];
    const value = Math.hypot(rect.left - left, rect.top - top);
    return [{ id: droppableContainer.id, data: { droppableContainer, value } }];
  });
  return distances.sort((a, b) => a.data.value - b.data.value);
};

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Arrow keys go through the places in reading order, which always has a next one, unlike directions in a mixed grid. */
const nextPlace: KeyboardCoordinateGetter = (
  event,
  { context: { active, over, droppableRects, droppableContainers } },
) => {
  const step = steps[event.code];
  if (step === undefined || active === null) return undefined;
  event.preventDefault();
  const ids = [...droppableContainers.keys()];
  const next = ids[ids.indexOf((over ?? active).id) + step];
  const rect = next === undefined ? undefined : droppableRects.get(next);
  return rect === undefined ? undefined : { x: rect.left, y: rect.top };
};

function announcements(ids: readonly string[], nameOf: (id: UniqueIdentifier) => string): Announcements {
  const place = (id: UniqueIdentifier) => `place ${ids.indexOf(String(id)) + 1} of ${ids.length}`;
  return {
    onDragStart: ({ active }) => `Moving ${nameOf(active.id)}, at ${place(active.id)}.`,
    onDragOver: ({ active, over }) =>
      over === null ? `${nameOf(active.id)} is over no place.` : `${nameOf(active.id)}, ${place(over.id)}.`,
    onDragEnd: ({ active, over }) =>
      over === null ? `${nameOf(active.id)} stays where it was.` : `${nameOf(active.id)} is now at ${place(over.id)}.`,
    onDragCancel: ({ active }) => `${nameOf(active.id)} is back at ${place(active.id)}.`,
  };
}
