import type { FilterOperator, SearchFilter } from '@airdeck/contracts/search/schema';
import { storableText } from '@airdeck/domain/storable-json';
import { checkFieldName } from '@airdeck/query-language/field-name';
import { QueryError, queryProblem } from '@airdeck/query-language/query-problem';
import type { Bound, Match, QueryNode, Term, TextPart } from '@airdeck/query-language/query-tree';

/** Filters are not in the text of the query. */
const NOWHERE = { start: 0, end: 0 };

type Value = string | number | boolean;
type Part = { readonly literal: string } | 'any';

/** What each operator asks of the field; `not` turns the answer round. */
const operators: Readonly<Record<FilterOperator, { takes: 'one' | 'many' | 'none'; not?: true; match: MatchOf }>> = {
  is: { takes: 'one', match: textMatch },
  is_not: { takes: 'one', not: true, match: textMatch },
  one_of: { takes: 'many', match: textMatch },
  not_one_of: { takes: 'many', not: true, match: textMatch },
  exists: { takes: 'none', match: () => ({ kind: 'exists' }) },
  not_exists: { takes: 'none', not: true, match: () => ({ kind: 'exists' }) },
  contains: { takes: 'one', match: (value) => wildcards(['any', { literal: text(value) }, 'any']) },
  not_contains: { takes: 'one', not: true, match: (value) => wildcards(['any', { literal: text(value) }, 'any']) },
  starts_with: { takes: 'one', match: (value) => wildcards([{ literal: text(value) }, 'any']) },
  ends_with: { takes: 'one', match: (value) => wildcards(['any', { literal: text(value) }]) },
  gt: { takes: 'one', match: (value) => ({ kind: 'range', from: edge(value, false), to: undefined }) },
  gte: { takes: 'one', match: (value) => ({ kind: 'range', from: edge(value, true), to: undefined }) },
  lt: { takes: 'one', match: (value) => ({ kind: 'range', from: undefined, to: edge(value, false) }) },
  lte: { takes: 'one', match: (value) => ({ kind: 'range', from: undefined, to: edge(value, true) }) },
};
type MatchOf = (value: Value) => Match;

/**
 * A filter as a part of a query's tree, made without going through the text of a query: no character of a value or a name
 * has a meaning of its own. Throws a `QueryError` for what no query could ask.
 */
export function filterNode({ field, op, value }: SearchFilter): QueryNode {
  checkFieldName(field, NOWHERE);
  const { takes, not, match } = operators[op];
  const values = valuesFor(takes, value);
  const terms = values.map((one): Term => ({ kind: 'term', field, match: match(one), span: NOWHERE }));
  const [only] = terms;
  const node: QueryNode = terms.length === 1 && only !== undefined ? only : { kind: 'or', parts: terms, span: NOWHERE };
  return not === true ? { kind: 'not', part: node, span: NOWHERE } : node;
}

function valuesFor(takes: 'one' | 'many' | 'none', value: SearchFilter['value']): readonly Value[] {
  if (takes === 'none') return [''];
  if (value === undefined) throw new QueryError(queryProblem('QUERY_FILTER_VALUE_MISSING', NOWHERE));
  if (takes === 'many') return Array.isArray(value) ? value : [value];
  if (Array.isArray(value)) throw new QueryError(queryProblem('QUERY_FILTER_ONE_VALUE', NOWHERE));
  return [value];
}

function textMatch(value: Value): Match {
  return { kind: 'text', text: text(value) };
}

function wildcards(parts: readonly Part[]): Match {
  if (parts.some((part) => typeof part === 'object' && part.literal === ''))
    throw new QueryError(queryProblem('QUERY_FILTER_VALUE_MISSING', NOWHERE));
  return { kind: 'wildcard', parts: parts satisfies readonly TextPart[] };
}

function edge(value: Value, inclusive: boolean): Bound {
  return { text: text(value), inclusive };
}

/** As stored events have it: halves of characters and NULs cannot be sent to any store. */
function text(value: Value): string {
  return storableText(String(value));
}
