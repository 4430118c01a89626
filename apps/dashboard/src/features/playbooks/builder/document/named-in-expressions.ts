/**
 * Which actions and inputs the expressions of a definition name, as far as the builder must understand that. What they mean
 * is the server's business.
 */
import { endOfString, expressionsIn, type Stretch } from '../../../../components/expression/expression-text.ts';

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
