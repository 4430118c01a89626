import { expect, test } from 'vitest';
import { createKeeper } from './keep-same.ts';

const parts = (...sizes: number[]) => sizes.map((size, index) => ({ id: `part_${index}`, data: { size } }));

test('what did not change is the same object as before, and a list in which nothing did the same list', () => {
  const keep = createKeeper<{ id: string; data: { size: number } }>();
  const first = keep(parts(1, 2, 3));
  expect(keep(parts(1, 2, 3))).toBe(first);
  const next = keep(parts(1, 7, 3));
  expect(next.map((part, index) => part === first[index])).toEqual([true, false, true]);
  expect(next[1]?.data.size).toBe(7);
});

test('what comes, goes or moves is seen, and the rest kept', () => {
  const keep = createKeeper<{ id: string; data: { size: number } }>();
  const [one, two, three] = keep(parts(1, 2, 3));
  const without = keep(parts(1, 2, 3).toSpliced(1, 1));
  expect(without).toHaveLength(2);
  expect(without[1]).toBe(three);
  const turned = keep(parts(1, 2, 3).toReversed());
  expect(turned.map(({ id }) => id)).toEqual(['part_2', 'part_1', 'part_0']);
  expect([turned[0], turned[2]]).toEqual([three, one]);
  // It was gone meanwhile, so it is a new one.
  expect(turned[1]).not.toBe(two);
});
