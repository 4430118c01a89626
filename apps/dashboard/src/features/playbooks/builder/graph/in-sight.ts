import type { ReactFlowInstance } from '@xyflow/react';
import { useEffect, useRef } from 'react';
import { type FlowLayout, NODE_HEIGHT, NODE_WIDTH } from '../../../../components/flow/flow-layout.ts';
import type { BuilderLineType } from './builder-line.tsx';
import type { BuilderNodeType } from './builder-node.tsx';

export type Flow = ReactFlowInstance<BuilderNodeType, BuilderLineType>;

/** How the whole is fitted into the view: never larger than life, nor too small to read. */
export const fitting = { padding: 0.12, minZoom: 0.5, maxZoom: 1 };

/** What is selected comes into sight, and what is new too: after each change of how many there are. */
export function useFollowing(
  selection: readonly string[],
  count: number,
  reveal: (id: string) => void,
  flow: { readonly current: Flow | undefined },
): void {
  const before = useRef(count);
  const [one] = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is selected, not every drawing
  useEffect(() => {
    const isFirst = before.current === 0 && count > 0;
    before.current = count;
    if (isFirst) void flow.current?.fitView(fitting);
    else if (one !== undefined) reveal(one);
  }, [one, count]);
}

type Reveal = {
  id: string;
  root: HTMLElement | null;
  flow: Flow | undefined;
  positions: FlowLayout['positions'];
};

const EDGE_PX = 24;

/** Moves the drawing only as far as needed to have a step in sight. */
export function revealStep({ id, root, flow, positions }: Reveal): void {
  const at = positions.get(id);
  if (at === undefined || root === null || flow === undefined) return;
  const { x, y, zoom } = flow.getViewport();
  const left = at.x * zoom + x;
  const top = at.y * zoom + y;
  const dx = shift(left, left + NODE_WIDTH * zoom + 2 * EDGE_PX, root.clientWidth);
  const dy = shift(top, top + NODE_HEIGHT * zoom, root.clientHeight);
  if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom });
}

function shift(from: number, to: number, size: number): number {
  if (from < EDGE_PX) return EDGE_PX - from;
  return to > size - EDGE_PX ? size - EDGE_PX - to : 0;
}
