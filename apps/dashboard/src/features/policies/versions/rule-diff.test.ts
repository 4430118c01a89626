import { expect, test } from 'vitest';
import { diffRows } from './rule-diff.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

test('what changed stands with the lines around it, and the rest is counted', () => {
  const before = lines(20).join('\n');
  const after = lines(20).with(10, 'other').join('\n');
  const rows = diffRows(before, after);
  expect(rows.filter(({ kind }) => kind !== 'same')).toEqual([
    { kind: 'left_out', count: 7 },
    { kind: 'removed', text: 'line 10' },
    { kind: 'added', text: 'other' },
    { kind: 'left_out', count: 6 },
  ]);
});

test('a line added at the end is the only change', () => {
  expect(diffRows('a', 'a\nb').filter(({ kind }) => kind !== 'same')).toEqual([{ kind: 'added', text: 'b' }]);
});

test('texts that are the same have nothing to show', () => {
  expect(diffRows('a\nb', 'a\nb')).toEqual([{ kind: 'left_out', count: 2 }]);
});
