/**
 * Expressions by the grammar, from a seed that a failure names. `EXPRESSION_COUNT` and `EXPRESSION_SEED` set how many and
 * which. How long each takes by the clock, and what it takes of the heap, is not asserted.
 */
import { describe, expect, it } from 'vitest';
import { createCompiler } from './cel-program.ts';
import { fromCel, toCel } from './cel-values.ts';
import { type CostMeter, createCostMeter, madeBytes } from './cost-meter.ts';
import { createExpressions } from './expression.ts';
import { ExpressionError } from './expression-error.ts';
import { generatedContext, generatedExpression, seededRandom } from './generated-payloads.ts';
import { defaultLimits } from './limits.ts';

const COUNT = Number(process.env.EXPRESSION_COUNT ?? 50_000);
const SEED = Number(process.env.EXPRESSION_SEED ?? 20_261_121);
/** The public interface converts the data anew for each call, which takes longer than most expressions. */
const PUBLIC_EVERY = 50;
const MAX_BYTES = 8 * 2 ** 20;
/** Once the work is used up, every node that is still reached ends at once. */
const MAX_METERED = defaultLimits.maxCost + 10 * defaultLimits.maxNodes;

/** Sees every value an expression makes before the meter judges it. */
function watched(meter: CostMeter) {
  const seen = { metered: 0, heaviest: 0, made: 0 };
  const watching: CostMeter = {
    ...meter,
    reset() {
      seen.metered = 0;
      seen.made = 0;
      meter.reset();
    },
    weigh(value, made, position) {
      seen.metered += 1;
      const bytes = madeBytes(value, made ?? 'references');
      seen.heaviest = Math.max(seen.heaviest, bytes);
      // What is made after the work is used up is made by the node that notices it.
      if (made !== null) seen.made += bytes;
      meter.weigh(value, made, position);
    },
  };
  return { seen, watching };
}

type Outcome = 'data' | ExpressionError['code'];

/** JSON comes out, or an ExpressionError; anything else is thrown on. */
function outcome(work: () => unknown): Outcome {
  try {
    if (!isJson(work())) throw new Error('Something came out that is no JSON.');
    return 'data';
  } catch (error) {
    if (error instanceof ExpressionError) return error.code;
    throw error;
  }
}

const plain: ReadonlySet<unknown> = new Set([Object.prototype, Array.prototype]);

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'object' && plain.has(Object.getPrototypeOf(value)) && Object.values(value).every(isJson);
}

/** Every object of the language that can be reached from its globals by own properties and prototypes, property by property. */
function intrinsics(): Map<object, Map<PropertyKey, PropertyDescriptor>> {
  const found = new Map<object, Map<PropertyKey, PropertyDescriptor>>();
  const open: unknown[] = roots.map((name) => Reflect.get(globalThis, name) as unknown);
  while (open.length > 0) {
    const next = open.pop();
    if ((typeof next !== 'object' && typeof next !== 'function') || next === null || found.has(next)) continue;
    const properties = new Map<PropertyKey, PropertyDescriptor>();
    found.set(next, properties);
    open.push(Object.getPrototypeOf(next));
    for (const key of Reflect.ownKeys(next)) {
      const descriptor = Reflect.getOwnPropertyDescriptor(next, key);
      // What the last match of a regular expression was is the one thing that reading changes.
      if (descriptor === undefined || next === RegExp) continue;
      properties.set(key, descriptor);
      open.push(descriptor.value, descriptor.get, descriptor.set);
    }
  }
  return found;
}

const roots = [
  ...['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'BigInt', 'Symbol', 'Date', 'RegExp', 'Error'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Promise', 'Proxy', 'Reflect', 'JSON', 'Math', 'ArrayBuffer', 'DataView'],
  ...['Uint8Array', 'Int32Array', 'Float64Array', 'RangeError', 'TypeError', 'SyntaxError', 'Buffer', 'TextDecoder'],
];

function changesBetween(before: ReturnType<typeof intrinsics>, after: ReturnType<typeof intrinsics>): string[] {
  const changes: string[] = [];
  for (const [object, properties] of after) {
    const earlier = before.get(object);
    const keys = new Set([...properties.keys(), ...(earlier?.keys() ?? [])]);
    for (const key of keys) {
      if (!isSame(earlier?.get(key), properties.get(key))) changes.push(String(key));
    }
  }
  return changes;
}

function isSame(a: PropertyDescriptor | undefined, b: PropertyDescriptor | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Object.is(a.value, b.value) && a.get === b.get && a.set === b.set && a.writable === b.writable;
}

