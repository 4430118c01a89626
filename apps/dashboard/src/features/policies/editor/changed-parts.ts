import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { t } from '../../../language/translate.ts';

const parts: readonly (readonly [string, (rule: PolicyRule) => unknown])[] = [
  [t('name'), ({ name }) => name],
  [t('description'), ({ description }) => description],
  [t('severity'), ({ severity }) => severity],
  [t('techniques'), ({ techniques }) => techniques ?? []],
  [
    t('sources'),
    ({ logic }) => [logic.source.connector_definition_id, logic.source.event_type, logic.source.also ?? []],
  ],
  [t('conditions'), ({ logic }) => logic.filter_criteria],
  [t('grouping'), ({ logic }) => logic.group_by],
  [t('threshold'), ({ logic }) => logic.threshold ?? null],
  [t('sequence'), ({ logic }) => logic.sequence ?? null],
  [t('quiet time'), ({ logic }) => logic.suppress_for_s ?? 0],
  [t('origin'), ({ origin }) => origin ?? null],
];

/** What differs between two states of a policy, in words. */
export function changedParts(one: PolicyRule, other: PolicyRule): string[] {
  return parts.flatMap(([name, of]) => (isSame(of(one), of(other)) ? [] : [name]));
}

function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return keys.every((key) => isSame(Reflect.get(one, key), Reflect.get(other, key)));
}
