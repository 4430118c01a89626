/**
 * What generated expressions take by the clock and of the heap, one by one, as the product evaluates them: compiled and
 * evaluated once, on data that is converted for each. Garbage collection and other programs are in the times.
 */
import { createExpressions } from '../src/expression.ts';
import { ExpressionError } from '../src/expression-error.ts';
import { generatedContext, generatedExpression, seededRandom } from '../src/generated-payloads.ts';

export type ExpressionBenchResult = {
  readonly expressions: number;
  readonly per_s: number;
  readonly p99_ms: number;
  /** Of those over 50 ms it is the least of three: a pause for something else is no work of the expression. */
  readonly longest_ms: number;
  /** The same, of the first time alone. */
  readonly longest_once_ms: number;
  /** How many took longer than 50 ms the first time. */
  readonly over_50_ms: number;
  /**
   * What the heap grew by during one, where no collection came in between. Of those with much it is the least of three: what
   * the runtime compiles meanwhile is on the heap too.
   */
  readonly most_heap_mb: number;
  /** The same, of the first time alone. */
  readonly most_heap_once_mb: number;
};

const LIMIT_MS = 50;
const MB = 2 ** 20;
/** From here on it is measured again. */
const MUCH_BYTES = 4 * MB;
const TIMES = 3;
/** Where collections come in between again and again. */
const TRIES = 30;

/** Throws when an expression ends with anything but JSON data or an `ExpressionError`. */
export function runExpressionBench({ count, seed }: { count: number; seed: number }): ExpressionBenchResult {
  const expressions = createExpressions();
  const random = seededRandom(seed);
  const times = new Float64Array(count);
  let [over, longestMs, mostBytes, mostOnceBytes] = [0, 0, 0, 0];
  const began = performance.now();
  for (let n = 0; n < count; n += 1) {
    const text = generatedExpression(random);
    const startedAt = performance.now();
    const bytes = heapGrowth(expressions, text);
    const tookMs = performance.now() - startedAt;
    mostOnceBytes = Math.max(mostOnceBytes, bytes);
    mostBytes = Math.max(mostBytes, bytes < MUCH_BYTES ? bytes : leastGrowth(bytes, expressions, text));
    times[n] = tookMs;
    if (tookMs > LIMIT_MS) over += 1;
    longestMs = Math.max(longestMs, tookMs <= LIMIT_MS ? tookMs : leastTime(tookMs, expressions, text));
  }
  const seconds = (performance.now() - began) / 1000;
  times.sort();
  return {
    expressions: count,
    per_s: count / seconds,
    p99_ms: times[Math.floor(count * 0.99)] ?? Number.NaN,
    longest_ms: longestMs,
    longest_once_ms: times[count - 1] ?? Number.NaN,
    over_50_ms: over,
    most_heap_mb: mostBytes / MB,
    most_heap_once_mb: mostOnceBytes / MB,
  };
}

function heapGrowth(expressions: ReturnType<typeof createExpressions>, text: string): number {
  const before = process.memoryUsage().heapUsed;
  evaluate(expressions, text);
  return process.memoryUsage().heapUsed - before;
}

/** A collection in between makes it negative, which says nothing. */
function leastGrowth(first: number, expressions: ReturnType<typeof createExpressions>, text: string): number {
  let [least, found] = [first, 1];
  for (let tries = 0; found < TIMES && tries < TRIES; tries += 1) {
    const bytes = heapGrowth(expressions, text);
    if (bytes <= 0) continue;
    least = Math.min(least, bytes);
    found += 1;
  }
  return least;
}

function leastTime(first: number, expressions: ReturnType<typeof createExpressions>, text: string): number {
  let least = first;
  for (let n = 1; n < TIMES; n += 1) {
    const startedAt = performance.now();
    evaluate(expressions, text);
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

function evaluate(expressions: ReturnType<typeof createExpressions>, text: string): void {
  try {
    JSON.stringify(expressions.render(`{{ ${text}\n}}`, generatedContext));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw new Error(`Not an ExpressionError: ${text}`, { cause: error });
  }
}
