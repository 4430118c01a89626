/**
 * What a policy's regular expressions may cost.
 *
 * The engine needs time for every character times every part of an expression, as `a{1000}` needs no more than eight
 * characters to have a thousand of them. So the parts are bounded, and so is the text: the more parts a policy has, the
 * less of a field its expressions are held against. The parts are counted before anything is compiled, because compiling
 * writes them out.
 */
import { endOfClass } from './regex-literal.ts';

/** The regular expressions of one policy; they share what may be spent on an event. */
export type Expressions = {
  /** Parts of those compiled so far. */
  size: number;
  readonly maximum: number;
};

/** Parts of all expressions of a policy that is saved or tried. */
const MAX_SIZE = 1_500;
/** Of one that was saved before there was a bound: it goes on with little text, unless compiling it would take too long. */
const MAX_SIZE_KEPT = 20_000;
/** Characters times parts: some tens of milliseconds for an expression made to be slow. */
const MAX_WORK = 1_500_000;
/** As elsewhere where people's patterns run. */
const MAX_CHARS = 50_000;
/** Beginning with a text takes as long as so many characters of one. */
const TEXT_CHARS = 8;

export const createExpressions = (): Expressions => ({ size: 0, maximum: MAX_SIZE });
export const createKeptExpressions = (): Expressions => ({ size: 0, maximum: MAX_SIZE_KEPT });

/**
 * The beginning of the texts of a field, as much as the policy's expressions are held against, and how many characters that
 * is. A text that is cut ends there for the expression: `$` fits at the cut.
 */
export function beginningOf(
  texts: readonly string[],
  { size }: Pick<Expressions, 'size'>,
): { readonly texts: readonly string[]; readonly chars: number } {
  const all = Math.min(MAX_CHARS, Math.floor(MAX_WORK / size));
  let left = all;
  const beginning: string[] = [];
  for (const text of texts) {
    if (left <= 0) break;
    beginning.push(text.length > left ? text.slice(0, left) : text);
    left -= text.length + TEXT_CHARS;
  }
  return { texts: beginning, chars: all - Math.max(0, left) };
}

/** `{2}`, `{2,}`, `{2,5}`, at a place. */
const COUNT = /\{(\d+)(,(\d*))?\}/y;
/** `\pL`: hundreds of ranges, worked out anew wherever it stands. */
const CATEGORY_SIZE = 20;

/**
 * How many parts an expression has with its repetitions written out, at least as many as the engine makes of it. Of no
 * meaning for what is no expression, which the engine refuses before it writes anything out.
 */
export function expressionSize(expression: string): number {
  const outer: number[] = [];
  // Of the innermost group: what is done, and the last item, which may be repeated.
  let done = 0;
  let last = 0;
  const add = (size: number) => {
    done += last;
    last = size;
  };
  for (let at = 0; at < expression.length; at += 1) {
    const character = expression.charAt(at);
    const count = countAt(expression, at);
    if (count !== undefined) {
      last = repeated(last, count);
      at = COUNT.lastIndex - 1;
    } else if (character === '*' || character === '+' || character === '?') last += 2;
    else if (character === '(') {
      outer.push(done + last);
      done = 0;
      last = 0;
      if (expression.startsWith('?:', at + 1)) at += 2;
    } else if (character === ')') {
      // What is empty is a part as well.
      last = Math.max(1, done + last) + 2;
      done = outer.pop() ?? 0;
    } else if (character === '\\') {
      const end = endOfEscape(expression, at);
      // Of a quotation, only the last character is repeated.
      if (expression.startsWith('\\Q', at)) add(end - at);
      add(1);
      at = end;
    } else {
      add(character === '|' ? 2 : 1);
      if (character === '[') at = endOfClass(expression, at);
    }
  }
  const categories = expression.replaceAll(/\\[^p]/gi, '').match(/\\p/gi)?.length ?? 0;
  const parts = outer.reduce((sum, size) => sum + size, done + last);
  return Math.max(1, parts) + categories * CATEGORY_SIZE + 2;
}

function countAt(expression: string, at: number): { least: number; most: number } | undefined {
  COUNT.lastIndex = at;
  const [found, least, comma, most] = COUNT.exec(expression) ?? [];
  if (found === undefined) return undefined;
  if (comma === undefined) return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most === '' ? Number.POSITIVE_INFINITY : Number(most) };
}

/** What may be missing has one part more each; what may be repeated without end is repeated at the end. */
function repeated(size: number, { least, most }: { least: number; most: number }): number {
  if (most === Number.POSITIVE_INFINITY) return Math.max(1, least) * size + 2;
  return Math.max(1, most * size + most - least);
}

/** The last character of what begins with the backslash at `at`. */
function endOfEscape(expression: string, at: number): number {
  if (expression.startsWith('\\Q', at)) {
    const end = expression.indexOf('\\E', at + 2);
    return end === -1 ? expression.length : end + 1;
  }
  // `\x{2019}` is one character, not two thousand.
  const end = expression.startsWith('\\x{', at) ? expression.indexOf('}', at) : -1;
  return Math.max(end, at + 1);
}
