import type { Criterion, PolicyRule } from '@airdeck/contracts/policies/schema';
import { withOthers } from './matched-events.ts';
import { type Requirement, requirementsOf } from './prefilter.ts';

export type EventPattern = {
  readonly criteria: readonly Criterion[];
  readonly source: PolicyRule['logic']['source'];
};

/**
 * Whether it is plain that no event fits both: they look at different sources, or ask a field for different values. False
 * where that is not plain; an event with both values in a list fits both all the same.
 */
export function excludeEachOther(a: EventPattern, b: EventPattern): boolean {
  return !shareASource(a, b) || askForDifferentValues(a.criteria, b.criteria);
}

function shareASource({ source: a }: EventPattern, { source: b }: EventPattern): boolean {
  return withOthers(a).some((one) =>
    withOthers(b).some(
      (other) =>
        mayBeEqual(one.connector_definition_id, other.connector_definition_id) &&
        mayBeEqual(one.event_type, other.event_type),
    ),
  );
}

/** Empty means any. */
function mayBeEqual(a: string, b: string): boolean {
  return a === '' || b === '' || a.toLowerCase() === b.toLowerCase();
}

function askForDifferentValues(a: readonly Criterion[], b: readonly Criterion[]): boolean {
  const [ofA, ofB] = [wholeValues(a), wholeValues(b)];
  return ofA.some(({ field, values }) =>
    ofB.some((other) => other.field === field && ![...values].some((value) => other.values.has(value))),
  );
}

type FieldValues = { readonly field: string; readonly values: ReadonlySet<string> };

/** Fields that must have one of some whole values. */
function wholeValues(criteria: readonly Criterion[]): FieldValues[] {
  return requirementsOf(criteria, () => 0).flatMap((requirement: Requirement) => {
    const field = requirement[0]?.field;
    if (field === undefined || requirement.some((one) => !one.whole || one.field !== field)) return [];
    return [{ field, values: new Set(requirement.map(({ text }) => text)) }];
  });
}
