/**
 * Counts the work of an evaluation. CEL has no loops, but its comprehensions nest: three of them over a list of a thousand
 * are a billion steps, and `a + a` bound to a name again and again doubles a text until memory ends. The library bounds only
 * the text of an expression, so every node of a parsed expression is wrapped: evaluating it costs one, walking through a
 * list or text costs by its length, and an intermediate value above the limits ends the evaluation.
 *
 * The counter stays below zero once exceeded: `||`, `&&`, `all` and `exists` may swallow the error of one side, but then the
 * next node throws again, and the caller checks `exceeded` at the end.
 */
import { ExpressionError } from './expression-error.ts';
import type { ExpressionLimits } from './limits.ts';

export type CostMeter = {
  reset(): void;
  spend(cost: number): void;
  exceeded(): boolean;
  /** Accounts for a value an expression produced. */
  weigh(value: unknown, position: number | undefined): void;
};

/** Characters, and elements of a list, an operator walks through or copies for the price of one node. */
const CHARACTERS_PER_COST = 32;
const ELEMENTS_PER_COST = 8;

export function createCostMeter(limits: ExpressionLimits): CostMeter {
  let left = 0;
  let failure: ExpressionError | undefined;
  // The same one again for whatever goes on after it.
  const fail = (position?: number): never => {
    left = -1;
    failure ??= new ExpressionError(
      'EXPRESSION_TOO_COSTLY',
      'This expression takes too much work or memory.',
      position,
    );
    throw failure;
  };
  const spend = (cost: number, position?: number): void => {
    left -= cost;
    if (left < 0) fail(position);
  };
  return {
    reset() {
      left = limits.maxCost;
      failure = undefined;
    },
    spend,
    exceeded: () => left < 0,
    weigh(value, position) {
      if (typeof value === 'string') {
        if (value.length > limits.maxTextLength) fail(position);
        spend(1 + Math.floor(value.length / CHARACTERS_PER_COST), position);
      } else if (Array.isArray(value)) {
        if (value.length > limits.maxListLength) fail(position);
        spend(1 + Math.floor(value.length / ELEMENTS_PER_COST), position);
      } else {
        spend(1, position);
      }
    },
  };
}

/** Values inside a list or map, itself included; what comparing it may have to walk through. Stops counting at `max`. */
export function deepSize(value: unknown, max: number): number {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0 && count < max) {
    const next = open.pop();
    count += 1;
    if (typeof next === 'string') count += Math.floor(next.length / CHARACTERS_PER_COST);
    else if (Array.isArray(next)) for (const item of next) open.push(item);
    else if (next instanceof Map) for (const item of next.values()) open.push(item);
    else if (typeof next === 'object' && next !== null) for (const item of Object.values(next)) open.push(item);
  }
  return count;
}
