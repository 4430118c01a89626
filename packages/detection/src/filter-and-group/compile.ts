import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { EventValues, FieldSlots } from '../event-values.ts';
import { identityOf } from '../field-values.ts';
import { compileCriteria, type PolicyProblem } from './criteria.ts';
import { withOthers } from './matched-events.ts';
import type { Spending } from './policy-spending.ts';

export type Group = {
  /** JSON list of the values in `group_by` order: equal groups have equal keys. `[]` without `group_by`. */
  readonly groupKey: string;
  /** By field name. */
  readonly groupValues: Record<string, string>;
  /** Of a sequence: the steps the event fits, from 0, in ascending order. */
  readonly steps?: readonly number[];
};

/** A policy of type filter_and_group, ready to be asked about events. */
export type CompiledRule = {
  /** The group the event counts for; undefined when it does not fit or lacks a `group_by` field. */
  readonly groupOf: (values: EventValues, event: ParsedEvent) => Group | undefined;
};

type Context = { slots: FieldSlots; problems: PolicyProblem[]; spending: Spending };
type Field = { readonly name: string; readonly slot: number };

/** Compiles a rule; when `problems` grew, the result must not be used. */
export function compileFilterAndGroup({ logic }: Pick<PolicyRule, 'logic'>, context: Context): CompiledRule {
  const { filter_criteria: criteria, group_by: groupBy, sequence } = logic;
  const saysItAll = criteria.length === 0 && sequence !== undefined;
  const fits = saysItAll ? () => true : compileCriteria(criteria, 'logic.filter_criteria', context);
  const fields = groupBy.map((name, index) => {
    if (groupBy.indexOf(name) !== index) {
      context.problems.push({ path: `logic.group_by.${index}`, ...refusal('POLICY_GROUPED_TWICE', { name }) });
    }
    return { name, slot: context.slots.slotOf(name) };
  });
  if (sequence === undefined) return { groupOf: (values) => (fits(values) ? groupIn(fields, values) : undefined) };
  if (logic.threshold !== undefined) {
    context.problems.push({ path: 'logic.threshold', ...refusal('POLICY_THRESHOLD_AND_SEQUENCE') });
  }
  const stepsOf = compileSteps(logic, fields, context);
  return { groupOf: (values, event) => (fits(values) ? stepsOf(values, event) : undefined) };
}

/** An event counts for one group: that of the first step it fits. */
function compileSteps(logic: PolicyRule['logic'], fields: readonly Field[], context: Context): CompiledRule['groupOf'] {
  const steps = (logic.sequence?.steps ?? []).map((step, index) => {
    const at = `logic.sequence.steps.${index}`;
    return {
      index,
      fits: compileCriteria(step.filter_criteria, `${at}.filter_criteria`, context),
      isOfSource: step.source === undefined ? undefined : sourceTest(step.source),
      fields: ownFields(step.group_by, fields, { at: `${at}.group_by`, context }),
    };
  });
  const isOfPolicySource = steps.some(({ isOfSource }) => isOfSource) ? sourceTest(logic.source) : () => true;
  return (values, event) => {
    let first: Group | undefined;
    const fitting: number[] = [];
    for (const { index, fits, isOfSource = isOfPolicySource, fields: own } of steps) {
      if (!isOfSource(event) || !fits(values)) continue;
      const group = groupIn(own, values);
      if (group === undefined) continue;
      first ??= group;
      if (group.groupKey === first.groupKey) fitting.push(index);
    }
    return first && { ...first, steps: fitting };
  };
}

function sourceTest(source: PolicyRule['logic']['source']): (event: ParsedEvent) => boolean {
  const wanted = withOthers(source).map(({ connector_definition_id: integration, event_type: eventType }) => ({
    integration: integration.toLowerCase(),
    eventType: eventType.toLowerCase(),
  }));
  return (event) =>
    wanted.some(
      ({ integration, eventType }) =>
        (integration === '' || integration === event.integration.toLowerCase()) &&
        (eventType === '' || eventType === event.event_type.toLowerCase()),
    );
}

/** The policy's fields under the names the events of a step have for them. */
function ownFields(
  names: readonly string[] | undefined,
  fields: readonly Field[],
  { at, context }: { at: string; context: Context },
): readonly Field[] {
  if (names === undefined) return fields;
  if (names.length !== fields.length) {
    context.problems.push({ path: at, ...refusal('POLICY_STEP_FIELDS', { count: fields.length }) });
  }
  return fields.map(({ name }, index) => ({ name, slot: context.slots.slotOf(names[index] ?? name) }));
}

function groupIn(fields: readonly Field[], values: EventValues): Group | undefined {
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
