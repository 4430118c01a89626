/**
 * How large a regular expression is for an engine that takes time linear in the text, such as RE2: it writes out what is
 * repeated, so `a{1000}` has a thousand parts in eight characters. Counted without compiling, because compiling does the
 * writing.
 */

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

/** The bracket that closes the class opened at `open`. */
export function endOfClass(expression: string, open: number): number {
  // A bracket right after the opening one, or after its negation, stands for itself.
  let at = expression.charAt(open + 1) === '^' ? open + 2 : open + 1;
  if (expression.charAt(at) === ']') at += 1;
  for (; at < expression.length; at += 1) {
    const character = expression.charAt(at);
    if (character === '\\') at += 1;
    // Without its end, the name of a class is a bracket and a colon like others.
    else if (expression.startsWith('[:', at)) at = Math.max(at, expression.indexOf(':]', at) + 1);
    else if (character === ']') return at;
  }
  return expression.length;
}
