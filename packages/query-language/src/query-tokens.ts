import { colonValueEnd } from './colon-value.ts';
import type { Span } from './query-problem.ts';
import type { TextPart } from './query-tree.ts';
import { readPhrase, readRegex, readWord, type TextProblem } from './term-text.ts';

export type TokenKind =
  | 'space'
  | 'open'
  | 'close'
  | 'and'
  | 'or'
  | 'not'
  | 'plus'
  | 'minus'
  | 'field'
  | 'colon'
  | 'compare'
  | 'word'
  | 'phrase'
  | 'regex'
  | 'range-open'
  | 'range-close'
  | 'to'
  | 'bad';

/** A piece of the query. Tokens follow each other without gaps, also in text that is not a query. */
export type QueryToken = Span & {
  readonly kind: TokenKind;
  /** What is meant: the field's name, the phrase or the pattern without quotes and escapes; otherwise as written. */
  readonly text: string;
  /** Of words: text and wildcards apart. */
  readonly parts?: readonly TextPart[];
  /** What is wrong with it, of `bad` tokens. */
  readonly problem?: TextProblem;
};

/** Where the reader is: before a term, behind a field's colon, or between the brackets of a range. */
type Place = 'term' | 'value' | 'range';
type Scan = {
  readonly text: string;
  readonly at: number;
  readonly place: Place;
  readonly before: TokenKind | undefined;
};

/** Splits any text into tokens; never throws. What cannot be read is a `bad` token that says why. */
export function tokenize(text: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  let place: Place = 'term';
  for (let at = 0; at < text.length; ) {
    const token = tokenAt({ text, at, place, before: tokens.at(-1)?.kind });
    tokens.push(token);
    place = placeAfter(token, place);
    at = token.end;
  }
  return tokens;
}

function placeAfter(token: QueryToken, place: Place): Place {
  if (token.kind === 'range-open') return 'range';
  if (token.kind === 'range-close') return 'term';
  if (place === 'range') return 'range';
  // `field: value` and `field:>= 5` are written with spaces too.
  if (token.kind === 'colon' || token.kind === 'compare') return 'value';
  return token.kind === 'space' ? place : 'term';
}

function tokenAt(scan: Scan): QueryToken {
  const { text, at, place } = scan;
  const space = runOf(/\s+/y, text, at);
  if (space > at) return make(scan, 'space', space);
  if (place === 'range') return rangeToken(scan);
  return symbolToken(scan) ?? quotedToken(scan) ?? wordToken(scan);
}

const symbols: readonly { pattern: RegExp; kind: TokenKind; place?: Place }[] = [
  { pattern: /\(/y, kind: 'open' },
  { pattern: /\)/y, kind: 'close' },
  { pattern: /&&/y, kind: 'and' },
  { pattern: /\|\|/y, kind: 'or' },
  { pattern: /[[{]/y, kind: 'range-open' },
  { pattern: />=|<=|>|</y, kind: 'compare' },
  { pattern: /!(?=[^\s])/y, kind: 'not', place: 'term' },
  { pattern: /\+(?=[^\s])/y, kind: 'plus', place: 'term' },
  { pattern: /-(?=[^\s])/y, kind: 'minus', place: 'term' },
];
const WORD_OPERATOR = /(?:AND|OR|NOT)(?=[\s()]|$)/y;
const operatorKinds: Readonly<Record<string, TokenKind>> = { AND: 'and', OR: 'or', NOT: 'not' };

function symbolToken(scan: Scan): QueryToken | undefined {
  const { text, at, place, before } = scan;
  for (const { pattern, kind, place: only } of symbols) {
    if (only !== undefined && only !== place) continue;
    const end = runOf(pattern, text, at);
    if (end > at) return make(scan, kind, end);
  }
  // `state:OR` is Oregon; `state: OR …` is a value that was forgotten.
  if (before === 'colon') return undefined;
  const end = runOf(WORD_OPERATOR, text, at);
  return end > at ? make(scan, operatorKinds[text.slice(at, end)] ?? 'word', end) : undefined;
}

function quotedToken(scan: Scan): QueryToken | undefined {
  const { text, at, place } = scan;
  if (text[at] === '"') {
    const phrase = readPhrase(text, at);
    if (phrase.problem !== undefined) return { ...make(scan, 'bad', phrase.end), problem: phrase.problem };
    const isField = place === 'term' && text[phrase.end] === ':';
    return { ...make(scan, isField ? 'field' : 'phrase', phrase.end), text: phrase.text };
  }
  if (text[at] === '/') {
    const regex = readRegex(text, at);
    if (regex.problem !== undefined) return { ...make(scan, 'bad', regex.end), problem: regex.problem };
    return { ...make(scan, 'regex', regex.end), text: regex.text };
  }
  return undefined;
}

const strays: Readonly<Record<string, TextProblem>> = {
  ']': { reason: 'QUERY_STRAY_SQUARE_BRACKET' },
  '}': { reason: 'QUERY_STRAY_BRACE' },
  '!': { reason: 'QUERY_STRAY_NOT' },
  '+': { reason: 'QUERY_STRAY_PLUS' },
  '-': { reason: 'QUERY_STRAY_MINUS' },
};
const noField: TextProblem = { reason: 'QUERY_COLON_WITHOUT_FIELD' };

function wordToken(scan: Scan): QueryToken {
  const { text, at, place, before } = scan;
  const char = text[at] ?? '';
  if (before === 'field') return make(scan, 'colon', at + 1);
  const colonEnd = place === 'term' ? colonValueEnd(text, at) : undefined;
  if (colonEnd !== undefined)
    return { ...make(scan, 'word', colonEnd), parts: [{ literal: text.slice(at, colonEnd) }] };
  if (char === ':' && place === 'term') return { ...make(scan, 'bad', at + 1), problem: noField };
  const word = readWord(text, at, place);
  const stray = word.end === at + 1 ? strays[char] : undefined;
  if (stray !== undefined && (place === 'term' || char === ']' || char === '}')) {
    return { ...make(scan, 'bad', word.end), problem: stray };
  }
  if (word.problem !== undefined) return { ...make(scan, 'bad', word.end), problem: word.problem };
  const isField = place === 'term' && text[word.end] === ':';
  return { ...make(scan, isField ? 'field' : 'word', word.end), text: word.text, parts: word.parts };
}

function rangeToken(scan: Scan): QueryToken {
  const { text, at } = scan;
  const char = text[at] ?? '';
  if (char === ']' || char === '}') return make(scan, 'range-close', at + 1);
  const to = runOf(/TO(?=[\s\]}]|$)/y, text, at);
  if (to > at) return make(scan, 'to', to);
  if (char === '"') return quotedToken(scan) ?? make(scan, 'bad', at + 1);
  const word = readWord(text, at, 'range');
  if (word.problem !== undefined) return { ...make(scan, 'bad', word.end), problem: word.problem };
  return { ...make(scan, 'word', word.end), text: word.text, parts: word.parts };
}

function runOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function make({ text, at }: Scan, kind: TokenKind, end: number): QueryToken {
  return { kind, start: at, end, text: text.slice(at, end) };
}
