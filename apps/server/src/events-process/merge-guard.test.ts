import { expect, it } from 'vitest';
import { diskMarks } from './disk-space.ts';
import { createMergeGuard } from './merge-guard.ts';

function setUp(fails: () => boolean = () => false) {
  const orders: string[] = [];
  const guard = createMergeGuard(async (statement) => {
    orders.push(statement);
    if (fails()) throw new Error('engine busy');
  });
  const look = async (free: number) => {
    guard.onSpace(free);
    // The order and what follows it are done before the next look.
    await new Promise(setImmediate);
  };
  return { orders, look };
}

it('stops merges once when space is short and starts them once when there is plenty again', async () => {
  const { orders, look } = setUp();
  for (const free of [diskMarks.mergesResume + 1, diskMarks.mergesStop - 1, diskMarks.mergesStop - 2]) await look(free);
  expect(orders).toEqual(['system stop merges']);
  await look(diskMarks.mergesStop + 1);
  expect(orders).toEqual(['system stop merges']);
  await look(diskMarks.mergesResume + 1);
  await look(diskMarks.mergesResume + 2);
  expect(orders).toEqual(['system stop merges', 'system start merges']);
});

it('gives an order again when it failed', async () => {
  let failures = 2;
  const { orders, look } = setUp(() => failures-- > 0);
  for (let n = 0; n < 4; n++) await look(0);
  expect(orders).toEqual(Array.from({ length: 3 }, () => 'system stop merges'));
});
