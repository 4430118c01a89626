import '@xyflow/react/dist/base.css';
import { Controls, MiniMap, ReactFlow, type ReactFlowInstance } from '@xyflow/react';
import { useMemo, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { runStatusLooks } from '../status-table.ts';
import { edgeLooks } from './edge-looks.ts';
import { firstView } from './first-view.ts';
import classes from './flow.module.css';
import { drawingHeight, type FlowLayout, MAP_HEIGHT, NODE_HEIGHT, NODE_WIDTH, needsMap } from './flow-layout.ts';
import { FlowLine, type FlowLineType } from './flow-line.tsx';
import { FlowNode, type FlowNodeType, type FlowStep } from './flow-node.tsx';
import { revealStep } from './reveal-step.ts';

const nodeTypes = { step: FlowNode };
const edgeTypes = { line: FlowLine };
const MAP_WIDTH = 200;

type Props = {
  /** Accessible name. */
  label: string;
  layout: FlowLayout;
  nodes: readonly FlowStep[];
  onOpen: (id: string) => void;
};

/** A playbook's actions left to right, drawn with their present states where it runs. */
export function FlowGraph({ label, layout, nodes, onOpen }: Props) {
  const root = useRef<HTMLDivElement>(null);
  const flow = useRef<ReactFlowInstance<FlowNodeType, FlowLineType>>(undefined);
  const [overflows, setOverflows] = useState(false);
  const flowNodes = useMemo(() => {
    const { positions } = layout;
    const onFocus = (id: string) => revealStep({ id, root: root.current, flow: flow.current, positions });
    return nodes.map((step) => flowNode(step, layout, { onOpen, onFocus }));
  }, [nodes, layout, onOpen]);
  const flowEdges = useMemo(() => flowLines(layout, nodes), [nodes, layout]);
  return (
    <div ref={root} className={`${classes.root} ${classes.framed}`}>
      <ReactFlow<FlowNodeType, FlowLineType>
        aria-label={label}
        nodes={flowNodes}
        edges={flowEdges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        minZoom={0.4}
        maxZoom={1.25}
        onInit={(instance) => {
          flow.current = instance;
          const screen = { width: root.current?.clientWidth ?? layout.width, height: drawingHeight(layout) };
          const view = firstView(layout, screen, attentionAt(nodes));
          setOverflows(view.overflows);
          void instance.setViewport(view.viewport);
        }}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnScroll={false}
        zoomOnDoubleClick={false}
        preventScrolling={false}
      >
        {overflows ? (
          <Controls
            showInteractive={false}
            position="bottom-right"
            orientation="horizontal"
            className={classes.controls ?? ''}
          />
        ) : null}
        {needsMap(layout) ? (
          <MiniMap<FlowNodeType>
            className={classes.map ?? ''}
            ariaLabel={t('Small map of the actions')}
            position="bottom-left"
            style={{ height: MAP_HEIGHT, width: MAP_WIDTH }}
            pannable
            nodeColor={({ data: { state } }) =>
              state === undefined ? 'var(--air-text-3)' : runStatusLooks[state].color
            }
            nodeBorderRadius={8}
          />
        ) : null}
      </ReactFlow>
    </div>
  );
}

type NodeEvents = Pick<FlowNodeType['data'], 'onOpen' | 'onFocus'>;

function flowNode(step: FlowStep, { positions }: FlowLayout, events: NodeEvents): FlowNodeType {
  return {
    id: step.id,
    type: 'step',
    position: positions.get(step.id) ?? { x: 0, y: 0 },
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    data: { ...step, ...events },
  };
}

function flowLines({ edges }: FlowLayout, nodes: readonly FlowStep[]): FlowLineType[] {
  const states = new Map(nodes.flatMap(({ id, state }) => (state === undefined ? [] : [[id, state] as const])));
  const looks = edgeLooks(edges, states);
  return edges.map(({ from, to, points }, index) => {
    // Without states there is nothing that has yet to happen: every line is solid.
    const look = states.size === 0 ? 'done' : (looks[index] ?? 'idle');
    return {
      id: `${from}>${to}`,
      source: from,
      target: to,
      type: 'line',
      // What glows or moves lies over what does not.
      zIndex: look === 'idle' || look === 'done' ? 0 : 1,
      data: { points, look },
    };
  });
}

/** The action to have in sight first: what waits, failed or runs, else the beginning. */
function attentionAt(nodes: readonly FlowStep[]): string | undefined {
  const first = (state: FlowStep['state']) => nodes.find((node) => node.state === state)?.id;
  return first('waiting') ?? first('error') ?? first('running') ?? nodes[0]?.id;
}
