import { type FlowLayout, MARGIN, NODE_HEIGHT, NODE_WIDTH } from './flow-layout.ts';

type Size = { width: number; height: number };
type View = { viewport: { x: number; y: number; zoom: number }; overflows: boolean };

/** Below this zoom names are no longer read; rather move about. */
const SMALLEST = 0.9;

/** Where the graph begins to be looked at: as a whole if it stays readable, else with one action in sight. */
export function firstView(layout: FlowLayout, screen: Size, focus: string | undefined): View {
  const room = { width: screen.width - 2 * MARGIN, height: screen.height - 2 * MARGIN };
  const fitting = Math.min(1, room.width / layout.width, room.height / layout.height);
  const zoom = Math.max(SMALLEST, fitting);
  const at = focus === undefined ? undefined : layout.positions.get(focus);
  const drawn = { width: layout.width * zoom, height: layout.height * zoom };
  const x =
    drawn.width <= room.width ? MARGIN : along(drawn.width, screen.width, ((at?.x ?? 0) + NODE_WIDTH / 2) * zoom);
  const y =
    drawn.height <= room.height
      ? (screen.height - drawn.height) / 2
      : along(drawn.height, screen.height, ((at?.y ?? 0) + NODE_HEIGHT / 2) * zoom);
  return { viewport: { x, y, zoom }, overflows: fitting < 1 };
}

/** Offset of what is drawn where it does not fit: so that the point is in the middle and no side gapes. */
function along(drawn: number, screen: number, point: number): number {
  return Math.min(MARGIN, Math.max(screen - drawn - MARGIN, screen / 2 - point));
}
