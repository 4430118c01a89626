import type { ExpressionContext, ExpressionEvaluator } from '../interfaces.ts';

/**
 * A small real evaluator for tests: paths (`inputs.ip`, `actions.a.output.x`), literals, `==`, `!=`, `&&`, `||` and `!`.
 * A path that leads nowhere fails, as it does in the expression language of the product.
 */
export const testEvaluator: ExpressionEvaluator = {
  check(text) {
    try {
      parseOr(tokensOf(text));
      return null;
    } catch (error) {
      return { message: error instanceof Error ? error.message : String(error) };
    }
  },
  reads(text) {
    const names = tokensOf(text).list.filter((token) => /^[A-Za-z_]/.test(token) && !literals.has(token));
    return names.map((token) => {
      const [name = '', ...fields] = token.split('.');
      return { name, fields };
    });
  },
  split(text) {
    const parts = text.split(/\{\{([^{}]*)\}\}/);
    if (parts.some((part, at) => at % 2 === 0 && part.includes('{{'))) throw new Error('A template is not closed.');
    return parts.map((part, at) => ({ kind: at % 2 === 0 ? 'text' : 'expression', text: part }));
  },
  condition(text, context) {
    const value = evaluate(text, context);
    if (typeof value !== 'boolean') throw new Error(`"${text}" is not a condition.`);
    return value;
  },
  render(value, context) {
    if (typeof value === 'string') return renderText(value, context);
    if (Array.isArray(value)) return value.map((item) => testEvaluator.render(item, context));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, testEvaluator.render(item, context)]));
  },
  renderEach(value, context, items) {
    return items.map((item, index) => {
      try {
        return { ok: true, value: testEvaluator.render(value, { ...context, item, index }) };
      } catch (error) {
        return { ok: false, error };
      }
    });
  },
};

const literals: ReadonlySet<string> = new Set(['true', 'false', 'null']);

const wholeTemplate = /^\{\{([^{}]*)\}\}$/;

function renderText(text: string, context: ExpressionContext): unknown {
  const whole = wholeTemplate.exec(text)?.[1];
  if (whole !== undefined) return evaluate(whole, context);
  return text.replace(/\{\{([^{}]*)\}\}/g, (_, inner: string) => {
    const value = evaluate(inner, context);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

type Node = (context: ExpressionContext) => unknown;

function evaluate(text: string, context: ExpressionContext): unknown {
  return parseOr(tokensOf(text))(context);
}

type Tokens = { readonly list: readonly string[]; at: number };

function tokensOf(text: string): Tokens {
  const list = text.match(/'[^']*'|[A-Za-z_][\w.]*|\d+(?:\.\d+)?|==|!=|&&|\|\||[!()]|\S/g) ?? [];
  return { list, at: 0 };
}

function parseOr(tokens: Tokens, nested = false): Node {
  let left = parseAnd(tokens);
  while (tokens.list[tokens.at] === '||') {
    tokens.at += 1;
    const [first, second] = [left, parseAnd(tokens)];
    left = (context) => first(context) === true || second(context) === true;
  }
  if (!nested && tokens.at < tokens.list.length) throw new Error(`Unexpected "${tokens.list[tokens.at]}".`);
  return left;
}

function parseAnd(tokens: Tokens): Node {
  let left = parseEquality(tokens);
  while (tokens.list[tokens.at] === '&&') {
    tokens.at += 1;
    const [first, second] = [left, parseEquality(tokens)];
    left = (context) => first(context) === true && second(context) === true;
  }
  return left;
}

function parseEquality(tokens: Tokens): Node {
  const left = parseValue(tokens);
  const operator = tokens.list[tokens.at];
  if (operator !== '==' && operator !== '!=') return left;
  tokens.at += 1;
  const right = parseValue(tokens);
  return (context) => (left(context) === right(context)) === (operator === '==');
}

function parseValue(tokens: Tokens): Node {
  const token = tokens.list[tokens.at];
  tokens.at += 1;
  if (token === undefined) throw new Error('Unexpected end.');
  if (token === '!') {
    const inner = parseValue(tokens);
    return (context) => inner(context) !== true;
  }
  if (token === '(') {
    const inner = parseOr(tokens, true);
    if (tokens.list[tokens.at] !== ')') throw new Error('A bracket is not closed.');
    tokens.at += 1;
    return inner;
  }
  if (token.startsWith("'")) return () => token.slice(1, -1);
  if (/^\d/.test(token)) return () => Number(token);
  if (token === 'true' || token === 'false') return () => token === 'true';
  if (token === 'null') return () => null;
  if (/^[A-Za-z_]/.test(token)) return (context) => lookUp(token, context);
  throw new Error(`Unexpected "${token}".`);
}

function lookUp(path: string, context: ExpressionContext): unknown {
  let value: unknown = context;
  for (const key of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key))
      throw new Error(`No such value: ${path}`);
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
