import { t } from '../../../../language/translate.ts';
import '@xyflow/react/dist/base.css';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Controls, MiniMap, type NodeTypes, ReactFlow } from '@xyflow/react';
import { type DragEvent, useCallback, useMemo, useRef, useState } from 'react';
import type { StepState } from '../../../../components/flow/edge-looks.ts';
import drawing from '../../../../components/flow/flow.module.css';
import { type FlowInput, layoutFlow, NODE_WIDTH, needsMap } from '../../../../components/flow/flow-layout.ts';
import { revealStep } from '../../../../components/flow/reveal-step.ts';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { addSteps } from '../add-steps.ts';
import { useBuilder } from '../builder-context.ts';
import { circleThrough } from '../document/action-graph.ts';
import { dependenciesOf, wordsOf } from '../document/builder-action.ts';
import { circleWords } from '../document/local-problems.ts';
import { takeDragged } from '../palette/dragged-step.ts';
import classes from './builder-graph.module.css';
import { BuilderLine, type BuilderLineType } from './builder-line.tsx';
import { BuilderNode, type BuilderNodeType, nodeElementId } from './builder-node.tsx';
import { dropPlace } from './drop-place.ts';
import { pressOnStep } from './graph-keys.ts';
import { type Flow, fitting, useFollowing } from './in-sight.ts';
import { stepBefore } from './neighbour.ts';
import { useDrawn } from './use-drawn.ts';
import { useLatest } from './use-latest.ts';
import { useStepNames } from './use-step-names.ts';

const ownNodes: NodeTypes = { step: BuilderNode };
const edgeTypes = { line: BuilderLine };

/** What adds a step after another stands there. */
const NEXT_STEP_PX = 56;
const mapSize = { height: 72, width: 180 };

type Props = {
  /** How the steps went in a trial; undefined where none shows. */
  states: ReadonlyMap<string, StepState> | undefined;
  /** Leads into the form of the selected step. */
  onOpen: () => void;
  /** What draws a step; another one only to see which are drawn when. */
  nodeTypes?: NodeTypes;
};

