import { IconX } from '@tabler/icons-react';
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import type { EdgeLook } from '../../../../components/flow/edge-looks.ts';
import { edgePath } from '../../../../components/flow/edge-path.ts';
import flow from '../../../../components/flow/flow.module.css';
import type { Point } from '../../../../components/flow/flow-layout.ts';
import { t } from '../../../../language/translate.ts';
import classes from './builder-graph.module.css';

export type BuilderLineType = Edge<
  { points: readonly Point[]; look: EdgeLook; chosen: boolean; onCut: (from: string, to: string) => void },
  'line'
>;

/** A line from one step to the next; chosen with the mouse, it can be taken away. Keyboards do that in the form. */
export function BuilderLine({ source, target, data }: EdgeProps<BuilderLineType>) {
  if (data === undefined) return null;
  const middle = middleOf(data.points);
  return (
    <>
      <BaseEdge
        path={edgePath(data.points)}
        interactionWidth={16}
        className={`${flow.line} ${data.chosen ? classes.chosen : flow[data.look]}`}
      />
      {data.chosen ? (
        <EdgeLabelRenderer>
          <button
            type="button"
            className={`nopan nodrag ${classes.cut}`}
            style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
            aria-label={t('Let {target} no longer run after {source}', { target, source })}
            onClick={() => data.onCut(source, target)}
          >
            <IconX size={12} aria-hidden />
          </button>
        </EdgeLabelRenderer>
      ) : null}
    </>
  );
}

function middleOf(points: readonly Point[]): Point {
  const at = Math.max(0, Math.floor(points.length / 2) - 1);
  const one = points[at] ?? { x: 0, y: 0 };
  const other = points[at + 1] ?? one;
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
