import { formatAddress } from './ip-address.ts';
import { QueryError, type QueryResult, queryProblem, resultOf } from './query-problem.ts';
import type { QueryNode } from './query-tree.ts';
import { type ResolveOptions, resolveQuery } from './resolve.ts';
import type { Check, Edge, ValueTarget, ValueTest, WordsTest } from './search-check.ts';
import { columnText, createParams, type Params, pathExpressions, type QueryParams } from './sql-parts.ts';
import { fold } from './text-pattern.ts';

export type CompiledQuery = {
  /** A condition of ClickHouse over the table of events, in brackets where it needs them. Holds no text of the query. */
  readonly sql: string;
  /** Values of `{p0:String}` and so on. */
  readonly params: QueryParams;
};

/**
 * Compiles a query for the event store. Every text of the query becomes a bound parameter; names of original fields become
 * quoted identifiers of which every character but letters, digits and `_` is an escape sequence.
 *
 * Case is ignored by comparing lower case with lower case. Words are looked up as `hasToken(lowerUTF8(message), …)`, which
 * a text index over that expression answers. Always 0 or 1, never null, so that `NOT` finds events without the field.
 */
export function compileQuery(tree: QueryNode, options: ResolveOptions): QueryResult<CompiledQuery> {
  return resultOf(() => {
    const params = createParams();
    const sql = compile(resolveQuery(tree, options), params);
    if (sql.length > MAX_SQL_LENGTH) throw new QueryError(queryProblem('QUERY_TOO_LARGE', tree.span));
    return { sql, params: params.values };
  });
}

/** The store takes statements of 256 KiB, and the time to plan them grows with their size. */
const MAX_SQL_LENGTH = 64_000;

function compile(check: Check, params: Params): string {
  switch (check.kind) {
    case 'all':
      return '1';
    case 'none':
      return '0';
    case 'and':
      return `(${check.parts.map((part) => compile(part, params)).join(' and ')})`;
    case 'or':
      return `(${mergeEqual(check.parts)
        .map((part) => compile(part, params))
        .join(' or ')})`;
    case 'not':
      return `(not ${compile(check.part, params)})`;
    case 'present':
      return present(check.target, params);
    case 'value':
      return valueCondition(check.target, check.test, params);
    case 'words':
      return anyOf(check.columns, (column) => words(column, check.test, params));
    case 'pattern':
      return anyOf(check.columns, (column) => `match(${column}, ${params.text(check.pattern)})`);
    case 'time':
      return timeRange(check, params);
  }
}

/** Long lists of values for one field, such as indicators, read the field once. */
function mergeEqual(parts: readonly Check[]): Check[] {
  const merged: Check[] = [];
  const lists = new Map<string, { texts: string[]; at: number }>();
  for (const part of parts.flatMap(alternativesOf)) {
    const target = part.kind === 'value' && part.test.is === 'equal' ? JSON.stringify(part.target) : undefined;
    if (part.kind !== 'value' || part.test.is !== 'equal' || target === undefined) {
      merged.push(part);
      continue;
    }
    const list = lists.get(target);
    if (list === undefined) {
      lists.set(target, { texts: [part.test.text], at: merged.length });
      merged.push(part);
    } else {
      list.texts.push(part.test.text);
      merged[list.at] = { kind: 'value', target: part.target, test: { is: 'one-of', texts: list.texts } };
    }
  }
  return merged;
}

function alternativesOf(check: Check): readonly Check[] {
  return check.kind === 'or' ? check.parts.flatMap(alternativesOf) : [check];
}

function anyOf(columns: readonly string[], condition: (column: string) => string): string {
  return `(${columns.map(condition).join(' or ')})`;
}

function words(column: string, { pattern, words: whole, only }: WordsTest, params: Params): string {
  const folded = `lowerUTF8(${column})`;
  if (only !== undefined) return `hasToken(${folded}, ${params.text(only)})`;
  // The words come first, since the text index answers them.
  const held = whole.length === 0 ? '' : `hasAllTokens(${folded}, ${params.texts(whole)}) and `;
  return `(${held}match(${folded}, ${params.text(pattern)}))`;
}

