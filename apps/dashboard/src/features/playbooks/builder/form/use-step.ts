import type { JsonObject } from '@airdeck/contracts/fields';
import { problemsAt } from '../../../../components/expression/field-problems.ts';
import { useBuilder } from '../builder-context.ts';
import type { BuilderAction } from '../document/builder-action.ts';
import type { PlacedProblem } from '../document/problem-places.ts';

export type Step = {
  readonly action: BuilderAction;
  readonly problems: readonly PlacedProblem[];
  /** Sets fields; `undefined` takes one away. Typing in one field is one step back. */
  readonly set: (fields: JsonObject, field?: string) => void;
  /** The field was left: what comes next is a step back of its own. */
  readonly leave: () => void;
  readonly problemOf: (field: string) => string | undefined;
  /** Id of the control of a field, where a problem leads. */
  readonly fieldId: (field: string) => string;
};

/** One step of the document, as its form needs it. */
export function useStep(action: BuilderAction): Step {
  const { change, problems } = useBuilder();
  const own = problems.filter(({ actionId }) => actionId === action.id);
  return {
    action,
    problems: own,
    set: (fields, field = Object.keys(fields)[0] ?? '') =>
      change({ type: 'change', id: action.id, fields, typing: `${action.id} ${field}` }),
    leave: () => change({ type: 'pause' }),
    problemOf: (field) => problemsAt(own, field)[0]?.message,
    fieldId: stepFieldId,
  };
}

/** Only one form shows at a time, so that the field alone names its control. */
export function stepFieldId(field: string): string {
  return `field-${field.replaceAll('.', '-')}`;
}
