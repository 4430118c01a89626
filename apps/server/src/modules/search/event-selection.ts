/**
 * The one place where a search becomes SQL. What comes out always names the tenant and a stretch of time, holds no text of
 * the caller outside bound parameters, and is used by everything that reads events for people: results, histogram, fields,
 * live tail, exports.
 */
import type { ErrorDetailBody } from '@airdeck/contracts/error-codes';
import { type SearchCriteria, type SearchFilter, searchLimits } from '@airdeck/contracts/search/schema';
import { compileQuery } from '@airdeck/query-language/compile';
import { parseQuery } from '@airdeck/query-language/parse';
import { queryLimits } from '@airdeck/query-language/query-limits';
import { QueryError, type QueryProblem, queryProblem } from '@airdeck/query-language/query-problem';
import type { QueryNode } from '@airdeck/query-language/query-tree';
import { AppError } from '../../http/app-error.ts';
import { filterNode } from './filter-node.ts';
import type { Stretch } from './search-range.ts';

export type EventSelection = {
  /** A condition over `events`, in brackets where it needs them; without tenant and time, which readers add. */
  readonly condition: string;
  /** Values of its parameters, all named `p…` or `scope_…`. */
  readonly params: Readonly<Record<string, unknown>>;
};

/** What was selected, also as the tree of a query, for those who ask elsewhere. */
export type SelectedEvents = EventSelection & { readonly tree: QueryNode };

type Options = {
  /** What `now` means in the query, in milliseconds since the epoch. */
  readonly now: number;
  /** Where in the request the criteria are, for the paths of problems: `body`, `query`, `body.criteria`. */
  readonly at?: string;
};

/** Throws QUERY_INVALID with the place, the reason and what to do in its details. */
export function selectEvents(criteria: SearchCriteria, { now, at = 'body' }: Options): SelectedEvents {
  refuseLarge(criteria.filters, { at, maximum: searchLimits.filtersCharactersMax });
  const parsed = parseQuery(criteria.query);
  if (!parsed.ok) throw queryInvalid(detailOf(`${at}.query`, parsed.problem));
  const filters = criteria.filters.map((filter, index) => filterAt(filter, { path: `${at}.filters.${index}`, now }));
  refuseManySlow(criteria.filters, at);
  const all: QueryNode = { kind: 'and', parts: [parsed.tree, ...filters], span: { start: 0, end: 0 } };
  const tree = filters.length === 0 ? parsed.tree : all;
  const compiled = compileQuery(tree, { now });
  if (!compiled.ok) throw queryInvalid(detailOf(`${at}.query`, compiled.problem));
  const scope = scopeCondition(criteria);
  return {
    tree,
    condition: [...scope.conditions, compiled.sql].join(' and '),
    params: { ...compiled.params, ...scope.params },
  };
}

/** Each filter is compiled on its own once, so that a problem is known by its filter. */
function filterAt(filter: SearchFilter, { path, now }: { path: string; now: number }): QueryNode {
  try {
    const node = filterNode(filter);
    const compiled = compileQuery(node, { now });
    if (compiled.ok) return node;
    throw new QueryError(compiled.problem);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { reason, values, message, suggestion } = error.problem;
    throw queryInvalid({ path, message, reason, values, ...(suggestion === undefined ? {} : { suggestion }) });
  }
}

const slowOperators = new Set<SearchFilter['op']>(['contains', 'not_contains', 'ends_with']);

/** Before anything is made of them. Throws QUERY_INVALID. */
export function refuseLarge(filters: readonly SearchFilter[], { at, maximum }: { at: string; maximum: number }): void {
  if (JSON.stringify(filters).length <= maximum) return;
  const values = { maximum };
  const { message, reason } = queryProblem('QUERY_FILTERS_TOO_LARGE', { start: 0, end: 0 }, { values });
  throw queryInvalid({ path: `${at}.filters`, message, reason, values });
}

/** The bound of the language on terms that begin with a wildcard. */
function refuseManySlow(filters: readonly SearchFilter[], at: string): void {
  const slow = filters.filter(({ op }) => slowOperators.has(op)).length;
  if (slow <= queryLimits.maxLeadingWildcards) return;
  const values = { maximum: queryLimits.maxLeadingWildcards };
  const { message, reason } = queryProblem('QUERY_FILTERS_TOO_SLOW', { start: 0, end: 0 }, { values });
  throw queryInvalid({ path: `${at}.filters`, message, reason, values });
}

function scopeCondition({ integrations, connector_id }: SearchCriteria) {
  const params: Record<string, unknown> = {};
  const conditions: string[] = [];
  if (connector_id !== undefined) {
    params.scope_connector = connector_id;
    conditions.push('connector_id = {scope_connector:String}');
  }
  const entries = integrations.slice(0, searchLimits.integrationsMax).map((entry) => {
    const [integration = '', eventType] = splitOnce(entry);
    return { integration, eventType };
  });
  if (entries.length > 0) {
    const alternatives = entries.map(({ integration, eventType }, index) => {
      params[`scope_i${index}`] = integration;
      const named = `integration = {scope_i${index}:String}`;
      if (eventType === undefined) return named;
      params[`scope_t${index}`] = eventType;
      return `(${named} and event_type = {scope_t${index}:String})`;
    });
    conditions.push(`(${alternatives.join(' or ')})`);
  }
  return { conditions, params };
}

function splitOnce(entry: string): [string, string | undefined] {
  const at = entry.indexOf(':');
  return at === -1 ? [entry, undefined] : [entry.slice(0, at), entry.slice(at + 1)];
}

/** The whole condition of a reader: tenant, stretch of time, and what was selected. */
export function conditionWithin({ condition }: EventSelection): string {
  return `tenant = {tenant:UUID} and time >= ${boundTime('from')} and time < ${boundTime('until')} and ${condition}`;
}

/** Placeholder of a time that is bound in milliseconds. */
export function boundTime(name: string): string {
  return `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`;
}

/** Parameters of `conditionWithin`. */
export function paramsWithin({ params }: EventSelection, { from, until }: Stretch): Record<string, unknown> {
  return { ...params, from, until };
}

function detailOf(path: string, { span, reason, values, message, suggestion, fix }: QueryProblem): ErrorDetailBody {
  return {
    path,
    message,
    reason,
    values,
    start: span.start,
    end: span.end,
    ...(suggestion === undefined ? {} : { suggestion }),
    // A query is put right as a whole; one that is far too long is not sent back.
    ...(fix === undefined || fix.length > queryLimits.maxLength ? {} : { fix }),
  };
}

function queryInvalid(detail: ErrorDetailBody): AppError {
  return new AppError('QUERY_INVALID', { message: detail.message, details: [detail] });
}
