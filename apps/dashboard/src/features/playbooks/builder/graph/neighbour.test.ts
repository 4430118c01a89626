import { expect, test } from 'vitest';
import { layoutFlow } from '../../../../components/flow/flow-layout.ts';
import { neighbourOf, stepBefore } from './neighbour.ts';

const { positions } = layoutFlow([
  { id: 'start', dependsOn: [] },
  { id: 'upper', dependsOn: ['start'] },
  { id: 'lower', dependsOn: ['start'] },
  { id: 'end', dependsOn: ['lower'] },
]);

test.each([
  ['start', 'left', undefined],
  ['start', 'up', undefined],
  ['upper', 'down', 'lower'],
  ['lower', 'up', 'upper'],
  ['upper', 'left', 'start'],
  ['lower', 'right', 'end'],
  // Of two as near as each other, the upper one.
  ['end', 'left', 'upper'],
  ['gone', 'left', undefined],
] as const)('from %s to the %s is %s', (id, direction, next) => {
  expect(neighbourOf(positions, id, direction)).toBe(next);
});

test('what is dropped runs after the nearest step to its left, and at the start where there is none', () => {
  const end = positions.get('end') ?? { x: 0, y: 0 };
  expect(stepBefore(positions, { x: end.x + 400, y: end.y }, 180)).toBe('end');
  expect(stepBefore(positions, { x: -50, y: 0 }, 180)).toBeUndefined();
});
