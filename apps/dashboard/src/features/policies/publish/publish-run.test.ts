import { expect, it } from 'vitest';
import { portionsOf } from './publish-run.ts';

const ids = (count: number) => Array.from({ length: count }, (_, index) => `tenant ${index}`);

it.each([
  [1, 1],
  [10, 1],
  [25, 3],
  [1000, 15],
])('%i customers are published to in %i calls, each of them once', (count, calls) => {
  const portions = portionsOf(ids(count));
  expect(portions).toHaveLength(calls);
  expect(portions.flat()).toEqual(ids(count));
});
