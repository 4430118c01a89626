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
  readonly longest_ms: number;
  /** How many took longer than 50 ms. */
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

/** Throws when an expression ends with anything but JSON data or an `ExpressionError`. */
export function runExpressionBench({ count, seed }: { count: number; seed: number }): ExpressionBenchResult {
  const expressions = createExpressions();
  const random = seededRandom(seed);
  const times = new Float64Array(count);
  let [over, mostBytes, mostOnceBytes] = [0, 0, 0];
  const began = performance.now();
  for (let n = 0; n < count; n += 1) {
    const text = generatedExpression(random);
    const startedAt = performance.now();
    const bytes = heapGrowth(expressions, text);
    const tookMs = performance.now() - startedAt;
    mostOnceBytes = Math.max(mostOnceBytes, bytes);
    mostBytes = Math.max(mostBytes, bytes < MUCH_BYTES ? bytes : leastOfThree(bytes, expressions, text));
    times[n] = tookMs;
    if (tookMs > LIMIT_MS) over += 1;
  }
  const seconds = (performance.now() - began) / 1000;
  times.sort();
  return {
    expressions: count,
    per_s: count / seconds,
    p99_ms: times[Math.floor(count * 0.99)] ?? Number.NaN,
    longest_ms: times[count - 1] ?? Number.NaN,
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
function leastOfThree(first: number, expressions: ReturnType<typeof createExpressions>, text: string): number {
  const again = [heapGrowth(expressions, text), heapGrowth(expressions, text)].filter((bytes) => bytes > 0);
  return Math.min(first, ...again);
}

function evaluate(expressions: ReturnType<typeof createExpressions>, text: string): void {
  try {
    JSON.stringify(expressions.render(`{{ ${text}\n}}`, generatedContext));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw new Error(`Not an ExpressionError: ${text}`, { cause: error });
  }
}
