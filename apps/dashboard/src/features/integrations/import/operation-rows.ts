import type { OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { hasWords } from '../text-match.ts';

export type Operation = OpenapiDocument['operations'][number];

/** What the list draws: a tag with all of its operations, or one operation. */
export type OperationRow =
  | { kind: 'tag'; id: string; label: string; operations: readonly Operation[] }
  | { kind: 'operation'; id: string; operation: Operation };

/** As many as one import takes. */
export const CHOSEN_MAX = 100;

const OTHER = t('Without a tag');

/** Operations that fit a search, under the first of their tags; what has none comes last. */
export function operationRows(operations: readonly Operation[], q: string | undefined): OperationRow[] {
  const byTag = new Map<string, Operation[]>();
  for (const operation of operations) {
    const { key, summary, description, tags } = operation;
    if (!hasWords(q, [key, summary, description, ...tags])) continue;
    const tag = tags[0] ?? '';
    byTag.set(tag, [...(byTag.get(tag) ?? []), operation]);
  }
  return [...byTag]
    .toSorted(([one], [other]) => Number(one === '') - Number(other === ''))
    .flatMap(([tag, of]): OperationRow[] => [
      { kind: 'tag', id: `tag ${tag}`, label: tag === '' ? OTHER : tag, operations: of },
      ...of.map((operation) => ({ kind: 'operation' as const, id: operation.key, operation })),
    ]);
}

/** Those that can be imported. */
export function selectable(operations: readonly Operation[]): Operation[] {
  return operations.filter(({ unsupported }) => unsupported === null);
}

/** Whether all, some or none of those that can be imported are chosen. */
export function chosenOf(operations: readonly Operation[], chosen: ReadonlySet<string>): 'all' | 'some' | 'none' {
  const can = selectable(operations);
  const count = can.filter(({ key }) => chosen.has(key)).length;
  if (count === 0) return 'none';
  return count === can.length ? 'all' : 'some';
}

/** With these chosen as well, or not any more. */
export function withChosen(
  chosen: ReadonlySet<string>,
  operations: readonly Operation[],
  isChosen: boolean,
): ReadonlySet<string> {
  const next = new Set(chosen);
  for (const { key } of selectable(operations)) {
    if (isChosen) next.add(key);
    else next.delete(key);
  }
  return next;
}

/** "12 of 354 chosen · 3 change something, 1 destroys something". */
export function chosenText(operations: readonly Operation[], chosen: ReadonlySet<string>): string {
  const of = (effect: Operation['effect']) =>
    operations.filter((operation) => operation.effect === effect && chosen.has(operation.key)).length;
  const changing = of('changes');
  const destroying = of('destroys');
  const parts = [
    ...(changing === 0 ? [] : [plural(changing, '{count} changes something', '{count} change something')]),
    ...(destroying === 0 ? [] : [plural(destroying, '{count} destroys something', '{count} destroy something')]),
  ];
  const count = t('{chosen} of {total} chosen', { chosen: chosen.size, total: operations.length });
  return parts.length === 0 ? count : `${count} · ${parts.join(', ')}`;
}
