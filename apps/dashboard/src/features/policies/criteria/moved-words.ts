import { t } from '../../../language/translate.ts';
import { type GroupNode, parentOf } from './criteria-tree.ts';
import { groupWords } from './criterion-words.ts';

/** Where a node is after it was moved, for readers: "Now 2 of 3 in any of these." */
export function movedWords(root: GroupNode, id: string): string {
  const parent = parentOf(root, id);
  if (parent === undefined) return '';
  const place = parent.members.findIndex((member) => member.id === id) + 1;
  return t('Now {place} of {count} in {group}.', {
    place,
    count: parent.members.length,
    group: groupWords[parent.of].toLowerCase(),
  });
}
