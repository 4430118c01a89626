import { edgeLooks, type StepState } from '../../../../components/flow/edge-looks.ts';
import { type FlowLayout, NODE_HEIGHT, NODE_WIDTH } from '../../../../components/flow/flow-layout.ts';
import { useReader } from '../../../../ui/reader.ts';
import { useBuilder } from '../builder-context.ts';
import { dependenciesOf } from '../document/builder-action.ts';
import type { BuilderLineType } from './builder-line.tsx';
import type { BuilderNodeType } from './builder-node.tsx';
import { placeAfter } from './graph-keys.ts';
import { stepLook } from './step-look.ts';
import { useStepNames } from './use-step-names.ts';

type Drawing = {
  layout: FlowLayout;
  states: ReadonlyMap<string, StepState> | undefined;
  chosen: string | undefined;
  onCut: (from: string, to: string) => void;
};

/** The steps and lines of the document, as they are drawn. */
export function useDrawn({ layout, states, chosen, onCut }: Drawing): {
  nodes: BuilderNodeType[];
  edges: BuilderLineType[];
} {
  const builder = useBuilder();
  const { document: doc, change, known, problems, show } = builder;
  const { locale } = useReader();
  const nameOf = useStepNames();
  const { actions } = doc.definition;
  const first = doc.selection[0] ?? actions[0]?.id;
  const nodes = actions.map(
    (action): BuilderNodeType => ({
      id: action.id,
      type: 'step',
      position: layout.positions.get(action.id) ?? { x: 0, y: 0 },
      width: NODE_WIDTH,
      height: NODE_HEIGHT,
      data: {
        look: stepLook(action, known, locale),
        selected: doc.selection.includes(action.id),
        inTabOrder: action.id === first,
        problems: problems.filter(({ actionId }) => actionId === action.id).length,
        after: dependenciesOf(action).map(nameOf),
        state: states?.get(action.id),
        locked: states !== undefined,
        onSelect: (id, adding) => {
          const { selection } = doc;
          const toggled = selection.includes(id) ? selection.filter((each) => each !== id) : [...selection, id];
          change({ type: 'select', ids: adding ? toggled : [id] });
          if (builder.side.show !== 'trial') show({ show: 'form' });
        },
        onAddAfter: (id) => show({ show: 'palette', place: placeAfter(builder, id) }),
      },
    }),
  );
  const looks = states === undefined ? [] : edgeLooks(layout.edges, states);
  const edges = layout.edges.map(({ from, to, points }, index): BuilderLineType => {
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
  return { nodes, edges };
}
