import { expect, it } from 'vitest';
import { createByteBudget } from './byte-budget.ts';
import { createUnfinishedFrames } from './unfinished-frames.ts';

it('gives up the connection that holds the most, not the one that came last, and takes what it held off the budget', () => {
  const budget = createByteBudget(1_000);
  const unfinished = createUnfinishedFrames({ budget, maxBytes: 500 });
  const givenUp: string[] = [];
  const connection = (name: string) => ({ giveUp: () => givenUp.push(name) });
  const [large, middle, small] = [connection('large'), connection('middle'), connection('small')];
  unfinished.hold(middle, 200);
  unfinished.hold(large, 250);
  unfinished.hold(small, 50);
  expect({ givenUp, used: budget.used }).toEqual({ givenUp: [], used: 500 });
  unfinished.hold(small, 51);
  expect({ givenUp, used: budget.used }).toEqual({ givenUp: ['large'], used: 251 });
  unfinished.hold(large, 0);
  unfinished.hold(middle, 0);
  unfinished.hold(small, 0);
  expect(budget.used).toBe(0);
});
