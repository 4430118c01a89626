/**
 * Expressions of playbooks and rule responses: CEL, bare in conditions, between `{{` and `}}` in values. Data is never
 * code: a value that comes out of an expression is not looked at again, whatever it contains.
 */

import type { CelProgram } from './cel-program.ts';
import { createCompiler } from './cel-program.ts';
import type { ExpressionRead } from './cel-reads.ts';
import type { NodeBudget, OutputBudget } from './cel-values.ts';
import { fromCel, spendOutput, toCel } from './cel-values.ts';
import { createCostMeter } from './cost-meter.ts';
import type { ExpressionErrorCode } from './expression-error.ts';
import { ExpressionError } from './expression-error.ts';
import type { ExpressionLimits } from './limits.ts';
import { defaultLimits, MAX_DATA_DEPTH } from './limits.ts';
import { hasTemplate, splitTemplate, type TemplatePart } from './template.ts';

/** Variables by name; values are JSON data. Anything that is not data is absent. */
export type ExpressionContext = Readonly<Record<string, unknown>>;

export type ExpressionProblem = {
  readonly code: ExpressionErrorCode;
  readonly message: string;
  /** Characters from 0 in the text that was checked. */
  readonly position?: number;
};

export type TemplateProblem = ExpressionProblem & {
  /** Keys and indexes from the value to the string with the problem. */
  readonly path: readonly (string | number)[];
};

export interface Expressions {
  /** Compiles a bare expression without running it; null when it compiles. */
  check(text: string): ExpressionProblem | null;
  /** What a bare expression takes from its context, and nothing of what stands in texts or is bound inside. Throws `ExpressionError`. */
  reads(text: string): readonly ExpressionRead[];
  /** Takes a text apart as `render` does. Throws `TEMPLATE_UNCLOSED` or `TEMPLATE_EMPTY`. */
  split(text: string): readonly TemplatePart[];
  /** Compiles every `{{ … }}` in a value of any depth. */
  checkTemplates(value: unknown): TemplateProblem[];
  /** Evaluates a bare expression that must give a boolean. Throws `ExpressionError`. */
  condition(text: string, context: ExpressionContext): boolean;
  /**
   * Renders every string of a value of any depth: exactly one `{{ … }}` becomes its typed value; inside other text, values
   * become text (null nothing, lists and maps JSON). Keys and everything else stay. Throws `ExpressionError`.
   */
  render(value: unknown, context: ExpressionContext): unknown;
  /**
   * Renders the value once per item, with the variables `item` and `index` (from 0) besides the context. All of it together
   * stays within the limits of one `render`; each item fails for itself, with an `ExpressionError`.
   */
  renderEach(value: unknown, context: ExpressionContext, items: readonly unknown[]): readonly RenderedItem[];
}

export type RenderedItem =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ExpressionError };

/** Compiled expressions kept per instance. */
const MAX_PROGRAMS = 1000;

export function createExpressions(limits: Partial<ExpressionLimits> = {}): Expressions {
  const bounds: ExpressionLimits = { ...defaultLimits, ...limits };
  const meter = createCostMeter(bounds);
  const compile = remembering(createCompiler(bounds, meter));

  /**
   * Compiling takes longer than most evaluations: of texts that come from outside there may be as many as fit a body. Every
   * text counts once, also one that is kept: whether something is refused does not depend on what was asked before.
   */
  function bounded(): (text: string) => CelProgram {
    const seen = new Set<string>();
    let left = bounds.maxCompiledLength;
    return (text) => {
      if (!seen.has(text)) left -= Math.max(text.length, MIN_COMPILE_COST);
      seen.add(text);
      if (left < 0) {
        throw new ExpressionError('EXPRESSION_TOO_COSTLY', 'These expressions are too many or too long together.');
      }
      return compile(text);
    };
  }

  function begin(context: ExpressionContext): Call {
    meter.reset();
    return {
      compile: bounded(),
      variables: lazyVariables(context, { left: bounds.maxContextNodes }),
      output: { nodes: bounds.maxOutputNodes, length: bounds.maxOutputLength },
    };
  }

  return {
    check: (text) => problemOf(() => bounded()(text)),
    reads: (text) => bounded()(text).reads(),
    split: splitTemplate,
    checkTemplates: (value) => templateProblems(value, bounded(), []),

    condition(text, context) {
      const call = begin(context);
      const program = call.compile(text);
      const value = program.evaluate(call.variables.of(program));
      if (typeof value === 'boolean') return value;
      throw new ExpressionError('EXPRESSION_RESULT_UNSUPPORTED', 'A condition must give true or false.');
    },

    render: (value, context) => renderValue(value, begin(context), 0),

    renderEach(value, context, items) {
      const scope: Record<string, unknown> = { ...context };
      const call = begin(scope);
      return items.map((item, index) => {
        Object.assign(scope, { item, index });
        call.variables.forget(['item', 'index']);
        return renderedItem(value, call);
      });
    },
  };
}

