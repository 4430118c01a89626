import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FlowGraph } from './flow-graph.tsx';
import { layoutFlow, MARGIN, NODE_WIDTH } from './flow-layout.ts';

vi.setConfig({ testTimeout: 60_000 });

const SIZE = { clientWidth: 600, clientHeight: 200 };

// jsdom has no layout.
beforeEach(() => {
  for (const [name, pixels] of Object.entries(SIZE)) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => pixels });
  }
});
afterEach(() => {
  for (const name of Object.keys(SIZE)) Reflect.deleteProperty(HTMLElement.prototype, name);
});

/** Steps in a row, and from where to where one is drawn. */
async function showSteps(count: number) {
  const ids = Array.from({ length: count }, (_, index) => `Step ${index + 1}`);
  const layout = layoutFlow(ids.map((id, index) => ({ id, dependsOn: ids.slice(Math.max(0, index - 1), index) })));
  const nodes = ids.map((id) => ({
    ...{ id, name: id, what: 'Waits', kind: 'delay' as const, vendor: undefined, state: undefined },
  }));
  render(
    <MantineProvider env="test">
      <FlowGraph label="Steps" layout={layout} nodes={nodes} onOpen={() => undefined} />
    </MantineProvider>,
  );
  const drawing = document.querySelector<HTMLElement>('.react-flow__viewport');
  const moved = () => /translate\((-?[\d.]+)px.*scale\(([\d.]+)\)/.exec(drawing?.style.transform ?? '')?.map(Number);
  await waitFor(() => expect(moved()?.[1]).toBe(MARGIN));
  const edgesOf = (id: string) => {
    const [, x = Number.NaN, zoom = Number.NaN] = moved() ?? [];
    const left = (layout.positions.get(id)?.x ?? Number.NaN) * zoom + x;
    return { left, right: left + NODE_WIDTH * zoom };
  };
  // By keyboard, whatever was clicked before: the focus is to be seen then.
  const focus = (id: string) => {
    fireEvent.keyDown(document.body, { key: 'Tab' });
    act(() => screen.getByTitle(`${id} · Waits`).focus());
  };
  return { edgesOf, focus };
}

beforeEach(() => void fireEvent.click(document.body));

test('a step out of sight that gets the focus comes into sight, and the first one again', async () => {
  const { edgesOf, focus } = await showSteps(8);
  expect(edgesOf('Step 8').left).toBeGreaterThan(SIZE.clientWidth);
  focus('Step 8');
  await waitFor(() => expect(edgesOf('Step 8').right).toBeLessThan(SIZE.clientWidth));
  expect(edgesOf('Step 1').left).toBeLessThan(0);
  focus('Step 1');
  await waitFor(() => expect(edgesOf('Step 1').left).toBeGreaterThan(0));
});

test('what is in sight as a whole does not move', async () => {
  const { edgesOf, focus } = await showSteps(2);
  focus('Step 2');
  await act(async () => undefined);
  expect(edgesOf('Step 1').left).toBe(MARGIN);
});
