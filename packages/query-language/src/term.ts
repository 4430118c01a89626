import { checkFieldName } from './field-name.ts';
import { queryLimits } from './query-limits.ts';
import { QueryError, type QueryProblem, queryProblem, type Span } from './query-problem.ts';
import type { QueryToken } from './query-tokens.ts';
import type { Bound, Match, QueryNode, TextPart } from './query-tree.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Reads what one field is asked for. `name` is the token of the field where it stands directly before. */
export function readTerm(cursor: TokenCursor, field: string | undefined, name?: QueryToken): QueryNode {
  const token = cursor.peek();
  if (token === undefined || isOperator(token)) throw new QueryError(noValue(cursor, token, name));
  const start = name?.start ?? token.start;
  const match = readMatch(cursor, token, field);
  const span = { start, end: cursor.previous()?.end ?? token.end };
  return termOf(field, match, span);
}

function isOperator({ kind }: QueryToken): boolean {
  return kind === 'and' || kind === 'or' || kind === 'not' || kind === 'plus' || kind === 'minus' || kind === 'close';
}

function readMatch(cursor: TokenCursor, token: QueryToken, field: string | undefined): Match {
  switch (token.kind) {
    case 'word':
      refusePaths(cursor, token, field);
      return wordMatch(cursor, cursor.take());
    case 'phrase':
      return { kind: 'text', text: cursor.take().text };
    case 'regex':
      return regexMatch(cursor);
    case 'compare':
      return compareMatch(cursor, field);
    case 'range-open':
      return rangeMatch(cursor, field);
    default:
      throw new QueryError(
        queryProblem('QUERY_UNEXPECTED', token, { values: { text: cursor.text.slice(token.start, token.end) } }),
      );
  }
}

/** Turns the idioms of Lucene into what they mean. */
function termOf(field: string | undefined, match: Match, span: Span): QueryNode {
  if (field === '_exists_') return existsTerm(match, span);
  const everything = match.kind === 'wildcard' && match.parts.length === 1 && match.parts[0] === 'any';
  if (field === undefined || field === '*') {
    return everything ? { kind: 'all', span } : { kind: 'term', field: undefined, match, span };
  }
  return { kind: 'term', field, match: everything ? { kind: 'exists' } : match, span };
}

function existsTerm(match: Match, span: Span): QueryNode {
  if (match.kind === 'text') {
    checkFieldName(match.text, span);
    return { kind: 'term', field: match.text, match: { kind: 'exists' }, span };
  }
  throw new QueryError(queryProblem('QUERY_EXISTS_FIELD', span));
}

function wordMatch(cursor: TokenCursor, token: QueryToken): Match {
  const parts = token.parts ?? [];
  const wildcards = parts.filter((part) => typeof part === 'string').length;
  if (wildcards === 0) return { kind: 'text', text: token.text };
  if (wildcards > queryLimits.maxWildcardsPerTerm) {
    const values = { maximum: queryLimits.maxWildcardsPerTerm };
    throw new QueryError(queryProblem('QUERY_TOO_MANY_WILDCARDS', token, { values }));
  }
  if (typeof parts[0] === 'string' && parts.length > 1) cursor.countLeadingWildcard(token);
  return { kind: 'wildcard', parts };
}

function regexMatch(cursor: TokenCursor): Match {
  const token = cursor.take();
  const { text, start, end } = token;
  if (text.length > queryLimits.maxPatternLength) {
    const values = { maximum: queryLimits.maxPatternLength };
    throw new QueryError(queryProblem('QUERY_PATTERN_TOO_LONG', { start, end }, { values }));
  }
  cursor.countPattern(token);
  return { kind: 'regex', pattern: text };
}

