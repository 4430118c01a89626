import { filledText, type TextValues } from '@airdeck/contracts/filled-text';
import type { Span } from './query-problem.ts';
import { hintTexts } from './query-texts.ts';
import type { QueryToken } from './query-tokens.ts';
import { searchColumns } from './search-columns.ts';

/** Something that is allowed, but probably not meant. */
export type Hint = {
  readonly span: Span;
  readonly message: string;
  readonly reason: string;
  readonly values: TextValues;
};

const MAX_HINTS = 5;
const lowerOperators: ReadonlySet<string> = new Set(['and', 'or', 'not']);

/** Looks for what people write by mistake: operators in lower case, and columns whose name is nearly right. */
export function hintsFor(tokens: readonly QueryToken[]): Hint[] {
  const hints: Hint[] = [];
  for (const [index, token] of tokens.entries()) {
    const found = hintFor(tokens, index);
    if (found === undefined) continue;
    const message = filledText(hintTexts[found.reason], found.values);
    hints.push({ span: { start: token.start, end: token.end }, ...found, message });
    if (hints.length === MAX_HINTS) break;
  }
  return hints;
}

type Found = { readonly reason: keyof typeof hintTexts; readonly values: TextValues };

function hintFor(tokens: readonly QueryToken[], index: number): Found | undefined {
  const token = tokens[index];
  if (token?.kind === 'field') return fieldHint(token.text);
  if (token?.kind !== 'word' || tokens[index - 1]?.kind === 'colon') return undefined;
  // Between two terms it is an operator in nearly every case; first or last it is a word.
  const isBetween = index > 0 && index < tokens.length - 1;
  if (isBetween && lowerOperators.has(token.text)) {
    return { reason: 'QUERY_HINT_OPERATOR', values: { word: token.text, operator: token.text.toUpperCase() } };
  }
  return undefined;
}

function fieldHint(name: string): Found | undefined {
  if (searchColumns.has(name) || name.includes('.')) return undefined;
  const folded = name.replaceAll(/[-_ ]/g, '').toLowerCase();
  const meant = [...searchColumns.keys()].find((column) => column.replaceAll('_', '') === folded);
  return meant === undefined ? undefined : { reason: 'QUERY_HINT_COLUMN', values: { column: meant } };
}
