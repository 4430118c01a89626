import type { Span } from './query-problem.ts';

/** Part of an unquoted term: text as it is, `*` (any number of characters) or `?` (one character). */
export type TextPart = { readonly literal: string } | 'any' | 'one';

export type Bound = { readonly text: string; readonly inclusive: boolean };

/** What a term asks of its field. */
export type Match =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wildcard'; readonly parts: readonly TextPart[] }
  | { readonly kind: 'regex'; readonly pattern: string }
  /** An end that is not there is open. */
  | { readonly kind: 'range'; readonly from: Bound | undefined; readonly to: Bound | undefined }
  | { readonly kind: 'exists' };

export type Term = {
  readonly kind: 'term';
  /** As written, without quotes and escapes; undefined searches the message and the original line. */
  readonly field: string | undefined;
  readonly match: Match;
  readonly span: Span;
};

/** A parsed query. `and` and `or` have at least two parts. */
export type QueryNode =
  | { readonly kind: 'all'; readonly span: Span }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly QueryNode[]; readonly span: Span }
  | { readonly kind: 'not'; readonly part: QueryNode; readonly span: Span }
  | Term;

/** Names of the fields a query asks for, each once, in the order they appear. */
export function fieldsOf(node: QueryNode): string[] {
  const names = new Set<string>();
  const open: QueryNode[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'and' || next.kind === 'or') open.push(...next.parts.toReversed());
    else if (next.kind === 'not') open.push(next.part);
    else if (next.kind === 'term' && next.field !== undefined) names.add(next.field);
  }
  return [...names];
}
