/**
 * Expressions inside the texts of a definition, as far as the builder must understand them: where one begins and ends, and
 * which actions it names. What they mean is the server's business.
 */

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
function endOfString(text: string, at: number): number {
  const quote = text[at];
  const raw = /[rR]/.test(text[at - 1] ?? '');
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === '\\' && !raw) end += 1;
    else if (text[end] === quote) return end + 1;
  }
  return text.length;
}

/** What is named after its place: `actions.lookup`, `inputs['ip']`. */
type Root = 'actions' | 'inputs';

const reference = /(?<![\w.$])(actions|inputs)\s*(?:\.\s*([A-Za-z_]\w*)|\[\s*(?:'([^'\\]*)'|"([^"\\]*)")\s*\])/g;

type Found = Stretch & { readonly root: Root; readonly id: string };

/** The actions and inputs an expression names, with where they stand; what only looks so inside a string is left out. */
function namedIn(expression: string): Found[] {
  const strings = stringsIn(expression);
  return [...expression.matchAll(reference)].flatMap((match): Found[] => {
    const root = match[1] === 'actions' ? 'actions' : 'inputs';
    const id = match[2] ?? match[3] ?? match[4];
    if (id === undefined || strings.some(({ from, to }) => match.index > from && match.index < to)) return [];
    // The id is the last thing of the match, but for the quote and bracket that close it.
    const from = match.index + match[0].lastIndexOf(id);
    return [{ root, id, from, to: from + id.length }];
  });
}

function stringsIn(expression: string): Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < expression.length; at += 1) {
    if (expression[at] !== '"' && expression[at] !== "'") continue;
    const to = endOfString(expression, at);
    found.push({ from: at, to });
    at = to - 1;
  }
  return found;
}

/** Ids of the actions a bare expression names. */
export function actionsNamedBy(expression: string): string[] {
  return [...new Set(namedIn(expression).flatMap(({ root, id }) => (root === 'actions' ? [id] : [])))];
}

/** Ids of the actions the expressions in a value of any depth name. */
export function actionsNamedIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return [...new Set(expressionsIn(value).flatMap(({ from, to }) => actionsNamedBy(value.slice(from, to))))];
  }
  if (typeof value !== 'object' || value === null) return [];
  return [...new Set(Object.values(value).flatMap(actionsNamedIn))];
}

/** Something that is called otherwise from now on. */
export type Renaming = { readonly root: Root; readonly from: string; readonly to: string };

/** A bare expression in which an action or input is called otherwise. */
export function renamedIn(expression: string, { root, from, to }: Renaming): string {
  return namedIn(expression)
    .filter((found) => found.root === root && found.id === from)
    .reduceRight((text, found) => text.slice(0, found.from) + to + text.slice(found.to), expression);
}

/** The same for a text with expressions between braces. */
export function renamedInText(text: string, renaming: Renaming): string {
  return expressionsIn(text).reduceRight(
    (changed, { from, to }) => changed.slice(0, from) + renamedIn(text.slice(from, to), renaming) + changed.slice(to),
    text,
  );
}
