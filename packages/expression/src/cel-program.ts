import { expressionSize } from '@airdeck/domain/expression-size';
import { TypeError as CelTypeError, Environment, EvaluationError, ParseError } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import type { CelNode } from './cel-nodes.ts';
import { allNodes, evaluateNode } from './cel-nodes.ts';
import { type ExpressionRead, readsOf } from './cel-reads.ts';
import type { CostMeter, Made } from './cost-meter.ts';
import { deepSize } from './cost-meter.ts';
import { ExpressionError } from './expression-error.ts';
import type { ExpressionLimits } from './limits.ts';

export type CelProgram = {
  /** Names of variables the text mentions, those bound inside comprehensions included. */
  readonly names: ReadonlySet<string>;
  /** What it takes from its context, with the fields it names. */
  reads(): ExpressionRead[];
  /** Throws `ExpressionError`. Must not be entered again while it runs. */
  evaluate(variables: ReadonlyMap<string, unknown>): unknown;
};

export type Compile = (text: string) => CelProgram;

/** `matches` in our own, linear-time form; the library's uses the host's backtracking engine. */
const LINEAR_MATCHES = 'matchesLinear';
const MAX_PATTERNS = 200;
const MAX_PROGRAM_SIZE = 10_000;

/** Compiles expressions whose evaluation is counted by `meter`. Throws `ExpressionError` for what does not compile. */
export function createCompiler(limits: ExpressionLimits, meter: CostMeter): Compile {
  const environment = createEnvironment(limits, meter);
  return (text) => {
    if (text.length > limits.maxLength) {
      throw new ExpressionError('EXPRESSION_TOO_LONG', `An expression has at most ${limits.maxLength} characters.`);
    }
    try {
      const parsed = environment.parse(text);
      const nodes = allNodes(parsed.ast);
      for (const node of nodes) replaceMatches(node);
      const checked = parsed.check();
      if (!checked.valid) throw checked.error;
      const keys = keysOfMaps(nodes);
      for (const node of nodes) meterNode(node, { meter, limits, isKey: keys.has(node) });
      return {
        names: new Set(nodes.filter((node) => node.op === 'id').map((node) => node.args as string)),
        reads: () => readsOf(parsed.ast),
        evaluate: (variables) => evaluateParsed(parsed, variables, meter),
      };
    } catch (error) {
      throw asExpressionError(error);
    }
  };
}

function createEnvironment(limits: ExpressionLimits, meter: CostMeter): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    limits: {
      maxAstNodes: limits.maxNodes,
      maxDepth: limits.maxDepth,
      maxListElements: limits.maxNodes,
      maxMapEntries: limits.maxNodes,
    },
  });
  // JSON does not tell 2 from 2.0, so a person cannot know which of both a value is: arithmetic mixes them.
  environment
    .registerOperator('int + double: double', (a: bigint, b: number) => Number(a) + b)
    .registerOperator('double + int: double', (a: number, b: bigint) => a + Number(b))
    .registerOperator('int - double: double', (a: bigint, b: number) => Number(a) - b)
    .registerOperator('double - int: double', (a: number, b: bigint) => a - Number(b))
    .registerOperator('int * double: double', (a: bigint, b: number) => Number(a) * b)
    .registerOperator('double * int: double', (a: number, b: bigint) => a * Number(b))
    .registerOperator('int / double: double', (a: bigint, b: number) => Number(a) / b)
    .registerOperator('double / int: double', (a: number, b: bigint) => a / Number(b));
  const match = createMatcher(meter);
  return environment.registerFunction(`string.${LINEAR_MATCHES}(string): bool`, match);
}

function createMatcher(meter: CostMeter): (text: string, pattern: string) => boolean {
  const compiled = new Map<string, { regex: RE2JS; size: number }>();
  return (text, pattern) => {
    let found = compiled.get(pattern);
    if (found === undefined) {
      meter.spend(pattern.length);
      const regex = compilePattern(pattern);
      found = { regex, size: regex.programSize() };
      if (compiled.size >= MAX_PATTERNS) compiled.clear();
      compiled.set(pattern, found);
    }
    meter.spend(Math.ceil((text.length * found.size) / 256));
    return found.regex.matcher(text).find();
  };
}

