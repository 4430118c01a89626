import { expect, test } from 'vitest';
import { runBundleBench } from '../../tools/bench/bundle-bench.mjs';
import { bundleLimits } from '../../tools/bench/bundle-limits.mjs';

test('a first visit loads no more JavaScript than is allowed', () => {
  const figures = runBundleBench();
  const over = Object.entries(bundleLimits).filter(
    ([name, { atMost }]) => figures[name as keyof typeof figures].value > atMost,
  );
  expect(over.map(([name]) => `${name}: ${figures[name as keyof typeof figures].value} kB`)).toEqual([]);
});
