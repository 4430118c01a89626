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
  useDraggable,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { useMergedRef } from '@mantine/hooks';
import { IconGripVertical } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { DragHandle, type GridProps } from './drag-handle.tsx';
import { GridFrame, GridSlot } from './grid.tsx';
import { ResizeHandle } from './resize-handle.tsx';
import classes from './widget-grid.module.css';
import { moved, type Widget } from './widgets.ts';

const START_DISTANCE_PX = 4;

const INSTRUCTIONS = t(
  'To move a widget, press space. Then move it with the arrow keys, press space again to leave it there, or escape to put it back.',
);

/**
 * The widgets, each to be dragged to the place of another by mouse, finger or keyboard. They differ in size, so making
 * room while dragging would turn the whole page over: the place taken is outlined instead.
 */
export function DragGrid({ widgets, change, say, render }: GridProps) {
  const [dragged, setDragged] = useState<UniqueIdentifier>();
  const sensors = useSensors(useSensor(PointerSensor, byPointer), useSensor(KeyboardSensor, byKeyboard));
  const ids = widgets.map(({ id }) => id);
  const nameOf = (id: UniqueIdentifier | undefined) => widgets.find((widget) => widget.id === id)?.data.name ?? '';
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={placeUnder}
      accessibility={{
        announcements: announcements(ids, nameOf),
        screenReaderInstructions: { draggable: INSTRUCTIONS },
      }}
      onDragStart={({ active }) => setDragged(active.id)}
      onDragCancel={() => setDragged(undefined)}
      onDragEnd={({ active, over }) => {
        setDragged(undefined);
        if (over === null || over.id === active.id) return;
        const [id, to] = [String(active.id), ids.indexOf(String(over.id))];
        change((list) => moved(list, id, to));
      }}
    >
      <GridFrame>
        {widgets.map((widget) => (
          <DragSlot key={widget.id} widget={widget} ids={ids} render={render} change={change} say={say} />
        ))}
      </GridFrame>
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

type SlotProps = Omit<GridProps, 'widgets'> & { widget: Widget; ids: readonly string[] };

function DragSlot({ widget, ids, render, change, say }: SlotProps) {
  const { id } = widget;
  const drag = useDraggable({ id, data: { ids }, attributes: { roleDescription: t('movable widget') } });
  const drop = useDroppable({ id });
  const ref = useMergedRef<HTMLLIElement>(drag.setNodeRef, drop.setNodeRef);
  return (
    <GridSlot
      ref={ref}
      size={widget.data.size}
      rows={widget.data.rows}
      type={widget.type}
      dragged={drag.isDragging}
      over={drop.isOver && !drag.isDragging}
    >
      {render(
        widget,
        <DragHandle ref={drag.setActivatorNodeRef} name={widget.data.name} {...drag.attributes} {...drag.listeners} />,
      )}
      <ResizeHandle widget={widget} change={change} say={say} />
    </GridSlot>
  );
}

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

/** Arrow keys go through the places in reading order: there is always a next one, unlike directions in a mixed grid. */
const nextPlace: KeyboardCoordinateGetter = (event, { context: { active, over, droppableRects } }) => {
  const step = steps[event.code];
  const ids: unknown = active?.data.current?.ids;
  if (step === undefined || active === null || !Array.isArray(ids)) return undefined;
  event.preventDefault();
  const next: unknown = ids[ids.indexOf((over ?? active).id) + step];
  const rect = typeof next === 'string' ? droppableRects.get(next) : undefined;
  return rect === undefined ? undefined : { x: rect.left, y: rect.top };
};

const byPointer = { activationConstraint: { distance: START_DISTANCE_PX } };
const byKeyboard = { coordinateGetter: nextPlace };

function announcements(ids: readonly string[], nameOf: (id: UniqueIdentifier) => string): Announcements {
  const named = (id: UniqueIdentifier) => ({ name: nameOf(id) });
  const placed = (id: UniqueIdentifier, at: UniqueIdentifier) => ({
    name: nameOf(id),
    place: ids.indexOf(String(at)) + 1,
    count: ids.length,
  });
  return {
    onDragStart: ({ active }) => t('Moving {name}, at place {place} of {count}.', placed(active.id, active.id)),
    onDragOver: ({ active, over }) =>
      over === null
        ? t('{name} is over no place.', named(active.id))
        : t('{name}, place {place} of {count}.', placed(active.id, over.id)),
    onDragEnd: ({ active, over }) =>
      over === null
        ? t('{name} stays where it was.', named(active.id))
        : t('{name} is now at place {place} of {count}.', placed(active.id, over.id)),
    onDragCancel: ({ active }) => t('{name} is back at place {place} of {count}.', placed(active.id, active.id)),
  };
}