/** The size is found out without compiling: that writes out what is repeated. */
function compilePattern(pattern: string): RE2JS {
  if (expressionSize(pattern) > MAX_PROGRAM_SIZE) {
    throw new ExpressionError('EXPRESSION_TOO_COSTLY', 'This pattern is too large.');
  }
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw new ExpressionError('EXPRESSION_FAILED', 'The pattern of matches() is not a valid regular expression.');
  }
}

function replaceMatches(node: CelNode): void {
  if (node.op === 'rcall' && Array.isArray(node.args) && node.args[0] === 'matches') node.args[0] = LINEAR_MATCHES;
}

/**
 * An error costs the host as much as a hundred nodes and more, and `all`, `exists`, `||` and `&&` go on after one: nested, they
 * would meet hundreds of thousands.
 */
const ERROR_COST = 100;

/** Operators that walk through all of both sides. */
const comparing = new Set(['==', '!=', 'in']);

/**
 * Concatenations copy what they join, and functions such as `split` make their results anew. Macros and literals do not
 * count: each of their elements is a node that is evaluated.
 */
function madeBy({ op, meta }: CelNode): Made | null {
  if (op === '+') return 'references';
  const isFunction = (op === 'call' || op === 'rcall') && meta.alternate === undefined && meta.macro === undefined;
  return isFunction ? 'elements' : null;
}

/** Nodes whose value becomes a key of a map that is written out. */
function keysOfMaps(nodes: readonly CelNode[]): ReadonlySet<CelNode> {
  return new Set(
    nodes.flatMap(({ op, args }) => (op === 'map' && Array.isArray(args) ? args.map(([key]: [CelNode]) => key) : [])),
  );
}

/** Anything else would become a key by being written as one text, however long that is. */
function requireKey(value: unknown, position: number): void {
  if (typeof value !== 'object' || value === null) return;
  throw new ExpressionError('EXPRESSION_FAILED', 'A key of a map is a text, a number, true or false.', position);
}

type Metering = { meter: CostMeter; limits: ExpressionLimits; isKey: boolean };

function meterNode(node: CelNode, { meter, limits, isKey }: Metering): void {
  const made = madeBy(node);
  const operands = comparing.has(node.op) ? (node.args as CelNode[]) : [];
  node.evaluate = (evaluator, _node, context) => {
    meter.spend(1);
    let value: unknown;
    try {
      value = evaluateNode(node, evaluator, context);
    } catch (error) {
      if (!meter.exceeded()) meter.spend(ERROR_COST);
      throw error;
    }
    meter.weigh(value, made, node.start);
    if (isKey) requireKey(value, node.start);
    return value;
  };
  for (const operand of operands) {
    const original = operand.evaluate;
    operand.evaluate = (evaluator, self, context) => {
      const value = original.call(operand, evaluator, self, context);
      if (typeof value === 'object' && value !== null) meter.spend(deepSize(value, limits.maxCost + 1) / 8);
      return value;
    };
  }
}

function evaluateParsed(
  parsed: ReturnType<Environment['parse']>,
  variables: ReadonlyMap<string, unknown>,
  meter: CostMeter,
): unknown {
  // Nobody sees where in the library it failed, and writing that down is most of what an error costs.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const value: unknown = parsed(variables);
    if (meter.exceeded()) meter.spend(0);
    return value;
  } catch (error) {
    if (meter.exceeded() && !(error instanceof ExpressionError)) meter.spend(0);
    throw asExpressionError(error);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function asExpressionError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof ParseError) {
    const code = error.code === 'limit_exceeded' ? 'EXPRESSION_TOO_COMPLEX' : 'EXPRESSION_SYNTAX';
    return new ExpressionError(code, error.summary, error.range?.start);
  }
  if (error instanceof CelTypeError) return new ExpressionError('EXPRESSION_TYPE', error.summary, error.range?.start);
  if (error instanceof EvaluationError) {
    return new ExpressionError('EXPRESSION_FAILED', error.summary, error.range?.start);
  }
  // A range error is the host's: a text beyond its maximum, a number without a big integer, a stack that ended.
  if (error instanceof RangeError)
    return new ExpressionError('EXPRESSION_TOO_COSTLY', 'This expression takes too much.');
  return new ExpressionError('EXPRESSION_FAILED', 'This expression cannot be evaluated.');
}
