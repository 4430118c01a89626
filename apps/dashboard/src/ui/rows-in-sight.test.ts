import { expect, test } from 'vitest';
import { planRows, rowsBetween } from './rows-in-sight.ts';

const plan = planRows([40, 52, 52, 40, 52]);

test('rows stand one below the other, whatever their heights', () => {
  expect(plan).toEqual({ tops: [0, 40, 92, 144, 184], height: 236 });
  expect(planRows([])).toEqual({ tops: [], height: 0 });
});

test('a row that is only half in sight is drawn, one that only touches the edge is not needed', () => {
  expect(rowsBetween(plan, { top: 50, bottom: 100 })).toEqual({ from: 1, to: 3 });
  expect(rowsBetween(plan, { top: 40, bottom: 92 })).toEqual({ from: 1, to: 2 });
  expect(rowsBetween(plan, { top: -500, bottom: 10 })).toEqual({ from: 0, to: 1 });
  expect(rowsBetween(plan, { top: -500, bottom: 5000 })).toEqual({ from: 0, to: 5 });
});

test('beyond both ends there is nothing', () => {
  expect(rowsBetween(plan, { top: 236, bottom: 900 })).toEqual({ from: 0, to: 0 });
  expect(rowsBetween(plan, { top: -300, bottom: 0 })).toEqual({ from: 0, to: 0 });
  expect(rowsBetween(planRows([]), { top: 0, bottom: 800 })).toEqual({ from: 0, to: 0 });
});
