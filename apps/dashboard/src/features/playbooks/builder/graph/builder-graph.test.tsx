import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { NodeProps } from '@xyflow/react';
import { useEffect, useReducer, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { BuilderProvider, type Side } from '../builder-context.ts';
import { type BuilderAction, emptyDefinition } from '../document/builder-action.ts';
import { type Change, changeDocument, openDocument } from '../document/builder-document.ts';
import type { PlacedProblem } from '../document/problem-places.ts';
import { dragStep } from '../palette/dragged-step.ts';
import { BuilderGraph } from './builder-graph.tsx';
import { BuilderNode, type BuilderNodeType, nodeElementId } from './builder-node.tsx';

vi.setConfig({ testTimeout: 60_000 });

const COLUMNS = 20;

/** Ids of the steps in the order they were drawn. Lines are not drawn here: they need sizes of a real layout. */
let drawn: string[] = [];

const nodeTypes = {
  step: (props: NodeProps<BuilderNodeType>) => {
    drawn.push(props.id);
    return <BuilderNode {...props} />;
  },
};

const known = { actions: new Map(), playbooks: new Map() };

function idOf(index: number): string {
  return `step_${index}`;
}

/** Rows of twenty steps, each after the one to its left. */
function steps(count: number): BuilderAction[] {
  return Array.from({ length: count }, (_, index) => {
    const depends_on = index % COLUMNS === 0 ? undefined : [idOf(index - 1)];
    return { id: idOf(index), kind: 'delay', seconds: 60, ...(depends_on && { depends_on }) };
  });
}

function opened(count: number) {
  return openDocument({ ...emptyDefinition('Large'), actions: steps(count) });
}

type Hands = { change: (change: Change) => void; find: (problems: readonly PlacedProblem[]) => void };

/** A builder of the test's around the graph; `onHands` gets what changes it. */
function TestBuilder({ count, onHands }: { count: number; onHands: (hands: Hands) => void }) {
  const [doc, change] = useReducer(changeDocument, count, opened);
  const [side, show] = useState<Side>({ show: 'form' });
  const [problems, find] = useState<readonly PlacedProblem[]>([]);
  useEffect(() => onHands({ change, find }), [onHands]);
  const [said, announce] = useState('');
  const yaml = { unread: false, setUnread: () => undefined };
  const builder = { id: 'large', document: doc, change, problems, known, ...yaml, side, show, announce };
  return (
    <BuilderProvider value={builder}>
      <div style={{ width: 800, height: 600 }}>
        <BuilderGraph states={undefined} onOpen={() => undefined} nodeTypes={nodeTypes} />
      </div>
      <output data-testid="now">
        {JSON.stringify({ selection: doc.selection, count: doc.definition.actions.length, side, said })}
      </output>
    </BuilderProvider>
  );
}

/** Shows so many steps; answers what changes them. */
function showGraph(count = 60): Hands {
  let hands: Hands | undefined;
  render(
    <MantineProvider env="test">
      <TestBuilder
        count={count}
        onHands={(given) => {
          hands = given;
        }}
      />
    </MantineProvider>,
  );
  expect(new Set(drawn).size).toBe(count);
  drawn = [];
  return {
    change: (change) => act(() => hands?.change(change)),
    find: (problems) => act(() => hands?.find(problems)),
  };
}

const step = (id: string) => document.getElementById(nodeElementId(id));
const shown = () =>
  JSON.parse(screen.getByTestId('now').textContent ?? '') as {
    selection: string[];
    count: number;
    side: Side;
    said: string;
  };

beforeEach(() => {
  drawn = [];
});

test('typing in one step draws that step anew and none of the other 199', () => {
  const { change } = showGraph(200);
  for (const seconds of [120, 180, 240]) {
    change({ type: 'change', id: 'step_7', fields: { seconds }, typing: 'seconds' });
  }
  expect(drawn).toEqual(['step_7', 'step_7', 'step_7']);
  expect(step('step_7')?.textContent).toContain('4 min');
});

test('the name and description of the playbook draw no step anew', () => {
  const { change } = showGraph();
  const metadata = { ...emptyDefinition('Larger').metadata, description: 'Many steps.' };
  change({ type: 'settings', fields: { metadata } });
  expect(drawn).toEqual([]);
});

test('selecting draws the two whose looks change', () => {
  const { change } = showGraph();
  change({ type: 'select', ids: ['step_3'] });
  drawn = [];
  change({ type: 'select', ids: ['step_9'] });
  expect(drawn.toSorted()).toEqual(['step_3', 'step_9']);
});

test('a problem that is found draws its step', () => {
  const { find } = showGraph();
  find([{ actionId: 'step_5', field: 'seconds', message: 'Too long.' }]);
  expect(drawn).toEqual(['step_5']);
  expect(step('step_5')?.getAttribute('aria-label')).toContain('1 problem');
});

test('a step that goes is gone, and what came after it now comes after what was before', () => {
  const { change } = showGraph();
  change({ type: 'delete', ids: ['step_2'] });
  expect(step('step_2')).toBeNull();
  expect(step('step_3')?.getAttribute('aria-label')).toContain('runs after Step 1');
});

test('a click acts on what is there now, although the step was drawn before', () => {
  const { change } = showGraph();
  change({ type: 'select', ids: ['step_3'] });
  // Adds to the selection of now; the step itself was last drawn when nothing was selected.
  fireEvent.click(step('step_9') as HTMLElement, { ctrlKey: true });
  expect(shown().selection).toEqual(['step_3', 'step_9']);
  change({ type: 'connect', from: 'step_9', to: 'step_41' });
  fireEvent.click(screen.getByLabelText('Add a step after Step 9'));
  expect(shown().side).toEqual({ show: 'palette', place: { after: ['step_9'], before: ['step_10', 'step_41'] } });
});

test('no step is copied beyond what a playbook may have, and why is said instead of that it was', () => {
  const { change } = showGraph(199);
  change({ type: 'select', ids: ['step_0', 'step_1'] });
  fireEvent.keyDown(step('step_0') as HTMLElement, { key: 'd', ctrlKey: true });
  expect(shown()).toMatchObject({ count: 199, said: 'A playbook has at most 200 steps.' });
  fireEvent.keyDown(step('step_5') as HTMLElement, { key: 'd', ctrlKey: true });
  expect(shown()).toMatchObject({ count: 200, said: expect.stringContaining('duplicated') });
});

test('a step dropped on a full playbook stays out, and why is said', () => {
  showGraph(200);
  dragStep({ id: 'more', kind: 'delay', seconds: 1 });
  fireEvent.drop(step('step_0') as HTMLElement);
  expect(shown()).toMatchObject({ count: 200, said: 'A playbook has at most 200 steps.' });
});
