import { numberOf } from './number-text.ts';
import type { Span } from './query-problem.ts';
import { type QueryToken, type TokenKind, tokenize } from './query-tokens.ts';

export type ColourKind =
  | 'space'
  | 'field'
  | 'punctuation'
  | 'operator'
  | 'word'
  | 'wildcard'
  | 'number'
  | 'phrase'
  | 'regex'
  | 'range'
  | 'error';

export type ColouredSpan = Span & { readonly kind: ColourKind };

const colours: Readonly<Record<Exclude<TokenKind, 'word'>, ColourKind>> = {
  space: 'space',
  open: 'punctuation',
  close: 'punctuation',
  and: 'operator',
  or: 'operator',
  not: 'operator',
  plus: 'operator',
  minus: 'operator',
  field: 'field',
  colon: 'punctuation',
  compare: 'operator',
  phrase: 'phrase',
  regex: 'regex',
  'range-open': 'range',
  'range-close': 'range',
  to: 'range',
  bad: 'error',
};

/** The whole text in coloured stretches, without gaps, also while it is not yet a query. Never throws. */
export function colourQuery(text: string): ColouredSpan[] {
  return tokenize(text).flatMap((token) =>
    token.kind === 'word' ? colourWord(text, token) : colourOf(token, token.kind),
  );
}

function colourOf({ start, end }: Span, kind: Exclude<TokenKind, 'word'>): ColouredSpan {
  return { kind: colours[kind], start, end };
}

/** Numbers in their own colour, and wildcards apart from the text between them. */
function colourWord(text: string, { start, end, parts, text: meant }: QueryToken): ColouredSpan[] {
  if (parts === undefined || parts.every((part) => typeof part !== 'string')) {
    return [{ kind: numberOf(meant) === undefined ? 'word' : 'number', start, end }];
  }
  const spans: ColouredSpan[] = [];
  for (const found of text.slice(start, end).matchAll(/[*?]+|(?:\\[\s\S]|[^*?\\])+|\\$/g)) {
    const from = start + found.index;
    spans.push({ kind: /^[*?]/.test(found[0]) ? 'wildcard' : 'word', start: from, end: from + found[0].length });
  }
  return spans;
}
