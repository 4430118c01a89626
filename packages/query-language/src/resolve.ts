import { type FieldTarget, targetOf } from './field-name.ts';
import { parseInstant } from './instant.ts';
import { isV4, parseAddress, parseNetwork } from './ip-address.ts';
import { numberOf } from './number-text.ts';
import { QueryError, queryProblem, type Span } from './query-problem.ts';
import type { Bound, Match, QueryNode, Term, TextPart } from './query-tree.ts';
import type { Check, Edge, TimeColumn, ValueTarget, ValueTest, WordColumn } from './search-check.ts';
import { wordColumns } from './search-columns.ts';
import { fold, innerPattern, wholePattern, wordsTest } from './text-pattern.ts';

export type ResolveOptions = {
  /** What `now` means, in milliseconds since the epoch. */
  readonly now: number;
};

/** Decides for every term how its field is compared. Throws a `QueryError` for what its field cannot be asked. */
export function resolveQuery(node: QueryNode, options: ResolveOptions): Check {
  switch (node.kind) {
    case 'all':
      return { kind: 'all' };
    case 'and':
    case 'or':
      return { kind: node.kind, parts: node.parts.map((part) => resolveQuery(part, options)) };
    case 'not':
      return { kind: 'not', part: resolveQuery(node.part, options) };
    case 'term':
      return resolveTerm(node, options);
  }
}

function resolveTerm(term: Term, options: ResolveOptions): Check {
  if (term.field === undefined) return wordsCheck(wordColumns, term);
  const target = targetOf(term.field);
  if (term.match.kind === 'exists') return { kind: 'present', target };
  const column = target.kind === 'column' ? target.column : undefined;
  if (column?.kind === 'text') return wordsCheck([column.column as WordColumn], term);
  if (column?.kind === 'time') return timeCheck(column.column as TimeColumn, term, options);
  return valueCheck(target, term.match, term.span);
}

function wordsCheck(columns: readonly WordColumn[], { match, span, field }: Term): Check {
  switch (match.kind) {
    case 'text':
      if (match.text.trim() === '') return emptyWords(columns, span, field);
      return { kind: 'words', columns, test: wordsTest([{ literal: match.text }]) };
    case 'wildcard':
      return { kind: 'words', columns, test: wordsTest(match.parts) };
    case 'regex':
      return { kind: 'pattern', columns, pattern: innerPattern(match.pattern, span) };
    case 'exists':
      return { kind: 'all' };
    case 'range':
      throw new QueryError(queryProblem('QUERY_RANGE_OF_TEXT', span));
  }
}

/** `message:""` asks for events without a message; quotes with nothing in them alone ask for nothing. */
function emptyWords(columns: readonly WordColumn[], span: Span, field: string | undefined): Check {
  const target = field === undefined ? undefined : targetOf(field);
  if (target === undefined || columns.length !== 1) {
    throw new QueryError(queryProblem('QUERY_QUOTES_EMPTY', span));
  }
  return { kind: 'not', part: { kind: 'present', target } };
}

function timeCheck(column: TimeColumn, { match, span }: Term, { now }: ResolveOptions): Check {
  const read = (text: string) => {
    const instant = parseInstant(text, now);
    if (instant === undefined) throw notATime(column, span);
    return instant;
  };
  if (match.kind === 'text') {
    const { start, end } = read(match.text);
    return { kind: 'time', column, from: start, until: end };
  }
  if (match.kind !== 'range') throw notATime(column, span);
  const from = match.from === undefined ? undefined : { ...match.from, at: read(match.from.text) };
  const to = match.to === undefined ? undefined : { ...match.to, at: read(match.to.text) };
  return {
    kind: 'time',
    column,
    from: from === undefined ? undefined : from.inclusive ? from.at.start : from.at.end,
    until: to === undefined ? undefined : to.inclusive ? to.at.end : to.at.start,
  };
}

function notATime(column: TimeColumn, span: Span): QueryError {
  const field = column === 'time' ? 'time' : '_received_at';
  return new QueryError(queryProblem('QUERY_NOT_A_TIME', span, { values: { field } }));
}

function valueCheck(target: FieldTarget, match: Match, span: Span): Check {
  switch (match.kind) {
    case 'text':
      return { kind: 'value', target, test: equalTest(match.text) };
    case 'wildcard':
      return { kind: 'value', target, test: { is: 'like', parts: match.parts.map(foldPart) } };
    case 'regex':
      return { kind: 'value', target, test: { is: 'pattern', pattern: wholePattern(match.pattern, span) } };
    case 'exists':
      return { kind: 'present', target };
    case 'range':
      return rangeCheck(target, match.from, match.to);
  }
}

/** A network means every address in it; an IPv6 address means itself however it is written. */
function equalTest(text: string): ValueTest {
  const network = parseNetwork(text);
  if (network !== undefined) return { is: 'address', range: network, text: fold(text) };
  const address = parseAddress(text);
  if (address !== undefined && text.includes(':')) {
    return { is: 'address', range: { from: address, to: address }, text: fold(text) };
  }
  return { is: 'equal', text: fold(text) };
}

function foldPart(part: TextPart): TextPart {
  return typeof part === 'string' ? part : { literal: fold(part.literal) };
}

/** Both ends say how values are compared: as numbers, as addresses, or else as texts. */
function rangeCheck(target: ValueTarget, from: Bound | undefined, to: Bound | undefined): Check {
  const bounds = [from, to].filter((bound) => bound !== undefined);
  if (bounds.length === 0) return { kind: 'present', target };
  if (bounds.every(({ text }) => numberOf(text) !== undefined)) {
    const edge = (bound: Bound | undefined) => edgeOf(bound, (text) => numberOf(text) ?? 0);
    return { kind: 'value', target, test: { is: 'number', from: edge(from), to: edge(to) } };
  }
  if (bounds.every(({ text }) => parseAddress(text) !== undefined)) return addressRange(target, from, to);
  return { kind: 'value', target, test: { is: 'between', from: edgeOf(from, fold), to: edgeOf(to, fold) } };
}

function edgeOf<T>(bound: Bound | undefined, read: (text: string) => T): Edge<T> {
  return bound === undefined ? undefined : { value: read(bound.text), inclusive: bound.inclusive };
}

/** Open ends stay within the family of the other end: `>= 10.0.0.1` does not mean every IPv6 address. */
function addressRange(target: ValueTarget, from: Bound | undefined, to: Bound | undefined): Check {
  const low = from === undefined ? undefined : parseAddress(from.text);
  const high = to === undefined ? undefined : parseAddress(to.text);
  const family = isV4(low ?? high ?? 0n)
    ? { from: 0xffff_0000_0000n, to: 0xffff_ffff_ffffn }
    : { from: 0n, to: MAX_ADDRESS };
  const range = {
    from: low === undefined ? family.from : low + (from?.inclusive === true ? 0n : 1n),
    to: high === undefined ? family.to : high - (to?.inclusive === true ? 0n : 1n),
  };
  if (range.from > range.to || range.to < 0n || range.from > MAX_ADDRESS) return { kind: 'none' };
  return { kind: 'value', target, test: { is: 'address', range, text: undefined } };
}

const MAX_ADDRESS = (1n << 128n) - 1n;
