import { queryLimits } from './query-limits.ts';
import { QueryError, queryProblem, type Span } from './query-problem.ts';
import type { QueryToken } from './query-tokens.ts';
import { type SearchColumn, searchColumns } from './search-columns.ts';

/** Where a name leads: to a column, or to a path into the original fields. */
export type FieldTarget =
  | { readonly kind: 'column'; readonly column: SearchColumn }
  | { readonly kind: 'path'; readonly path: readonly string[] };

const ORIGINAL = 'fields.';

/** Names are compared exactly as they are stored. */
export function targetOf(name: string): FieldTarget {
  const column = searchColumns.get(name);
  if (column !== undefined) return { kind: 'column', column };
  const path = name.startsWith(ORIGINAL) ? name.slice(ORIGINAL.length) : name;
  return { kind: 'path', path: path.split('.') };
}

/** The name a query uses for a path into the original fields, its keys joined by dots: what `targetOf` leads back to it. */
export function nameOfPath(path: string): string {
  return searchColumns.has(path) || path.startsWith(ORIGINAL) ? `${ORIGINAL}${path}` : path;
}

export function checkFieldToken({ start, end, text, parts }: QueryToken): void {
  const span = { start, end };
  if (text === '*') return;
  if (parts?.some((part) => typeof part === 'string')) {
    throw new QueryError(queryProblem('QUERY_FIELD_WILDCARD', span));
  }
  checkFieldName(text, span);
}

/** Throws a `QueryError` for what cannot be the name of a stored field. */
export function checkFieldName(name: string, span: Span): void {
  const { maxFieldLength, maxFieldParts } = queryLimits;
  if (name.length > maxFieldLength) {
    throw new QueryError(queryProblem('QUERY_FIELD_TOO_LONG', span, { values: { maximum: maxFieldLength } }));
  }
  const parts = (name.startsWith(ORIGINAL) ? name.slice(ORIGINAL.length) : name).split('.');
  if (parts.some((part) => part === '')) {
    throw new QueryError(queryProblem('QUERY_FIELD_PART_EMPTY', span));
  }
  // Backticks mark typed paths in the store, and NULs are taken out of everything that is stored.
  if (/[`\0]/.test(name)) {
    throw new QueryError(queryProblem('QUERY_FIELD_CHARACTER', span));
  }
  if (parts.length > maxFieldParts) {
    throw new QueryError(queryProblem('QUERY_FIELD_TOO_MANY_PARTS', span, { values: { maximum: maxFieldParts } }));
  }
}
