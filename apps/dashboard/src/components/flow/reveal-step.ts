import type { Viewport } from '@xyflow/react';
import { type FlowLayout, NODE_HEIGHT, NODE_WIDTH } from './flow-layout.ts';

type Reveal = {
  id: string;
  root: HTMLElement | null;
  flow: { getViewport: () => Viewport; setViewport: (viewport: Viewport) => unknown } | undefined;
  positions: FlowLayout['positions'];
  /** Pixels to its right that are to be in sight too. */
  after?: number;
};

/** Less than a drawing leaves around itself: what is in sight as a whole does not move. */
const EDGE_PX = 16;

/** Moves the drawing only as far as needed to have a step in sight. */
export function revealStep({ id, root, flow, positions, after = 0 }: Reveal): void {
  const at = positions.get(id);
  if (at === undefined || root === null || flow === undefined) return;
  const { x, y, zoom } = flow.getViewport();
  const left = at.x * zoom + x;
  const top = at.y * zoom + y;
  const dx = shift(left, left + NODE_WIDTH * zoom + after, root.clientWidth);
  const dy = shift(top, top + NODE_HEIGHT * zoom, root.clientHeight);
  if (dx !== 0 || dy !== 0) flow.setViewport({ x: x + dx, y: y + dy, zoom });
}

function shift(from: number, to: number, size: number): number {
  if (from < EDGE_PX) return EDGE_PX - from;
  return to > size - EDGE_PX ? size - EDGE_PX - to : 0;
}