function compareMatch(cursor: TokenCursor, field: string | undefined): Match {
  const sign = cursor.take();
  if (field === undefined) throw new QueryError(needsField(sign, `field:${sign.text}5`));
  const token = cursor.peek();
  if (token === undefined || (token.kind !== 'word' && token.kind !== 'phrase')) {
    throw new QueryError(queryProblem('QUERY_COMPARED_VALUE_MISSING', sign, { values: { field, sign: sign.text } }));
  }
  const text = boundText(cursor.take());
  const bound: Bound = { text, inclusive: sign.text.endsWith('=') };
  const isLower = sign.text.startsWith('>');
  return { kind: 'range', from: isLower ? bound : undefined, to: isLower ? undefined : bound };
}

function rangeMatch(cursor: TokenCursor, field: string | undefined): Match {
  const open = cursor.take();
  if (field === undefined) throw new QueryError(needsField(open, 'field:[1 TO 5]'));
  const from = readBound(cursor, open);
  const to = cursor.peek();
  if (to?.kind !== 'to') throw new QueryError(badRange(open, cursor));
  cursor.take();
  const until = readBound(cursor, open);
  const close = cursor.peek();
  if (close === undefined) throw new QueryError(unclosedRange(open, cursor.text));
  if (close.kind !== 'range-close') throw new QueryError(badRange(open, cursor));
  cursor.take();
  return {
    kind: 'range',
    from: from === undefined ? undefined : { text: from, inclusive: open.text === '[' },
    to: until === undefined ? undefined : { text: until, inclusive: close.text === ']' },
  };
}

/** Undefined for an open end. */
function readBound(cursor: TokenCursor, open: QueryToken): string | undefined {
  const token = cursor.peek();
  if (token?.kind !== 'word' && token?.kind !== 'phrase') throw new QueryError(badRange(open, cursor));
  cursor.take();
  const isOpenEnd = token.parts?.length === 1 && token.parts[0] === 'any';
  return isOpenEnd ? undefined : boundText(token);
}

function boundText({ text, parts, start, end }: QueryToken): string {
  if (parts?.some((part: TextPart) => typeof part === 'string')) {
    throw new QueryError(queryProblem('QUERY_RANGE_WILDCARD', { start, end }));
  }
  return text;
}

/** `C:\Windows` would silently be a field called `C`. */
function refusePaths(cursor: TokenCursor, { start, end, text }: QueryToken, field: string | undefined): void {
  if (field?.length !== 1 || !text.startsWith('\\') || !cursor.text.endsWith(`${field}:`, start)) return;
  const from = start - 2;
  const written = cursor.text.slice(from, end);
  const fix = `${cursor.text.slice(0, from)}"${written}"${cursor.text.slice(end)}`;
  throw new QueryError(queryProblem('QUERY_PATH', { start: from, end }, { values: { field }, fix }));
}

function noValue(cursor: TokenCursor, token: QueryToken | undefined, name: QueryToken | undefined): QueryProblem {
  const at = name ?? token ?? { start: cursor.text.length, end: cursor.text.length };
  const field = name?.text ?? 'field';
  return queryProblem(name === undefined ? 'QUERY_TERM_MISSING' : 'QUERY_VALUE_MISSING', at, { values: { field } });
}

function needsField(token: QueryToken, example: string): QueryProblem {
  return queryProblem('QUERY_RANGE_WITHOUT_FIELD', token, { values: { example } });
}

function badRange(open: QueryToken, cursor: TokenCursor): QueryProblem {
  const token = cursor.peek();
  if (token === undefined) return unclosedRange(open, cursor.text);
  return queryProblem('QUERY_RANGE_INVALID', { start: open.start, end: token.end });
}

function unclosedRange({ start, end }: QueryToken, text: string): QueryProblem {
  const isAlmostRange = /\S\s+TO\s+[^\s\]}]+\s*$/.test(text.slice(end));
  const fix = isAlmostRange ? `${text.trimEnd()}]` : undefined;
  return queryProblem('QUERY_RANGE_UNCLOSED', { start, end }, { fix });
}
