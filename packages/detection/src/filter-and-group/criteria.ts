import type { Told } from '@airdeck/contracts/filled-text';
import { ANY_FIELD, type Criterion, type FieldCriterion } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { FieldSlots } from '../event-values.ts';
import { operatorCompilers, type Predicate } from './operators.ts';
import type { Spending } from './policy-spending.ts';

/** What is wrong with a policy and where: `logic.filter_criteria.0.any.1.value`. */
export type PolicyProblem = Told & { readonly path: string };

const MAX_DEPTH = 20;
const MAX_CRITERIA = 5000;

/** Operators that take `value_field`. */
const comparesFields: ReadonlySet<string> = new Set(['equals', 'contains', 'startswith', 'endswith']);

const never: Predicate = () => false;

/**
 * Compiles a list of criteria that must all hold. Every problem is collected; a criterion with a problem fits nothing,
 * and callers use the predicate only when there was none.
 */
export function compileCriteria(
  criteria: readonly Criterion[],
  at: string,
  { slots, problems, spending }: { slots: FieldSlots; problems: PolicyProblem[]; spending: Spending },
): Predicate {
  let count = 0;

  function compile(criterion: Criterion, path: string, depth: number): Predicate {
    count += 1;
    if (count > MAX_CRITERIA)
      return refuse(path, refusal('POLICY_CRITERIA_TOO_MANY', { maximum: MAX_CRITERIA }), count);
    if (depth > MAX_DEPTH) return refuse(path, refusal('POLICY_CRITERIA_TOO_DEEP', { maximum: MAX_DEPTH }));
    if ('any' in criterion) return anyOf(compileList(criterion.any, `${path}.any`, depth));
    if ('all' in criterion) return allOf(compileList(criterion.all, `${path}.all`, depth));
    if ('not' in criterion) {
      const inner = compile(criterion.not, `${path}.not`, depth + 1);
      return (values) => !inner(values);
    }
    return compileField(criterion, path);
  }

  function compileList(list: readonly Criterion[], path: string, depth: number): Predicate[] {
    // An empty `all` would fit everything, an empty `any` nothing; neither is what anybody means.
    if (list.length === 0) return [refuse(path, refusal('POLICY_CRITERIA_MISSING'))];
    const compiled = list.map((criterion, index) => compile(criterion, `${path}.${index}`, depth + 1));
    // Predicates have no effects, so their order is free: cheap ones first.
    return compiled
      .map((predicate, index) => ({ predicate, cost: costOf(list[index]) }))
      .sort((a, b) => a.cost - b.cost)
      .map(({ predicate }) => predicate);
  }

  function compileField(criterion: FieldCriterion, path: string): Predicate {
    const compiler = Object.hasOwn(operatorCompilers, criterion.operator)
      ? operatorCompilers[criterion.operator]
      : undefined;
    if (compiler === undefined)
      return refuse(`${path}.operator`, refusal('POLICY_OPERATOR_UNKNOWN', { operator: criterion.operator }));
    if (criterion.value_field !== undefined && !comparesFields.has(criterion.operator)) {
      return refuse(`${path}.value_field`, refusal('POLICY_OPERATOR_OF_VALUES', { operator: criterion.operator }));
    }
    const otherSlot = criterion.value_field === undefined ? undefined : slots.slotOf(criterion.value_field);
    const compiled = compiler(slots.slotOf(criterion.field), criterion, { spending, otherSlot });
    return typeof compiled === 'function' ? compiled : refuse(`${path}.value`, compiled);
  }

  function refuse(path: string, told: Told, seen = 0): Predicate {
    // Said once, not for each of the thousands that follow.
    if (seen <= MAX_CRITERIA + 1) problems.push({ path, ...told });
    return never;
  }

  return allOf(compileList(criteria, at, 0));
}

function allOf(predicates: readonly Predicate[]): Predicate {
  const [only] = predicates;
  if (predicates.length === 1 && only !== undefined) return only;
  return (values) => {
    for (const predicate of predicates) if (!predicate(values)) return false;
    return true;
  };
}

function anyOf(predicates: readonly Predicate[]): Predicate {
  return (values) => {
    for (const predicate of predicates) if (predicate(values)) return true;
    return false;
  };
}

/** Rough and relative: what one look at an event costs. */
function costOf(criterion: Criterion | undefined): number {
  if (criterion === undefined || !('operator' in criterion)) return 20;
  if (criterion.operator === 'regex') return 100;
  if (criterion.field === ANY_FIELD) return 50;
  const values = Array.isArray(criterion.value) && criterion.operator !== 'in' ? criterion.value.length : 1;
  return values + (criterion.operator === 'contains' || criterion.operator === 'wildcard' ? 2 : 1);
}