/** The playbook as a graph that can be changed: by mouse, and by keys when a step has the focus. */
export function BuilderGraph({ states, onOpen, nodeTypes = ownNodes }: Props) {
  const builder = useBuilder();
  const { document: doc, change, show, announce } = builder;
  const { actions } = doc.definition;
  const nameOf = useStepNames();
  const root = useRef<HTMLDivElement>(null);
  const flow = useRef<Flow>(undefined);
  const [dropping, setDropping] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const locked = states !== undefined;
  // Steps are placed anew when one comes, goes or waits for another, not when something is typed in one.
  const order = JSON.stringify(actions.map((action) => ({ id: action.id, dependsOn: dependenciesOf(action) })));
  const layout = useMemo(() => layoutFlow(JSON.parse(order) as FlowInput[]), [order]);
  const reveal = (id: string) =>
    revealStep({ id, root: root.current, flow: flow.current, positions: layout.positions, after: NEXT_STEP_PX });
  useFollowing(doc.selection, actions.length, reveal, flow);
  const latest = useLatest({ change, announce, nameOf });
  const onCut = useCallback(
    (from: string, to: string) => {
      setChosen(undefined);
      latest.current.change({ type: 'disconnect', from, to });
      latest.current.announce(
        t('{to} no longer runs after {from}', { to: latest.current.nameOf(to), from: latest.current.nameOf(from) }),
      );
    },
    [latest],
  );
  // Handed on to every line, which another function would draw anew.
  const chooseLine = useCallback(
    (_: unknown, { id }: BuilderLineType) => {
      if (!locked) setChosen((before) => (before === id ? undefined : id));
    },
    [locked],
  );
  const { nodes, edges } = useDrawn({ layout, states, chosen, onCut });

  const focusStep = (id: string) => {
    reveal(id);
    requestAnimationFrame(() => document.getElementById(nodeElementId(id))?.focus({ preventScroll: true }));
  };
  const refuse = (from: string, to: string): boolean => {
    const circle = circleThrough(actions, { from, to });
    if (circle !== undefined) announce(from === to ? t('A step cannot run after itself.') : circleWords(circle));
    return circle !== undefined;
  };
  const drop = (event: DragEvent) => {
    setDropping(false);
    const dragged = takeDragged();
    if (dragged === undefined) return;
    event.preventDefault();
    const place = dropPlace(event, () => {
      const point = flow.current?.screenToFlowPosition({ x: event.clientX, y: event.clientY });
      return point && stepBefore(layout.positions, point, NODE_WIDTH / 2);
    });
    const added = t('{name} added', { name: wordsOf(dragged.id) });
    if (addSteps(builder, { type: 'add', action: dragged, ...place }, added)) show({ show: 'form' });
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: steps inside have the focus; the palette is the keyboard's way to add
    <div
      ref={root}
      className={`${drawing.framed} ${classes.root} ${dropping ? classes.drop : ''}`}
      onDragOver={(event) => {
        if (locked) return;
        event.preventDefault();
        setDropping(true);
      }}
      onDragLeave={() => setDropping(false)}
      onDrop={drop}
      onKeyDown={(event) => {
        const focused = event.target instanceof HTMLElement ? event.target.dataset.stepId : undefined;
        if (focused === undefined) return;
        const done = pressOnStep(event, { builder, layout, focused, locked, onFocus: focusStep, onOpen });
        if (done) event.preventDefault();
      }}
    >
      <ReactFlow<BuilderNodeType, BuilderLineType>
        aria-label={t('Steps of this playbook')}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        minZoom={0.3}
        maxZoom={1.5}
        onInit={(instance) => {
          flow.current = instance;
          void instance.fitView(fitting);
        }}
        nodesDraggable={false}
        nodesConnectable={!locked}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        connectOnClick={false}
        isValidConnection={({ source, target }) => circleThrough(actions, { from: source, to: target }) === undefined}
        onConnect={({ source, target }) => {
          change({ type: 'connect', from: source, to: target });
          announce(t('{to} runs after {from}', { to: nameOf(target), from: nameOf(source) }));
        }}
        onConnectEnd={(_, { fromNode, toNode, fromHandle, isValid }) => {
          if (fromNode === null || toNode === null || isValid === true) return;
          const isForward = fromHandle?.type === 'source';
          if (isForward) refuse(fromNode.id, toNode.id);
          else refuse(toNode.id, fromNode.id);
        }}
        onPaneClick={() => {
          setChosen(undefined);
          change({ type: 'select', ids: [] });
        }}
        onEdgeClick={chooseLine}
        preventScrolling
      >
        {actions.length === 0 ? null : (
          <Controls
            showInteractive={false}
            position="bottom-left"
            orientation="horizontal"
            fitViewOptions={fitting}
            className={`${drawing.controls} ${classes.controls}`}
          />
        )}
        {needsMap(layout) ? (
          <MiniMap<BuilderNodeType>
            className={drawing.map ?? ''}
            ariaLabel={t('Small map of the steps')}
            position="bottom-right"
            style={mapSize}
            pannable
            nodeColor={mapColor}
          />
        ) : null}
      </ReactFlow>
      {actions.length === 0 ? <FirstStep /> : null}
    </div>
  );
}

function mapColor({ data }: BuilderNodeType): string {
  return data.selected ? 'var(--air-accent)' : 'var(--air-control-border)';
}

/** What an empty playbook says. */
function FirstStep() {
  const { show, side } = useBuilder();
  return (
    <div className={classes.empty}>
      <EmptyState
        title={t('Nothing happens yet')}
        action={
          side.show === 'palette' ? undefined : (
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => show({ show: 'palette', place: { after: [], before: [] } })}
            >
              {t('Add the first step')}
            </Button>
          )
        }
      >
        {t('Choose what the playbook does first: look something up, ask somebody, or act on a product.')}
      </EmptyState>
    </div>
  );
}
