import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { EventValues, FieldSlots } from '../event-values.ts';
import { identityOf } from '../field-values.ts';
import { compileCriteria, type PolicyProblem } from './criteria.ts';

export type Group = {
  /** JSON list of the values in `group_by` order: equal groups have equal keys. `[]` without `group_by`. */
  readonly groupKey: string;
  /** By field name. */
  readonly groupValues: Record<string, string>;
};

/** A policy of type filter_and_group, ready to be asked about events. */
export type CompiledRule = {
  /** The group the event counts for; undefined when it does not fit or lacks a `group_by` field. */
  readonly groupOf: (values: EventValues) => Group | undefined;
};

/** Compiles a rule; when `problems` grew, the result must not be used. */
export function compileFilterAndGroup(
  rule: Pick<PolicyRule, 'logic'>,
  context: { slots: FieldSlots; problems: PolicyProblem[] },
): CompiledRule {
  const { filter_criteria: criteria, group_by: groupBy } = rule.logic;
  const fits = compileCriteria(criteria, 'logic.filter_criteria', context);
  const fields = groupBy.map((name, index) => {
    if (groupBy.indexOf(name) !== index) {
      context.problems.push({ path: `logic.group_by.${index}`, message: `${name} is named twice.` });
    }
    return { name, slot: context.slots.slotOf(name) };
  });
  return { groupOf: (values) => (fits(values) ? groupIn(fields, values) : undefined) };
}

function groupIn(fields: readonly { name: string; slot: number }[], values: EventValues): Group | undefined {
  const key: string[] = [];
  const entries: [string, string][] = [];
  for (const { name, slot } of fields) {
    const value = identityOf(values.texts(slot));
    if (value === undefined) return undefined;
    key.push(value);
    entries.push([name, value]);
  }
  // fromEntries defines own properties, so a field called `__proto__` stays a field.
  return { groupKey: JSON.stringify(key), groupValues: Object.fromEntries(entries) };
}
