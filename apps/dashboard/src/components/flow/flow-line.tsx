import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import type { EdgeLook } from './edge-looks.ts';
import { edgePath } from './edge-path.ts';
import classes from './flow.module.css';
import type { Point } from './flow-layout.ts';

export type FlowLineType = Edge<{ points: readonly Point[]; look: EdgeLook }, 'line'>;

/** A line in right angles from one action to the next. */
export function FlowLine({ data }: EdgeProps<FlowLineType>) {
  if (data === undefined) return null;
  return <BaseEdge path={edgePath(data.points)} className={`${classes.line} ${classes[data.look]}`} />;
}
