/**
 * The criteria of a policy while they are edited: the same tree with an id per node, so that fields keep their focus and
 * an edit names what it means. A list of criteria is a group of kind `all`; `not` is a group of kind `none`.
 */
import type { Criterion, FieldCriterion } from '@airdeck/contracts/policies/schema';
import type { GroupKind } from './criterion-words.ts';
import { numberOf, operatorTable } from './operators.ts';

export type FieldNode = { readonly id: string; readonly kind: 'field'; readonly criterion: FieldCriterion };
export type GroupNode = {
  readonly id: string;
  readonly kind: 'group';
  readonly of: GroupKind;
  readonly members: readonly CriteriaNode[];
};
type CriteriaNode = FieldNode | GroupNode;

/** Depth of groups the builder offers; what is read may be deeper. */
export const MAX_DEPTH = 6;

let lastId = 0;
/** Only has to differ within one page. */
function newId(): string {
  lastId += 1;
  return `criterion-${lastId}`;
}

export function newField(field = '', value?: string): FieldNode {
  const criterion: FieldCriterion = { field, operator: 'equals', ...(value === undefined ? {} : { value }) };
  return { id: newId(), kind: 'field', criterion };
}

export function newGroup(of: GroupKind, members: readonly CriteriaNode[] = [newField()]): GroupNode {
  return { id: newId(), kind: 'group', of, members };
}

/** The tree of a list of criteria. */
export function treeOf(criteria: readonly Criterion[]): GroupNode {
  const nodes = criteria.map(nodeOf);
  const [only] = nodes;
  return nodes.length === 1 && only?.kind === 'group' ? only : newGroup('all', nodes);
}

function nodeOf(criterion: Criterion): CriteriaNode {
  if ('field' in criterion) return { id: newId(), kind: 'field', criterion };
  if ('any' in criterion) return newGroup('any', criterion.any.map(nodeOf));
  if ('all' in criterion) return newGroup('all', criterion.all.map(nodeOf));
  const { not } = criterion;
  return newGroup('none', 'any' in not ? not.any.map(nodeOf) : [nodeOf(not)]);
}

/** The list of criteria of a tree, as it is stored; groups without members are left out. */
export function criteriaOf(root: GroupNode): Criterion[] {
  if (root.of === 'all') return root.members.flatMap((member) => criterionOf(member) ?? []);
  const only = criterionOf(root);
  return only === undefined ? [] : [only];
}

function criterionOf(node: CriteriaNode): Criterion | undefined {
  if (node.kind === 'field') return storedField(node.criterion);
  const members = node.members.flatMap((member) => criterionOf(member) ?? []);
  const [only] = members;
  if (only === undefined) return undefined;
  if (node.of === 'all') return { all: members };
  if (node.of === 'any') return { any: members };
  return { not: members.length === 1 ? only : { any: members } };
}

/** A number is typed as text, and stored as the number it is. */
function storedField(criterion: FieldCriterion): FieldCriterion {
  const { field, value } = criterion;
  const number =
    operatorTable[criterion.operator].operand === 'number' && typeof value === 'string' ? numberOf(value) : undefined;
  return { ...criterion, field: field.trim(), ...(number === undefined ? {} : { value: number }) };
}

/** Where each node stands in the stored list: `0.any.1`. Nodes that are left out have no place. */
export function placesOf(root: GroupNode): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  const visit = (node: CriteriaNode, place: string): void => {
    places.set(place, node.id);
    if (node.kind === 'field') return;
    const kept = node.members.filter((member) => criterionOf(member) !== undefined);
    const step = node.of === 'none' ? (kept.length === 1 ? undefined : 'not.any') : node.of;
    kept.forEach((member, index) => {
      visit(member, step === undefined ? `${place}.not` : `${place}.${step}.${index}`);
    });
  };
  if (root.of !== 'all') visit(root, '0');
  else {
    root.members
      .filter((member) => criterionOf(member) !== undefined)
      .forEach((member, index) => {
        visit(member, String(index));
      });
  }
  return places;
}

