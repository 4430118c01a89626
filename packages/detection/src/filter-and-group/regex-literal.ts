import { endOfClass } from '@airdeck/domain/expression-size';

/** `{2}`, `{2,}`, `{2,5}`, at a place. */
const COUNT = /\{\d+(?:,\d*)?\}/y;
const META = new Set('.^$|()[]{}*+?\\');
/** Letters that other letters become when case is ignored (the long s, the Kelvin sign): their lower case differs. */
const FOLDS_FROM_ELSEWHERE = /[sk]/i;

/**
 * The longest text that stands in everything the expression finds, or undefined where that is not plain to see: only the
 * top level is looked at, and nothing with alternatives there.
 */
export function literalIn(expression: string, { ignoreCase }: { ignoreCase: boolean }): string | undefined {
  // Flags, quoting and anything else with a meaning of its own inside: rare, and not worth a second parser.
  if (/\(\?(?!:)/.test(expression) || /\\[QExpP0-9]/.test(expression)) return undefined;
  const runs: string[] = [];
  let run = '';
  const end = () => {
    runs.push(run);
    run = '';
  };
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression.charAt(at);
    // Braces that count nothing stand for themselves: rare too.
    if (character === '|' || character === '{') return undefined;
    if (character === '(' || character === '[') {
      end();
      at = character === '(' ? endOfGroup(expression, at) : endOfClass(expression, at);
      at = endOfQuantifier(expression, at);
      continue;
    }
    const escaped = character === '\\';
    if (escaped) at += 1;
    const literal = expression.charAt(at);
    const stands = escaped ? !/[a-z]/i.test(literal) : !META.has(character);
    const quantified = endOfQuantifier(expression, at);
    if (!stands || quantified > at || (ignoreCase && FOLDS_FROM_ELSEWHERE.test(literal))) end();
    else run += literal;
    at = quantified;
  }
  end();
  return runs.reduce((best, one) => (one.length > best.length ? one : best), '') || undefined;
}

/** The last character of the quantifiers after `at`, or `at` itself. */
function endOfQuantifier(expression: string, at: number): number {
  let end = at;
  for (;;) {
    const next = expression.charAt(end + 1);
    if (next === '*' || next === '+' || next === '?') end += 1;
    else {
      COUNT.lastIndex = end + 1;
      if (!COUNT.test(expression)) return end;
      end = COUNT.lastIndex - 1;
    }
  }
}

function endOfGroup(expression: string, open: number): number {
  let depth = 0;
  for (let at = open; at < expression.length; at += 1) {
    const character = expression.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '[') at = endOfClass(expression, at);
    else if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return expression.length;
}
