import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { ExpressionError } from './expression-error.ts';
import { MAX_DATA_DEPTH } from './limits.ts';

export type CelValue = unknown;

/** Nodes still allowed; shared by all values of one call. */
export type NodeBudget = { left: number };

/**
 * JSON data as CEL sees it. Objects become Maps, so that keys such as `constructor` or `__proto__` are ordinary data and
 * nothing of a prototype can be reached; whole numbers become int. What is not data (functions, symbols, instances of
 * classes) is absent.
 */
export function toCel(value: unknown, budget: NodeBudget, depth = 0): CelValue {
  budget.left -= 1;
  if (budget.left < 0 || depth > MAX_DATA_DEPTH) {
    throw new ExpressionError(
      'EXPRESSION_CONTEXT_TOO_LARGE',
      'The data this expression reads is too large or too deep.',
    );
  }
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return value;
    case 'number':
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case 'object':
      return value === null ? null : objectToCel(value, budget, depth);
    default:
      return undefined;
  }
}

function objectToCel(value: object, budget: NodeBudget, depth: number): CelValue {
  if (Array.isArray(value)) return value.map((item) => toCel(item, budget, depth + 1) ?? null);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const map = new Map<string, CelValue>();
  for (const [key, item] of Object.entries(value)) {
    const converted = toCel(item, budget, depth + 1);
    if (converted !== undefined) map.set(key, converted);
  }
  return map;
}

/** What is left of the output's bounds; shared by all expressions of one call. */
export type OutputBudget = { nodes: number; length: number };

export function spendOutput(budget: OutputBudget, length: number): void {
  budget.nodes -= 1;
  budget.length -= length;
  if (budget.nodes < 0 || budget.length < 0) {
    throw new ExpressionError('EXPRESSION_OUTPUT_TOO_LARGE', 'The result is too large.');
  }
}

/**
 * A result as JSON: int to number (to text beyond 2^53, as protobuf's JSON does), timestamp to ISO text, duration to
 * seconds with `s`, bytes to base64. Throws `EXPRESSION_RESULT_UNSUPPORTED` for what has no JSON form, and
 * `EXPRESSION_OUTPUT_TOO_LARGE` before any of it is made: parts that are one value in many places become many.
 */
export function fromCel(value: CelValue, budget: OutputBudget): unknown {
  spendAll(value, budget, 0);
  return jsonOf(value);
}

function spendAll(value: CelValue, budget: OutputBudget, depth: number): void {
  if (depth > MAX_DATA_DEPTH)
    throw new ExpressionError('EXPRESSION_OUTPUT_TOO_LARGE', 'The result is nested too deeply.');
  spendOutput(budget, lengthOf(value));
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) || value instanceof Set) {
    for (const item of value) spendAll(item, budget, depth + 1);
  } else if (value instanceof Map) {
    for (const [key, item] of value) {
      if (typeof key === 'string') spendOutput(budget, key.length);
      else spendAll(key, budget, depth + 1);
      spendAll(item, budget, depth + 1);
    }
  } else if (isPlain(value)) {
    for (const key of Object.keys(value)) {
      spendOutput(budget, key.length);
      spendAll(Reflect.get(value, key), budget, depth + 1);
    }
  }
}

function lengthOf(value: CelValue): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? Math.ceil(value.byteLength / 3) * 4 : 0;
}

function jsonOf(value: CelValue): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'bigint':
      return intToJson(value);
    case 'number':
      if (!Number.isFinite(value)) throw unsupported('a number that JSON does not have');
      return value;
    case 'object':
      return value === null ? null : objectOf(value);
    default:
      throw unsupported(`a ${typeof value}`);
  }
}

function objectOf(value: object): unknown {
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Set) return Array.from(value, jsonOf);
  if (value instanceof Map) return record(value);
  if (value instanceof Date) return isoText(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof UnsignedInt) return intToJson(value.valueOf());
  if (value instanceof Duration) return `${value.valueOf() / 1000}s`;
  if (isPlain(value)) return record(Object.entries(value));
  throw unsupported('a value that is not data');
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function record(entries: Iterable<[unknown, unknown]>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, item] of entries) {
    const name = typeof key === 'string' ? key : String(jsonOf(key));
    const value = jsonOf(item);
    // Assigned, it would be the prototype instead of a key.
    if (name === '__proto__') Object.defineProperty(result, name, { value, ...ordinary });
    else result[name] = value;
  }
  return result;
}

const ordinary = { enumerable: true, writable: true, configurable: true };

function intToJson(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function isoText(value: Date): string {
  if (Number.isNaN(value.getTime())) throw unsupported('an invalid time');
  return value.toISOString();
}

function unsupported(what: string): ExpressionError {
  return new ExpressionError('EXPRESSION_RESULT_UNSUPPORTED', `The expression gives ${what}.`);
}
