/** Expressions inside texts, as far as the dashboard must understand them: where one begins and ends. */

/** A stretch of a text: `from` inclusive, `to` exclusive. */
export type Stretch = { readonly from: number; readonly to: number };

/** What stands between `{{` and `}}`, wherever that is in the text. Braces inside strings and maps do not end one. */
export function expressionsIn(text: string): Stretch[] {
  const found: Stretch[] = [];
  for (let open = text.indexOf('{{'); open >= 0; ) {
    const close = closeOf(text, open + 2);
    if (close < 0) return found;
    found.push({ from: open + 2, to: close });
    open = text.indexOf('{{', close + 2);
  }
  return found;
}

/** Whether a value is a text with an expression in it, or with one begun. */
export function hasExpression(value: unknown): value is string {
  return typeof value === 'string' && value.includes('{{');
}

/** Whether the whole text is one expression, which gives its value with its type. */
export function isWholeExpression(text: string): boolean {
  const trimmed = text.trim();
  const [only, ...others] = expressionsIn(trimmed);
  return only?.from === 2 && only.to === trimmed.length - 2 && others.length === 0;
}

/** Whether anything in a value of any depth is an expression. */
export function holdsExpression(value: unknown): boolean {
  if (typeof value === 'string') return hasExpression(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsExpression);
}

function closeOf(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"' || char === "'") at = endOfString(text, at) - 1;
    else if (char === '{') depth += 1;
    else if (char === '}' && depth > 0) depth -= 1;
    else if (char === '}') return text[at + 1] === '}' ? at : -1;
  }
  return -1;
}

/** Position after the string that begins at `at`; one that is not closed reaches to the end. */
export function endOfString(text: string, at: number): number {
  const quote = text[at];
  const raw = /[rR]/.test(text[at - 1] ?? '');
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\' && !raw) end += 1;
    else if (text[end] === quote) return end + 1;
  }
  return text.length;
}