type Call = {
  readonly compile: (text: string) => CelProgram;
  readonly variables: Variables;
  readonly output: OutputBudget;
};

type Variables = {
  of(program: CelProgram): ReadonlyMap<string, unknown>;
  /** The context has other values for these names from now on. */
  forget(names: readonly string[]): void;
};

/** Converts only what a program names, once per call: an event with a thousand fields costs nothing unless it is read. */
function lazyVariables(context: ExpressionContext, budget: NodeBudget): Variables {
  const converted = new Map<string, unknown>();
  return {
    of(program) {
      for (const name of program.names) {
        if (converted.has(name) || !Object.hasOwn(context, name)) continue;
        const value = toCel(context[name], budget);
        if (value !== undefined) converted.set(name, value);
      }
      return converted;
    },
    forget(names) {
      for (const name of names) converted.delete(name);
    },
  };
}

function renderedItem(value: unknown, call: Call): RenderedItem {
  try {
    return { ok: true, value: renderValue(value, call, 0) };
  } catch (error) {
    if (error instanceof ExpressionError) return { ok: false, error };
    throw error;
  }
}

/** With a floor, so that what one call compiles is kept whole. */
const MIN_COMPILE_COST = 64;

function remembering(compile: (text: string) => CelProgram): (text: string) => CelProgram {
  const programs = new Map<string, CelProgram>();
  return (text) => {
    let program = programs.get(text);
    if (program === undefined) {
      program = compile(text);
      const oldest = programs.size >= MAX_PROGRAMS ? programs.keys().next() : undefined;
      if (oldest?.done === false) programs.delete(oldest.value);
      programs.set(text, program);
    }
    return program;
  };
}

function renderValue(value: unknown, call: Call, depth: number): unknown {
  if (depth > MAX_DATA_DEPTH)
    throw new ExpressionError('EXPRESSION_OUTPUT_TOO_LARGE', 'The value is nested too deeply.');
  if (typeof value === 'string') return renderText(value, call);
  spendOutput(call.output, 0);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renderValue(item, call, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]): [string, unknown] => {
      spendOutput(call.output, key.length);
      return [key, renderValue(item, call, depth + 1)];
    }),
  );
}

function renderText(text: string, call: Call): unknown {
  if (!hasTemplate(text)) {
    spendOutput(call.output, text.length);
    return text;
  }
  const parts = splitTemplate(text);
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only?.kind === 'expression') return evaluatePart(only, call);
  return parts
    .map((part) => {
      if (part.kind === 'expression') return asText(evaluatePart(part, call));
      spendOutput(call.output, part.text.length);
      return part.text;
    })
    .join('');
}

function evaluatePart(part: { text: string; position: number }, call: Call): unknown {
  try {
    const program = call.compile(part.text);
    return fromCel(program.evaluate(call.variables.of(program)), call.output);
  } catch (error) {
    throw shifted(error, part.position);
  }
}

function asText(value: unknown): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The same error with its position counted in the template instead of in the expression. */
function shifted(error: unknown, by: number): unknown {
  if (!(error instanceof ExpressionError)) return error;
  return new ExpressionError(error.code, error.message, by + (error.position ?? 0));
}

function problemOf(work: () => unknown): ExpressionProblem | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const position = error.position === undefined ? {} : { position: error.position };
    return { code: error.code, message: error.message, ...position };
  }
}

function templateProblems(
  value: unknown,
  compile: (text: string) => CelProgram,
  path: readonly (string | number)[],
): TemplateProblem[] {
  if (path.length > MAX_DATA_DEPTH) {
    return [{ path, code: 'EXPRESSION_TOO_COMPLEX', message: 'The value is nested too deeply.' }];
  }
  if (typeof value === 'string') return textProblems(value, compile).map((problem) => ({ ...problem, path }));
  if (typeof value !== 'object' || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, item]) => templateProblems(item, compile, [...path, key]));
}

function textProblems(text: string, compile: (text: string) => CelProgram): ExpressionProblem[] {
  if (!hasTemplate(text)) return [];
  let parts: ReturnType<typeof splitTemplate> = [];
  const unsplit = problemOf(() => {
    parts = splitTemplate(text);
  });
  if (unsplit !== null) return [unsplit];
  return parts.flatMap((part) => {
    if (part.kind === 'text') return [];
    const problem = problemOf(() => {
      try {
        compile(part.text);
      } catch (error) {
        throw shifted(error, part.position);
      }
    });
    return problem === null ? [] : [problem];
  });
}
