import { isPresentAt, textsOfLeaves, valuesAt } from '../event-values.ts';
import { parseAddress } from '../ip-address.ts';
import { numberOf } from '../number-text.ts';
import { type QueryResult, resultOf } from '../query-problem.ts';
import type { QueryNode } from '../query-tree.ts';
import { type ResolveOptions, resolveQuery } from '../resolve.ts';
import type { Check, Edge, ValueTarget, ValueTest } from '../search-check.ts';
import type { SearchableEvent } from '../search-columns.ts';
import { fold, likePattern, patternTester } from '../text-pattern.ts';
import { compareCodePoints } from './code-points.ts';

type Test<T> = (value: T) => boolean;

/**
 * Compiles a query to a predicate over single events: what the language means, and what the answers of the store for the
 * compiled SQL are held to. Time per event is linear in its size and in the number of terms.
 */
export function createMatcher(
  tree: QueryNode,
  options: ResolveOptions,
): QueryResult<{ readonly matches: (event: SearchableEvent) => boolean }> {
  return resultOf(() => ({ matches: predicate(resolveQuery(tree, options)) }));
}

function predicate(check: Check): Test<SearchableEvent> {
  switch (check.kind) {
    case 'all':
      return () => true;
    case 'none':
      return () => false;
    case 'and': {
      const parts = check.parts.map(predicate);
      return (event) => parts.every((part) => part(event));
    }
    case 'or': {
      const parts = check.parts.map(predicate);
      return (event) => parts.some((part) => part(event));
    }
    case 'not': {
      const part = predicate(check.part);
      return (event) => !part(event);
    }
    case 'present':
      return presence(check.target);
    case 'value':
      return someValue(check.target, valueTest(check.test));
    case 'words': {
      const found = patternTester(check.test.pattern);
      return (event) => check.columns.some((column) => found(fold(event[column])));
    }
    case 'pattern': {
      const found = patternTester(check.pattern);
      return (event) => check.columns.some((column) => found(event[column]));
    }
    case 'time':
      return ({ [check.column]: at }) => at >= (check.from ?? -Infinity) && at < (check.until ?? Infinity);
  }
}

function presence(target: ValueTarget): Test<SearchableEvent> {
  if (target.kind === 'path') return ({ fields }) => isPresentAt(fields, target.path);
  const { column } = target.column;
  return (event) => event[column] !== '';
}

function someValue(target: ValueTarget, test: { readonly holds: Test<string>; readonly ofEmpty: boolean }) {
  if (target.kind === 'path') {
    return ({ fields }: SearchableEvent) => textsOfLeaves(valuesAt(fields, target.path)).some(test.holds);
  }
  const { column } = target.column;
  return (event: SearchableEvent) => {
    const text = String(event[column]);
    return (text !== '' || test.ofEmpty) && test.holds(text);
  };
}

/** `ofEmpty`: whether an empty column, which is one without a value, may be asked. */
function valueTest(test: ValueTest): { readonly holds: Test<string>; readonly ofEmpty: boolean } {
  switch (test.is) {
    case 'equal':
      return { holds: (text) => fold(text) === test.text, ofEmpty: true };
    case 'one-of': {
      const texts = new Set(test.texts);
      return { holds: (text) => texts.has(fold(text)), ofEmpty: true };
    }
    case 'like': {
      const found = patternTester(likePattern(test.parts));
      return { holds: (text) => found(fold(text)), ofEmpty: false };
    }
    case 'pattern':
      return { holds: patternTester(test.pattern), ofEmpty: false };
    case 'address': {
      const { range, text: written } = test;
      const holds = (text: string) => {
        const address = parseAddress(text);
        return (address !== undefined && address >= range.from && address <= range.to) || fold(text) === written;
      };
      return { holds, ofEmpty: false };
    }
    case 'number': {
      const within = between<number>(test.from, test.to, (a, b) => a - b);
      const holds = (text: string) => {
        const value = numberOf(text);
        return value !== undefined && within(value);
      };
      return { holds, ofEmpty: false };
    }
    case 'between': {
      const within = between<string>(test.from, test.to, compareCodePoints);
      return { holds: (text) => within(fold(text)), ofEmpty: false };
    }
  }
}

function between<T>(from: Edge<T>, to: Edge<T>, compare: (a: T, b: T) => number): Test<T> {
  const isWithin = (order: number, inclusive: boolean) => order > 0 || (inclusive && order === 0);
  return (value) =>
    (from === undefined || isWithin(compare(value, from.value), from.inclusive)) &&
    (to === undefined || isWithin(compare(to.value, value), to.inclusive));
}
