import type { RunStatus } from '@airdeck/contracts/statuses';
import type { FlowEdge } from './flow-layout.ts';

export type StepState = RunStatus | 'skipped';
export type EdgeLook = 'failed' | 'running' | 'done' | 'idle';

/**
 * How each edge is drawn: towards a running action it moves, on the way to a failed one it glows, behind what happened
 * it is solid. `states` is by action.
 */
export function edgeLooks(edges: readonly FlowEdge[], states: ReadonlyMap<string, StepState>): EdgeLook[] {
  const failedWay = new Set([...states].filter(([, state]) => state === 'error').map(([id]) => id));
  let grew = failedWay.size > 0;
  while (grew) {
    const before = failedWay.size;
    for (const { from, to } of edges) if (failedWay.has(to)) failedWay.add(from);
    grew = failedWay.size > before;
  }
  return edges.map(({ to }) => {
    const state = states.get(to);
    if (failedWay.has(to)) return 'failed';
    if (state === 'running') return 'running';
    return state === 'success' || state === 'waiting' ? 'done' : 'idle';
  });
}
