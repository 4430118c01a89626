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
  /** Accounts for a value an expression came to; `made` by the node, or there before. */
  weigh(value: unknown, made: Made | null, position: number | undefined): void;
};

/** How a node makes values: a reference for each element of a list, or each element besides. */
export type Made = 'references' | 'elements';

/** Characters, and elements of a list, an operator walks through for the price of one node. */
const CHARACTERS_PER_COST = 32;
const ELEMENTS_PER_COST = 8;
/** Bytes of the heap that cost as much as one node: with all the work there is, less than 8 MB can be made. */
const MADE_BYTES_PER_COST = 20;
/** A joined list grows as it is made and leaves its smaller forms behind. */
const bytesPerElement: Readonly<Record<Made, number>> = { references: 16, elements: 48 };
const BYTES_PER_CHARACTER = 2;

/** What a new text, list or run of bytes takes of the heap, at most. */
export function madeBytes(value: unknown, made: Made): number {
  if (typeof value === 'string') return value.length * BYTES_PER_CHARACTER;
  if (value instanceof Uint8Array) return value.byteLength;
  return Array.isArray(value) ? value.length * bytesPerElement[made] : 0;
}

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
    weigh(value, made, position) {
      if (made !== null) spend(Math.floor(madeBytes(value, made) / MADE_BYTES_PER_COST), position);
      if (typeof value === 'string') {
        if (value.length > limits.maxTextLength) fail(position);
        spend(1 + Math.floor(value.length / CHARACTERS_PER_COST), position);
      } else if (value instanceof Uint8Array) {
        if (value.byteLength > limits.maxTextLength) fail(position);
        spend(1 + Math.floor(value.byteLength / CHARACTERS_PER_COST), position);
      } else if (Array.isArray(value)) {
        if (value.length > limits.maxListLength) fail(position);
        spend(1 + Math.floor(value.length / ELEMENTS_PER_COST), position);
      } else {
        spend(1, position);
      }
    },
  };
}

/**
 * Values inside a list or map, itself included; what comparing it may have to walk through. Stops counting at `max`. Makes
 * nothing itself, for it walks through much more than it is paid for.
 */
export function deepSize(value: unknown, max: number): number {
  let count = 0;
  const visit = (next: unknown): void => {
    if (count >= max) return;
    count += 1;
    if (typeof next === 'string') count += Math.floor(next.length / CHARACTERS_PER_COST);
    else if (Array.isArray(next)) next.forEach(visit);
    else if (next instanceof Map) next.forEach(visit);
    else if (typeof next === 'object' && next !== null) Object.values(next).forEach(visit);
  };
  visit(value);
  return count;
}