function timeRange({ column, from, until }: Extract<Check, { kind: 'time' }>, params: Params): string {
  const at = (ms: number) => `fromUnixTimestamp64Milli(${params.integer(ms)}, 'UTC')`;
  const conditions = [
    ...(from === undefined ? [] : [`${column} >= ${at(from)}`]),
    ...(until === undefined ? [] : [`${column} < ${at(until)}`]),
  ];
  return conditions.length === 0 ? '1' : `(${conditions.join(' and ')})`;
}

function present(target: ValueTarget, params: Params): string {
  if (target.kind === 'path') return pathExpressions(target.path, params).present();
  return target.column.kind === 'id' || target.column.kind === 'time' ? '1' : `(${target.column.column} != '')`;
}

function valueCondition(target: ValueTarget, test: ValueTest, params: Params): string {
  if (target.kind === 'path')
    return pathExpressions(target.path, params).some((value) => condition(value, test, params));
  const { kind, column } = target.column;
  if (kind === 'slug' && test.is === 'equal') return `(${column} = ${params.text(test.text)})`;
  if (kind === 'id' && test.is === 'equal' && UUID.test(test.text)) return `(${column} = ${params.uuid(test.text)})`;
  const matches = condition(columnText(target.column), test, params);
  // An empty column is one without a value, which only `field:""` asks for.
  const mayBeEmpty = test.is === 'pattern' || test.is === 'between' || test.is === 'like';
  return mayBeEmpty && kind !== 'id' ? `(${column} != '' and ${matches})` : matches;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A condition on an expression that is a text or null. */
function condition(value: string, test: ValueTest, params: Params): string {
  switch (test.is) {
    case 'equal':
      return `(${foldedFor(value, test.text)} = ${params.text(test.text)})`;
    case 'one-of':
      return `(lowerUTF8(${value}) in ${params.texts(test.texts)})`;
    case 'like':
      return `(lowerUTF8(${value}) like ${params.text(likeText(test.parts))})`;
    case 'pattern':
      return `match(${value}, ${params.text(test.pattern)})`;
    case 'address': {
      const { from, to } = test.range;
      const within = `(toIPv6OrNull(${value}) between ${params.address(formatAddress(from))} and ${params.address(formatAddress(to))})`;
      const inside = `ifNull(${within}, 0)`;
      return test.text === undefined
        ? inside
        : `(${inside} or ${condition(value, { is: 'equal', text: test.text }, params)})`;
    }
    case 'number':
      // The store takes `inf` for a number.
      return `ifNull(isFinite(toFloat64OrNull(${value})) and ${between(`toFloat64OrNull(${value})`, test, (edge) => params.number(edge))}, 0)`;
    case 'between':
      return between(`lowerUTF8(${value})`, test, (edge) => params.text(edge));
  }
}

/** A text without letters equals its lower case only, so the value can be compared as it is. */
function foldedFor(value: string, text: string): string {
  return fold(text) === text.toUpperCase() ? value : `lowerUTF8(${value})`;
}

function between<T>(value: string, test: { from: Edge<T>; to: Edge<T> }, bind: (edge: T) => string): string {
  const { from, to } = test;
  const conditions = [
    ...(from === undefined ? [] : [`${value} ${from.inclusive ? '>=' : '>'} ${bind(from.value)}`]),
    ...(to === undefined ? [] : [`${value} ${to.inclusive ? '<=' : '<'} ${bind(to.value)}`]),
  ];
  return `(${conditions.join(' and ')})`;
}

const likeWildcards = { any: '%', one: '_' } as const;

function likeText(parts: Extract<ValueTest, { is: 'like' }>['parts']): string {
  return parts
    .map((part) => (typeof part === 'string' ? likeWildcards[part] : part.literal.replaceAll(/[\\%_]/g, '\\$&')))
    .join('');
}