describe('generated expressions', () => {
  it('are the same for the same seed, and differ', () => {
    const made = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 1_000 }, () => generatedExpression(random));
    };
    expect(made(SEED)).toEqual(made(SEED));
    expect(new Set(made(SEED)).size).toBeGreaterThan(800);
    expect(made(SEED + 1)).not.toEqual(made(SEED));
  });

  it(`give data or an ExpressionError within the limits, and touch nothing (${COUNT} from seed ${SEED})`, {
    timeout: 3_600_000,
  }, () => {
    const { seen, watching } = watched(createCostMeter(defaultLimits));
    const compile = createCompiler(defaultLimits, watching);
    const budget = () => ({ nodes: defaultLimits.maxOutputNodes, length: defaultLimits.maxOutputLength });
    const variables = new Map(
      Object.entries(generatedContext).map(([name, value]) => [name, toCel(value, { left: 1_000_000 })]),
    );
    const expressions = createExpressions();
    const random = seededRandom(SEED);
    const outcomes = new Map<Outcome, number>();
    const before = intrinsics();
    for (let n = 0; n < COUNT; n += 1) {
      const text = generatedExpression(random);
      try {
        watching.reset();
        const came = outcome(() => fromCel(compile(text).evaluate(variables), budget()));
        outcomes.set(came, (outcomes.get(came) ?? 0) + 1);
        if (n % PUBLIC_EVERY === 0) {
          outcome(() => expressions.render(`{{ ${text} }}`, generatedContext));
          outcome(() => expressions.condition(text, generatedContext));
          expressions.check(text);
        }
        if (seen.metered > MAX_METERED) throw new Error(`${seen.metered} nodes were evaluated.`);
        if (seen.heaviest > MAX_BYTES) throw new Error(`A value of ${seen.heaviest} bytes was made.`);
        if (seen.made > MAX_BYTES) throw new Error(`${seen.made} bytes were made.`);
      } catch (cause) {
        throw new Error(`Expression ${n} of seed ${SEED}: ${JSON.stringify(text)}`, { cause });
      }
    }
    expect(changesBetween(before, intrinsics())).toEqual([]);
    for (const [name, value] of variables) {
      const untouched = toCel(generatedContext[name], { left: 1_000_000 });
      expect([name, value]).toEqual([name, untouched]);
    }
    // Neither all nonsense nor all harmless.
    expect(outcomes.get('data') ?? 0).toBeGreaterThan(COUNT / 10);
    expect(outcomes.get('EXPRESSION_FAILED') ?? 0).toBeGreaterThan(COUNT / 20);
    expect(outcomes.get('EXPRESSION_TOO_COSTLY') ?? 0).toBeGreaterThan(COUNT / 1_000);
    expect(outcomes.get('EXPRESSION_SYNTAX') ?? 0).toBeGreaterThan(COUNT / 50);
  });

  it('count an error as the work it is: nested, those that all and exists pass over would take seconds', () => {
    const { seen, watching } = watched(createCostMeter(defaultLimits));
    const variables = new Map([['items', toCel(generatedContext.items, { left: 1_000 })]]);
    watching.reset();
    const program = createCompiler(defaultLimits, watching)('items.all(x, items.exists(y, items.all(z, z)))');
    expect(outcome(() => program.evaluate(variables))).toBe('EXPRESSION_TOO_COSTLY');
    expect(seen.metered).toBeLessThan(defaultLimits.maxCost / 20);
  });

  it.each([
    ['lists joined for each of many', 'items.map(x, many).map(x, x + x)'],
    ['texts taken apart for each of many', 'items.map(x, long.split(" "))'],
    ['texts joined for each of many', 'items.map(x, long + string(x))'],
    ['texts written anew for each of many', 'items.map(x, long.lowerAscii())'],
    ['bytes for each of many', 'items.map(x, bytes(long))'],
    ['bytes doubled twenty times', doubled('bytes(long)', 20)],
    ['texts doubled twenty times', doubled('long', 20)],
    ['lists doubled twenty times', doubled('many', 20)],
  ])('make at most 8 MB, whatever they are made for: %s', (_, text) => {
    const { seen, watching } = watched(createCostMeter(defaultLimits));
    const variables = new Map(
      ['items', 'many', 'long'].map((name) => [name, toCel(generatedContext[name], { left: 100_000 })]),
    );
    watching.reset();
    const program = createCompiler(defaultLimits, watching)(`${text}.size()`);
    expect(outcome(() => fromCel(program.evaluate(variables), { nodes: 10, length: 100 }))).toBe(
      'EXPRESSION_TOO_COSTLY',
    );
    expect(seen.made).toBeLessThanOrEqual(MAX_BYTES);
  });
});

/** The value joined with itself, and what comes of it with itself again. */
function doubled(value: string, times: number): string {
  const levels = Array.from({ length: times }, (_, n) => times - n);
  const text = levels.reduce((inner, n) => `cel.bind(v${n}, v${n - 1} + v${n - 1}, ${inner})`, `v${times}`);
  return `cel.bind(v0, ${value}, ${text})`;
}
