import { describe, expect, it } from 'vitest';
import { edgeLooks, type StepState } from './edge-looks.ts';
import { type FlowInput, layoutFlow, NODE_HEIGHT, NODE_WIDTH } from './flow-layout.ts';

const diamond: FlowInput[] = [
  { id: 'start', dependsOn: [] },
  { id: 'left', dependsOn: ['start'] },
  { id: 'right', dependsOn: ['start'] },
  { id: 'end', dependsOn: ['left', 'right', 'start'] },
];

describe('layoutFlow', () => {
  it('puts each action in a column after everything it depends on', () => {
    const { positions } = layoutFlow(diamond);
    const x = (id: string) => positions.get(id)?.x ?? Number.NaN;
    expect(x('start')).toBe(0);
    expect(x('left')).toBeGreaterThan(x('start') + NODE_WIDTH);
    expect(x('right')).toBe(x('left'));
    expect(x('end')).toBeGreaterThan(x('left') + NODE_WIDTH);
  });

  it('never draws an edge over an action it only passes', () => {
    const { positions, edges } = layoutFlow(diamond);
    const passing = edges.find(({ from, to }) => from === 'start' && to === 'end');
    const lane = passing?.points.slice(1, -1) ?? [];
    expect(lane).toHaveLength(2);
    for (const { y } of lane) {
      for (const id of ['left', 'right']) {
        const top = positions.get(id)?.y ?? Number.NaN;
        expect(y < top || y > top + NODE_HEIGHT).toBe(true);
      }
    }
  });

  it('lets no two actions of a column overlap', () => {
    const wide = Array.from({ length: 5 }, (_, index) => ({ id: `a${index}`, dependsOn: [] }));
    const tops = [...layoutFlow(wide).positions.values()].map(({ y }) => y).sort((a, b) => a - b);
    const gaps = tops.slice(1).map((y, index) => y - (tops[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(NODE_HEIGHT);
  });

  it('draws a circle instead of never coming back, and ignores a dependency that is not there', () => {
    const { positions, edges } = layoutFlow([
      { id: 'a', dependsOn: ['b'] },
      { id: 'b', dependsOn: ['a'] },
      { id: 'c', dependsOn: ['gone'] },
    ]);
    expect(positions.size).toBe(3);
    expect(edges.every(({ from, to }) => positions.has(from) && positions.has(to))).toBe(true);
  });
});

describe('edgeLooks', () => {
  const look = (states: Record<string, StepState>) => {
    const { edges } = layoutFlow(diamond);
    const looks = edgeLooks(edges, new Map(Object.entries(states)));
    return Object.fromEntries(edges.map(({ from, to }, index) => [`${from}>${to}`, looks[index]]));
  };

  it('glows all the way to a failed action, and nowhere else', () => {
    expect(look({ start: 'success', left: 'error', right: 'success', end: 'skipped' })).toEqual({
      'start>left': 'failed',
      'start>right': 'done',
      'start>end': 'idle',
      'left>end': 'idle',
      'right>end': 'idle',
    });
  });

  it('moves towards what runs', () => {
    expect(look({ start: 'success', left: 'running', right: 'pending', end: 'pending' })).toMatchObject({
      'start>left': 'running',
      'start>right': 'idle',
    });
  });
});
