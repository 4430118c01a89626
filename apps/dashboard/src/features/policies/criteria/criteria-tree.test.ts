import type { Criterion } from '@airdeck/contracts/policies/schema';
import { expect, test } from 'vitest';
import {
  addTo,
  canMove,
  changeField,
  criteriaOf,
  type Direction,
  fieldsOf,
  type GroupNode,
  moveNode,
  newField,
  nodeAt,
  removeNode,
  setKind,
  treeOf,
} from './criteria-tree.ts';

const has = (field: string): Criterion => ({ field, operator: 'exists' });
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(has) as [Criterion, Criterion, Criterion, Criterion];
const idOf = (root: GroupNode, field: string) =>
  fieldsOf(root).find(({ criterion }) => criterion.field === field)?.id ?? 'none';

/** Moves the named field and tells the list that comes of it. */
function moved(criteria: readonly Criterion[], field: string, direction: Direction): Criterion[] {
  const root = treeOf(criteria);
  return criteriaOf(moveNode(root, idOf(root, field), direction));
}

test.each<[string, Criterion[]]>([
  ['a list', [a, b]],
  ['one criterion', [a]],
  ['any at the top', [{ any: [a, b] }]],
  ['not of one', [a, { not: b }]],
  ['not of any', [{ not: { any: [a, b] } }]],
  ['not of all', [a, { not: { all: [b, c] } }]],
  ['not of not', [a, { not: { not: b } }]],
  ['deep', [{ any: [a, { all: [b, { not: { any: [c, d] } }] }] }, d]],
  [
    'a number, a list, another field',
    [
      { field: 'a', operator: 'equals', value: 4625 },
      { field: 'b', operator: 'in', value: ['x', 5], match: 'all' },
      { field: 'c', operator: 'equals', value_field: 'd', case_sensitive: true },
    ],
  ],
])('%s is the same after it was opened and stored', (_, criteria) => {
  expect(criteriaOf(treeOf(criteria))).toEqual(criteria);
});

test('a number that was typed is stored as a number', () => {
  const root = treeOf([{ field: 'bytes', operator: 'gt', value: '1000' }]);
  expect(criteriaOf(root)).toEqual([{ field: 'bytes', operator: 'gt', value: 1000 }]);
});

test('neighbours change places, and the first goes no further', () => {
  expect(moved([a, b, c], 'b', 'up')).toEqual([b, a, c]);
  expect(moved([a, b, c], 'b', 'down')).toEqual([a, c, b]);
  expect(moved([a, b, c], 'a', 'up')).toEqual([a, b, c]);
});

test('in goes to the group beside it, or to a new one', () => {
  expect(moved([{ any: [a, b] }, c], 'c', 'in')).toEqual([{ any: [a, b, c] }]);
  expect(moved([c, { any: [a, b] }], 'c', 'in')).toEqual([{ any: [c, a, b] }]);
  expect(moved([a, b], 'b', 'in')).toEqual([a, { any: [b] }]);
});

test('out goes behind its group, which goes when nothing is left in it', () => {
  expect(moved([{ any: [a, b] }, c], 'a', 'out')).toEqual([{ any: [b] }, a, c]);
  expect(moved([{ any: [a] }, c], 'a', 'out')).toEqual([a, c]);
  const root = treeOf([a, b]);
  expect(canMove(root, idOf(root, 'a'), 'out')).toBe(false);
});

test('groups do not nest beyond what can be read', () => {
  let root = treeOf([a, b]);
  for (let times = 0; times < 20; times += 1) root = moveNode(root, idOf(root, 'b'), 'in');
  expect(JSON.stringify(criteriaOf(root)).match(/any|all/g)).toHaveLength(5);
});

test('what is removed takes empty groups with it', () => {
  const root = treeOf([a, { any: [{ all: [b] }] }]);
  expect(criteriaOf(removeNode(root, idOf(root, 'b')))).toEqual([a]);
  const last = treeOf([a]);
  expect(criteriaOf(removeNode(last, idOf(last, 'a')))).toEqual([]);
});

test('a change leaves everything else as it is, ids too', () => {
  const root = treeOf([a, { any: [b, c] }]);
  const id = idOf(root, 'b');
  const changed = changeField(root, id, { field: 'b', operator: 'equals', value: 'x' });
  expect(criteriaOf(changed)).toEqual([a, { any: [{ field: 'b', operator: 'equals', value: 'x' }, c] }]);
  expect(fieldsOf(changed).map((node) => node.id)).toEqual(fieldsOf(root).map((node) => node.id));
});

test('members are added at the end, and a group can become another kind', () => {
  const root = treeOf([a]);
  expect(criteriaOf(addTo(root, root.id, newField('z')))).toEqual([a, { field: 'z', operator: 'equals' }]);
  expect(criteriaOf(setKind(treeOf([a, b]), treeOf([a]).id, 'any'))).toEqual([a, b]);
  expect(criteriaOf(setKind(root, root.id, 'none'))).toEqual([{ not: a }]);
});

test('a problem of the server finds the criterion it is about', () => {
  const root = treeOf([a, { any: [b, { not: { any: [c, d] } }] }]);
  expect(nodeAt(root, '0.value')).toBe(idOf(root, 'a'));
  expect(nodeAt(root, '1.any.0')).toBe(idOf(root, 'b'));
  expect(nodeAt(root, '1.any.1.not.any.1.value.3')).toBe(idOf(root, 'd'));
  const negated = treeOf([{ not: { any: [c, d] } }]);
  expect(nodeAt(negated, '0.not.any.0')).toBe(idOf(negated, 'c'));
  const single = treeOf([a, { not: b }]);
  expect(nodeAt(single, '1.not.value')).toBe(idOf(single, 'b'));
  expect(nodeAt(root, '7.value')).toBeUndefined();
});
