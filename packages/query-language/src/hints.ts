import type { Span } from './query-problem.ts';
import type { QueryToken } from './query-tokens.ts';
import { searchColumns } from './search-columns.ts';

/** Something that is allowed, but probably not meant. */
export type Hint = { readonly span: Span; readonly message: string };

const MAX_HINTS = 5;
const lowerOperators: ReadonlySet<string> = new Set(['and', 'or', 'not']);

/** Looks for what people write by mistake: operators in lower case, and columns whose name is nearly right. */
export function hintsFor(tokens: readonly QueryToken[]): Hint[] {
  const hints: Hint[] = [];
  for (const [index, token] of tokens.entries()) {
    const message = messageFor(tokens, index);
    if (message !== undefined) hints.push({ span: { start: token.start, end: token.end }, message });
    if (hints.length === MAX_HINTS) break;
  }
  return hints;
}

function messageFor(tokens: readonly QueryToken[], index: number): string | undefined {
  const token = tokens[index];
  if (token?.kind === 'field') return fieldMessage(token.text);
  if (token?.kind !== 'word' || tokens[index - 1]?.kind === 'colon') return undefined;
  // Between two terms it is an operator in nearly every case; first or last it is a word.
  const isBetween = index > 0 && index < tokens.length - 1;
  if (isBetween && lowerOperators.has(token.text)) {
    return `“${token.text}” is searched as a word; write ${token.text.toUpperCase()} for the operator.`;
  }
  return undefined;
}

function fieldMessage(name: string): string | undefined {
  if (searchColumns.has(name) || name.includes('.')) return undefined;
  const folded = name.replaceAll(/[-_ ]/g, '').toLowerCase();
  const meant = [...searchColumns.keys()].find((column) => column.replaceAll('_', '') === folded);
  return meant === undefined ? undefined : `There is a column ${meant}; did you mean ${meant}:?`;
}
