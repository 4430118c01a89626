import type { FastifyRequest } from 'fastify';
import type { GraphRecord } from './microsoft-graph-data.ts';
import { firstText, integerOf, objectOf } from './request-values.ts';

/** What a list may be asked for, and what the service does with too much of it. */
export type ListRules = {
  readonly topMax: number;
  /** Beyond, `$skip` is refused; undefined where lists are paged by links. */
  readonly skipMax?: number;
  readonly defaultTop: number;
};

export type ListAnswer = { readonly value: readonly GraphRecord[]; readonly next: string | undefined };

/**
 * OData as far as an integration needs it: `field ge 2026-01-01T00:00:00Z and field eq 'text'`, one `$orderby`, `$top` and
 * either `$skip` or a token. A text is why the request is refused.
 */
export function listRecords(
  records: readonly GraphRecord[],
  request: FastifyRequest,
  rules: ListRules,
): ListAnswer | string {
  const query = objectOf(request.query);
  const accepts = parseFilter(firstText(query.$filter));
  const order = parseOrder(firstText(query.$orderby));
  if (accepts === undefined) return 'Invalid filter clause';
  if (order === undefined) return 'Invalid orderby clause';
  const top = Math.min(Math.max(integerOf(query.$top, rules.defaultTop), 1), rules.topMax);
  const skip = integerOf(query.$skip, 0);
  if (skip > 0 && (rules.skipMax === undefined || skip > rules.skipMax))
    return `The limit of ${rules.skipMax ?? 0} for Skip query has been exceeded.`;
  const start = integerOf(query.$skiptoken, skip);
  const found = records.filter(accepts).toSorted(order);
  const more = rules.skipMax === undefined && found.length > start + top;
  return { value: found.slice(start, start + top), next: more ? String(start + top) : undefined };
}

type Test = (record: GraphRecord) => boolean;

function parseFilter(text: string): Test | undefined {
  if (text === '') return () => true;
  const tests: Test[] = [];
  let rest = text;
  while (rest !== '') {
    const group = /^\(([^()]{1,2000})\)(?: and (?=.)|$)/.exec(rest);
    if (group !== null) {
      const either = (group[1] ?? '').split(' or ').map(parseFilter);
      if (either.includes(undefined)) return undefined;
      tests.push((record) => either.some((test) => test?.(record) === true));
      rest = rest.slice(group[0].length);
      continue;
    }
    const match = /^(\w{1,60}) (eq|ge|gt|le|lt) (?:'((?:[^']|''){0,500})'|([\w:.-]{1,60}))(?: and (?=.)|$)/.exec(rest);
    if (match === null) return undefined;
    const [, field = '', operator = '', quoted, bare = ''] = match;
    const isTime = quoted === undefined && /^\d{4}-\d{2}-\d{2}T/.test(bare);
    const value = quoted?.replaceAll("''", "'") ?? bare;
    if (isTime && Number.isNaN(Date.parse(value))) return undefined;
    tests.push((record) =>
      holds(operator, isTime ? Date.parse(String(record[field])) - Date.parse(value) : compare(record[field], value)),
    );
    rest = rest.slice(match[0].length);
  }
  return (record) => tests.every((test) => test(record));
}

function holds(operator: string, order: number): boolean {
  if (operator === 'eq') return order === 0;
  if (operator === 'ge') return order >= 0;
  if (operator === 'le') return order <= 0;
  return operator === 'gt' ? order > 0 : order < 0;
}

function parseOrder(text: string): ((a: GraphRecord, b: GraphRecord) => number) | undefined {
  if (text === '') return () => 0;
  const match = /^(\w{1,60})(?: (asc|desc))?$/.exec(text);
  if (match === null) return undefined;
  const [, field = '', direction] = match;
  const sign = direction === 'desc' ? -1 : 1;
  return (a, b) => sign * compare(a[field], b[field]);
}

function compare(a: unknown, b: unknown): number {
  const [left, right] = [String(a).toLowerCase(), String(b).toLowerCase()];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
