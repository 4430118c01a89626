import { type Hint, hintsFor } from './hints.ts';
import { queryLimits } from './query-limits.ts';
import { QueryError, type QueryProblem, type QueryResult, queryProblem, resultOf, type Span } from './query-problem.ts';
import { type QueryToken, tokenize } from './query-tokens.ts';
import type { QueryNode } from './query-tree.ts';
import { readTerm } from './term.ts';
import { createTokenCursor, type TokenCursor } from './token-cursor.ts';

export type ParsedQuery = { readonly tree: QueryNode; readonly hints: readonly Hint[] };

/**
 * Reads a query. What stands side by side without an operator is combined as in Lucene: any of the terms, but all of
 * those marked `+`, and none of those marked `-`, `!` or `NOT`. NOT binds closer than AND, AND closer than that, OR least.
 * An empty query is everything. Never throws for any text.
 */
export function parseQuery(text: string): QueryResult<ParsedQuery> {
  return resultOf(() => {
    if (text.length > queryLimits.maxLength) throw new QueryError(tooLong(text));
    const wellFormed = text.replace(LONE_SURROGATE, '\uFFFD');
    const tokens = tokenize(wellFormed);
    const cursor = createTokenCursor(wellFormed, tokens);
    return { tree: readQuery(cursor), hints: hintsFor(tokens) };
  });
}

/** Halves of characters cannot be sent to any store; events hold the same replacement for them. */
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

function tooLong({ length }: string): QueryProblem {
  const maximum = queryLimits.maxLength;
  return queryProblem('QUERY_TOO_LONG', { start: maximum, end: length }, { values: { length, maximum } });
}

function readQuery(cursor: TokenCursor): QueryNode {
  if (cursor.peek() === undefined) return { kind: 'all', span: { start: 0, end: 0 } };
  const tree = readOr(cursor, undefined);
  const rest = cursor.peek();
  if (rest !== undefined) throw new QueryError(unexpected(rest));
  return tree;
}

function readOr(cursor: TokenCursor, field: string | undefined): QueryNode {
  const parts = [readSequence(cursor, field)];
  while (cursor.peek()?.kind === 'or') {
    cursor.take();
    parts.push(readSequence(cursor, field));
  }
  return joined('or', parts);
}

type Mark = 'required' | 'prohibited' | undefined;
type Item = { readonly mark: Mark; readonly node: QueryNode };

/** Terms side by side. */
function readSequence(cursor: TokenCursor, field: string | undefined): QueryNode {
  const items = [readAnd(cursor, field)];
  for (let next = cursor.peek(); next !== undefined && beginsTerm(next); next = cursor.peek()) {
    items.push(readAnd(cursor, field));
  }
  const nodesOf = (mark: Mark) => items.filter((item) => item.mark === mark).map((item) => item.node);
  const required = nodesOf('required');
  const optional = nodesOf(undefined);
  // Where something is required, the rest would only change the order of results, and that is the order of time.
  const wanted = required.length > 0 ? required : optional.length > 0 ? [joined('or', optional)] : [];
  return joined('and', [...wanted, ...nodesOf('prohibited').map(negated)]);
}

function readAnd(cursor: TokenCursor, field: string | undefined): Item {
  const items = [readMarked(cursor, field)];
  while (cursor.peek()?.kind === 'and') {
    cursor.take();
    items.push(readMarked(cursor, field));
  }
  const [only] = items;
  if (items.length === 1 && only !== undefined) return only;
  return { mark: undefined, node: joined('and', items.map(nodeOf)) };
}

function nodeOf({ mark, node }: Item): QueryNode {
  return mark === 'prohibited' ? negated(node) : node;
}

const marks: Readonly<Partial<Record<QueryToken['kind'], Mark>>> = {
  plus: 'required',
  minus: 'prohibited',
  not: 'prohibited',
};

function readMarked(cursor: TokenCursor, field: string | undefined): Item {
  const sign = cursor.peek();
  const mark = sign === undefined ? undefined : marks[sign.kind];
  if (sign === undefined || mark === undefined) return { mark: undefined, node: readOperand(cursor, field) };
  cursor.take();
  const inner = cursor.deeper(sign, () => readMarked(cursor, field));
  const node = nodeOf(inner);
  return { mark, node: { ...node, span: { start: sign.start, end: node.span.end } } };
}

function readOperand(cursor: TokenCursor, field: string | undefined): QueryNode {
  const token = cursor.peek();
  if (token === undefined || token.kind === 'and' || token.kind === 'or' || token.kind === 'close') {
    throw new QueryError(missingOperand(cursor, token));
  }
  if (token.kind === 'open') return readGroup(cursor, field);
  if (token.kind !== 'field') return cursor.counted(readTerm(cursor, field));
  const name = cursor.takeField();
  const next = cursor.peek();
  // `*:(a OR b)` is `(a OR b)`, as `*:a` is `a`.
  if (next?.kind === 'open') return readGroup(cursor, name === '*' ? undefined : name);
  return cursor.counted(readTerm(cursor, name, token));
}

function readGroup(cursor: TokenCursor, field: string | undefined): QueryNode {
  const open = cursor.take();
  if (cursor.peek()?.kind === 'close') {
    const span = { start: open.start, end: cursor.take().end };
    throw new QueryError(queryProblem('QUERY_GROUP_EMPTY', span));
  }
  const inner = cursor.deeper(open, () => readOr(cursor, field));
  const close = cursor.peek();
  if (close === undefined) throw new QueryError(unclosed(open, cursor.text));
  if (close.kind !== 'close') throw new QueryError(unexpected(close));
  cursor.take();
  return { ...inner, span: { start: open.start, end: close.end } };
}

function beginsTerm({ kind }: QueryToken): boolean {
  return kind !== 'and' && kind !== 'or' && kind !== 'close';
}

function joined(kind: 'and' | 'or', parts: readonly QueryNode[]): QueryNode {
  const [first] = parts;
  if (first === undefined) throw new Error('There is at least one part.');
  return parts.length === 1 ? first : { kind, parts, span: spanOf(parts) };
}

function spanOf(parts: readonly QueryNode[]): Span {
  return {
    start: Math.min(...parts.map(({ span }) => span.start)),
    end: Math.max(...parts.map(({ span }) => span.end)),
  };
}

function negated(part: QueryNode): QueryNode {
  return { kind: 'not', part, span: part.span };
}

function missingOperand(cursor: TokenCursor, token: QueryToken | undefined): QueryProblem {
  const before = cursor.previous();
  const at = before ?? token ?? { start: cursor.text.length, end: cursor.text.length };
  const word = before === undefined ? token : before;
  if (word?.kind === 'close') return unexpected(word);
  const name = word === undefined ? 'The query' : cursor.text.slice(word.start, word.end);
  return queryProblem(before === undefined ? 'QUERY_NOTHING_BEFORE' : 'QUERY_NOTHING_BEHIND', at, { values: { name } });
}

function unclosed(open: QueryToken, text: string): QueryProblem {
  return queryProblem('QUERY_GROUP_UNCLOSED', open, { fix: `${text.trimEnd()})` });
}

function unexpected(token: QueryToken): QueryProblem {
  if (token.kind === 'close') return queryProblem('QUERY_GROUP_UNOPENED', token);
  return queryProblem('QUERY_UNEXPECTED', token, { values: { text: token.text } });
}
