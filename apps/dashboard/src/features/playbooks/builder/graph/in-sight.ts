import type { ReactFlowInstance } from '@xyflow/react';
import { useEffect, useRef } from 'react';
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
