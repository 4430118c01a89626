import { useMemo, useState } from 'react';
import { edgeLooks, type StepState } from '../../../../components/flow/edge-looks.ts';
import { type FlowLayout, NODE_HEIGHT, NODE_WIDTH } from '../../../../components/flow/flow-layout.ts';
import { useReader } from '../../../../ui/reader.ts';
import { type Builder, useBuilder } from '../builder-context.ts';
import { dependenciesOf, wordsOf } from '../document/builder-action.ts';
import type { BuilderLineType } from './builder-line.tsx';
import type { BuilderNodeType } from './builder-node.tsx';
import { placeAfter } from './graph-keys.ts';
import { createKeeper } from './keep-same.ts';
import { stepLook } from './step-look.ts';
import { useLatest } from './use-latest.ts';

type Drawing = {
  layout: FlowLayout;
  states: ReadonlyMap<string, StepState> | undefined;
  chosen: string | undefined;
  /** Always the same function. */
  onCut: (from: string, to: string) => void;
};

/** The steps and lines of the document, as they are drawn; those that look as before are the same objects as before. */
export function useDrawn({ layout, states, chosen, onCut }: Drawing): {
  nodes: BuilderNodeType[];
  edges: BuilderLineType[];
} {
  const builder = useBuilder();
  const { document: doc, known, problems } = builder;
  const { actions } = doc.definition;
  const { locale } = useReader();
  const handlers = useStepHandlers(builder);
  const [keepNodes] = useState(() => createKeeper<BuilderNodeType>());
  const [keepEdges] = useState(() => createKeeper<BuilderLineType>());
  const looks = useMemo(
    () => new Map(actions.map((action) => [action.id, stepLook(action, known, locale)])),
    [actions, known, locale],
  );
  const problemCounts = useMemo(() => {
    const counts = new Map<string, number>();
    for (const { actionId } of problems) {
      if (actionId !== undefined) counts.set(actionId, (counts.get(actionId) ?? 0) + 1);
    }
    return counts;
  }, [problems]);
  const first = doc.selection[0] ?? actions[0]?.id;
  const nodes = actions.map(
    (action): BuilderNodeType => ({
      id: action.id,
      type: 'step',
      position: layout.positions.get(action.id) ?? { x: 0, y: 0 },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      data: {
        look: looks.get(action.id) ?? stepLook(action, known, locale),
        selected: doc.selection.includes(action.id),
        inTabOrder: action.id === first,
        problems: problemCounts.get(action.id) ?? 0,
        after: dependenciesOf(action).map((id) => looks.get(id)?.name ?? wordsOf(id)),
        state: states?.get(action.id),
        locked: states !== undefined,
        ...handlers,
      },
    }),
  );
  return { nodes: keepNodes(nodes), edges: keepEdges(linesOf({ layout, states, chosen, onCut })) };
}

function linesOf({ layout, states, chosen, onCut }: Drawing): BuilderLineType[] {
  const looks = states === undefined ? [] : edgeLooks(layout.edges, states);
  return layout.edges.map(({ from, to, points }, index): BuilderLineType => {
    const id = `${from}>${to}`;
    const look = looks[index] ?? 'done';
    const isChosen = chosen === id;
    return {
      id,
      source: from,
      target: to,
      type: 'line',
      zIndex: isChosen || look === 'failed' || look === 'running' ? 1 : 0,
      data: { points, look, chosen: isChosen, onCut },
    };
  });
}

/** What a click on a step does; the same functions for as long as the graph shows. */
function useStepHandlers(builder: Builder): Pick<BuilderNodeType['data'], 'onSelect' | 'onAddAfter'> {
  const latest = useLatest(builder);
  return useMemo(
    () => ({
      onSelect: (id, adding) => {
        const { document: doc, change, side, show } = latest.current;
        const { selection } = doc;
        const toggled = selection.includes(id) ? selection.filter((each) => each !== id) : [...selection, id];
        change({ type: 'select', ids: adding ? toggled : [id] });
        if (side.show !== 'trial') show({ show: 'form' });
      },
      onAddAfter: (id) => latest.current.show({ show: 'palette', place: placeAfter(latest.current, id) }),
    }),
    [latest],
  );
}