/** The node a place of the stored list is about; the nearest above it when the place lies inside (`0.any.1.value`). */
export function nodeAt(root: GroupNode, place: string): string | undefined {
  const places = placesOf(root);
  for (let rest = place; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('.')))) {
    const found = places.get(rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Field nodes in the order they are read. */
export function fieldsOf(node: CriteriaNode): FieldNode[] {
  return node.kind === 'field' ? [node] : node.members.flatMap(fieldsOf);
}

export function changeField(root: GroupNode, id: string, criterion: FieldCriterion): GroupNode {
  return mapped(root, (node) => (node.id === id && node.kind === 'field' ? { ...node, criterion } : node));
}

export function setKind(root: GroupNode, id: string, of: GroupKind): GroupNode {
  return mapped(root, (node) => (node.id === id && node.kind === 'group' ? { ...node, of } : node));
}

export function addTo(root: GroupNode, groupId: string, added: CriteriaNode): GroupNode {
  return mapped(root, (node) =>
    node.id === groupId && node.kind === 'group' ? { ...node, members: [...node.members, added] } : node,
  );
}

/** Without the node, and without groups that have nothing left. The root stays. */
export function removeNode(root: GroupNode, id: string): GroupNode {
  return { ...root, members: without(root.members, id) };
}

function without(members: readonly CriteriaNode[], id: string): CriteriaNode[] {
  return members.flatMap((member): CriteriaNode[] => {
    if (member.id === id) return [];
    if (member.kind === 'field') return [member];
    const left = without(member.members, id);
    return left.length === 0 ? [] : [{ ...member, members: left }];
  });
}

export type Direction = 'up' | 'down' | 'in' | 'out';

/**
 * Moves a node: up and down among its neighbours, in to the neighbouring group (a new one when there is none), out behind
 * its group. The same tree when there is no such way.
 */
export function moveNode(root: GroupNode, id: string, direction: Direction): GroupNode {
  const parent = parentOf(root, id);
  const index = parent?.members.findIndex((member) => member.id === id) ?? -1;
  const node = parent?.members[index];
  if (parent === undefined || node === undefined) return root;
  if (direction === 'out') return movedOut(root, parent, node);
  if (direction === 'in') return movedIn(root, parent, index);
  const other = direction === 'up' ? index - 1 : index + 1;
  const neighbour = parent.members[other];
  if (neighbour === undefined) return root;
  const members = parent.members.with(other, node).with(index, neighbour);
  return withMembers(root, parent.id, members);
}

function movedOut(root: GroupNode, parent: GroupNode, node: CriteriaNode): GroupNode {
  const outer = parentOf(root, parent.id);
  if (outer === undefined) return root;
  const members = outer.members.flatMap((member) => (member.id === parent.id ? [member, node] : [member]));
  const moved = withMembers(root, outer.id, members);
  const left = parent.members.filter((member) => member.id !== node.id);
  return left.length === 0
    ? withMembers(
        moved,
        outer.id,
        members.filter((member) => member.id !== parent.id),
      )
    : withMembers(moved, parent.id, left);
}

function movedIn(root: GroupNode, parent: GroupNode, index: number): GroupNode {
  const node = parent.members[index];
  if (node === undefined) return root;
  const [before, after] = [parent.members[index - 1], parent.members[index + 1]];
  const target = before?.kind === 'group' ? before : after?.kind === 'group' ? after : undefined;
  const depth = depthOf(root, parent.id) + (node.kind === 'group' ? heightOf(node) : 0);
  if (depth + 1 >= MAX_DEPTH) return root;
  if (target === undefined) {
    return withMembers(
      root,
      parent.id,
      parent.members.with(index, newGroup(parent.of === 'any' ? 'all' : 'any', [node])),
    );
  }
  const inside = target === before ? [...target.members, node] : [node, ...target.members];
  const rest = parent.members.filter((member) => member.id !== node.id);
  return withMembers(withMembers(root, parent.id, rest), target.id, inside);
}

/** Whether a move would change anything; for buttons. */
export function canMove(root: GroupNode, id: string, direction: Direction): boolean {
  return moveNode(root, id, direction) !== root;
}

/** How many groups stand around the members of a group: 0 for the root. */
export function depthOf(root: GroupNode, id: string): number {
  const parent = parentOf(root, id);
  return parent === undefined ? 0 : depthOf(root, parent.id) + 1;
}

function heightOf(node: CriteriaNode): number {
  return node.kind === 'field' ? 0 : 1 + Math.max(0, ...node.members.map(heightOf));
}

export function parentOf(root: GroupNode, id: string): GroupNode | undefined {
  for (const member of root.members) {
    if (member.id === id) return root;
    const found = member.kind === 'group' ? parentOf(member, id) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function withMembers(root: GroupNode, id: string, members: readonly CriteriaNode[]): GroupNode {
  return mapped(root, (node) => (node.id === id && node.kind === 'group' ? { ...node, members } : node));
}

/** The tree with each node replaced, from the outside in. */
function mapped(root: GroupNode, change: (node: CriteriaNode) => CriteriaNode): GroupNode {
  const visit = (node: CriteriaNode): CriteriaNode => {
    const changed = change(node);
    return changed.kind === 'field' ? changed : { ...changed, members: changed.members.map(visit) };
  };
  const result = visit(root);
  return result.kind === 'group' ? result : root;
}
